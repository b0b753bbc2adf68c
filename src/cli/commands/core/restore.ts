import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { carryover } from '../../../process/called.ts';
import { type ExitCode, exitCodes, fileError } from '../../command-error.ts';
import { addYesOption, type Change, confirm, type ConfirmOptions } from '../../confirm/confirm.ts';
import { asJson } from '../../output/answer.ts';
import { bytes, plural, printable } from '../../output/format.ts';
import { movedLines } from '../../output/moved.ts';
import type { DatabaseSources, RestoredBackup, Surroundings } from '../../surroundings.ts';
import { quoted } from '../../confirm/exact.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';
import { addDatabaseOptions, type DatabaseOptions, sourcesOf } from './backup.ts';

export const addRestore: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('restore')
    .summary('put a backup into an empty database')
    .description(
      'Puts a backup into an empty database or data folder, and updates its tables to this version. If anything is wrong with the file, nothing is restored.',
    )
    .argument('<file>', 'a file of carryover backup; - for the standard input');
  addDatabaseOptions(addJsonOption(addYesOption(command)))
    .addHelpText(
      'after',
      examples(
        `${carryover} restore users.carryover --data ./new-data`,
        `POSTGRESQL_CONNECTION_URI=postgresql://… ${carryover} restore users.carryover`,
      ),
    )
    .action(action((file: string, options: RestoreOptions) => restore(file, options, surroundings)));
};

interface RestoreOptions extends DatabaseOptions, ConfirmOptions {
  readonly json?: boolean;
}

async function restore(file: string, options: RestoreOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  const restored = await restoreFrom(file, options, surroundings);
  for (const name of restored.leftOut)
    stderr.write(`Left out: the table ${printable(name)}, which is not the core's\n`);
  const users = plural(restored.rows.get('users') ?? 0, 'login method');
  const { header, rows, leftOut, hasKeys, dataDir } = restored;
  const view = { madeAt: header.madeAt, rows: Object.fromEntries(rows), leftOut, hasKeys, dataDir };
  const start = `${carryover} serve${dataDir === undefined ? '' : ` --data ${quoted(dataDir)}`}`;
  stdout.write(
    options.json === true
      ? asJson('restore', view, [{ command: start, reason: 'runs a core on what was restored' }])
      : `Restored: ${users}, and all else, of ${header.madeAt}\n`,
  );
  if (!restored.hasKeys) stderr.write(`${keyNote(restored)}\n`);
  return exitCodes.ok;
}

async function restoreFrom(
  file: string,
  options: RestoreOptions,
  surroundings: Surroundings,
): Promise<RestoredBackup> {
  const { stderr, interrupt, now } = surroundings;
  const end = new AbortController();
  const reading = AbortSignal.any([interrupt, end.signal]);
  try {
    const sources = await sourcesOf(options, surroundings, () => Promise.resolve(false));
    const input = await openInput(file, surroundings, reading);
    await confirm(changeOf(file, sources, input), options, surroundings);
    return await surroundings.restore({
      ...sources,
      ...input,
      interrupt,
      note: (line) => void stderr.write(`${line}\n`),
      onMoved: movedLines(stderr, now),
    });
  } finally {
    // The sender may not have finished.
    end.abort();
  }
}

function changeOf(file: string, { environment }: DatabaseSources, { total }: OpenInput): Change {
  const isNamed = ['POSTGRESQL_CONNECTION_URI', 'POSTGRESQL_CONNECTION_URI_FILE'].some(
    (name) => environment[name],
  );
  const into = isNamed
    ? 'the database of POSTGRESQL_CONNECTION_URI'
    : (environment.DATA_DIR ?? 'the database');
  const size = total === undefined ? '' : ` (${bytes(total)})`;
  return {
    lines: [`Would put the backup ${printable(file)}${size} into ${printable(into)}`],
    would: { restore: file, bytes: total, into },
  };
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
    // The reader of the source gets the error.
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
