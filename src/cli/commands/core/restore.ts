import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { carryover } from '../../../process/called.ts';
import { type ExitCode, exitCodes, fileError } from '../../command-error.ts';
import { plural, printable } from '../../output/format.ts';
import { movedLines } from '../../output/moved.ts';
import type { RestoredBackup, Surroundings } from '../../surroundings.ts';
import { type AddCommand, examples } from '../command.ts';
import { addDatabaseOptions, type DatabaseOptions, sourcesOf } from './backup.ts';

export const addRestore: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('restore')
    .summary('put a backup into an empty database')
    .description(
      'Puts all of a backup into a database, or a data folder, in which no core has been, and brings it to the version of this core. Everything or, where anything is wrong with the file, nothing.',
    )
    .argument('<file>', 'what backup wrote; - for the standard input');
  addDatabaseOptions(command)
    .addHelpText(
      'after',
      examples(
        `${carryover} restore users.carryover --data ./new-data`,
        `POSTGRESQL_CONNECTION_URI=postgresql://… ${carryover} restore users.carryover`,
      ),
    )
    .action(action((file: string, options: DatabaseOptions) => restore(file, options, surroundings)));
};

async function restore(
  file: string,
  options: DatabaseOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  const restored = await restoreFrom(file, options, surroundings);
  for (const name of restored.leftOut)
    stderr.write(`Left out: the table ${printable(name)}, which is not the core's\n`);
  const users = plural(restored.rows.get('users') ?? 0, 'login method');
  stdout.write(`Restored: ${users}, and all else, of ${restored.header.madeAt}\n`);
  if (!restored.hasKeys) stderr.write(`${keyNote(restored)}\n`);
  return exitCodes.ok;
}

async function restoreFrom(
  file: string,
  options: DatabaseOptions,
  surroundings: Surroundings,
): Promise<RestoredBackup> {
  const { stderr, interrupt, now } = surroundings;
  const end = new AbortController();
  const reading = AbortSignal.any([interrupt, end.signal]);
  try {
    return await surroundings.restore({
      ...(await sourcesOf(options, surroundings, () => Promise.resolve(false))),
      ...(await openInput(file, surroundings, reading)),
      interrupt,
      note: (line) => void stderr.write(`${line}\n`),
      onMoved: movedLines(stderr, now),
    });
  } finally {
    // Whoever sends need not have come to an end.
    end.abort();
  }
}

function keyNote({ dataDir }: RestoredBackup): string {
  const cure =
    dataDir === undefined
      ? "start the core with the 'encryption_keys' of the one that was backed up, or the text of its file 'encryption-key'"
      : `put the file 'encryption-key' of the data folder that was backed up into ${dataDir}, before a core starts there`;
  return `Some secrets in it are sealed with a key that is not here: ${cure}`;
}

interface OpenInput {
  readonly source: AsyncIterable<Uint8Array>;
  readonly total: number | undefined;
}

async function openInput(
  file: string,
  { stdin, folder }: Surroundings,
  reading: AbortSignal,
): Promise<OpenInput> {
  if (file === '-') {
    const source = new PassThrough();
    // Who reads the source meets the error.
    pipeline(stdin, source, { signal: reading }).catch(() => undefined);
    return { source, total: undefined };
  }
  const { size } = await stat(path.resolve(folder, file)).catch((error: unknown) => {
    throw fileError(file, error);
  });
  return { source: readFrom(file, path.resolve(folder, file), reading), total: size };
}

async function* readFrom(shown: string, file: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: 262_144, signal }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw fileError(shown, error);
  }
}
