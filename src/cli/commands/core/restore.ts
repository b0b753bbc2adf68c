import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { carryover } from '../../../process/called.ts';
import { firstPlaceName } from '../../../domain/app-place.ts';
import { CommandError, type ExitCode, fileError } from '../../command-error.ts';
import { addYesOption, type Change, confirm, type ConfirmOptions } from '../../confirm/confirm.ts';
import { bytes, plural, printable } from '../../output/format.ts';
import { movedLines } from '../../output/moved.ts';
import { fileOf, placesToRestore, readManifest } from '../../places/backup-set.ts';
import {
  answerOf,
  atEach,
  codeOf,
  type Outcome,
  outcomeLines,
  placesOf,
  prefixOf,
  resultsOf,
} from '../../places/each.ts';
import type { DatabaseSources, RestoredBackup, Surroundings } from '../../surroundings.ts';
import { quoted } from '../../confirm/exact.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';
import { addDatabaseOptions, type DatabaseOptions, sourcesOf } from './backup.ts';

export const addRestore: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('restore')
    .summary('put a backup into an empty database')
    .description(
      'Puts a backup into an empty database or data folder, and updates its tables to this version; the folder of a backup of several places into an empty database of each. If anything is wrong with the file, nothing is restored.',
    )
    .argument('<file>', 'a file or folder of carryover backup; - for the standard input');
  addDatabaseOptions(addJsonOption(addYesOption(command)))
    .option(
      '--place <name>',
      'one of the places of the settings; left out: all of a folder, or the first one',
    )
    .addHelpText(
      'after',
      examples(
        `${carryover} restore users.carryover --data ./new-data`,
        `POSTGRESQL_CONNECTION_URI=postgresql://… ${carryover} restore users.carryover`,
        `${carryover} restore monday --config config.yaml`,
      ),
    )
    .action(action((file: string, options: RestoreOptions) => restore(file, options, surroundings)));
};

interface RestoreOptions extends DatabaseOptions, ConfirmOptions {
  readonly json?: boolean;
}

async function restore(file: string, options: RestoreOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  const plan = await planOf(file, options, surroundings);
  await confirm(await changeOf(file, plan, surroundings), options, surroundings);
  const outcomes = await restoreAll(plan, options, surroundings);
  const restored = resultsOf(outcomes);
  for (const name of new Set(restored.flatMap(({ leftOut }) => leftOut)))
    stderr.write(`Left out: the table ${printable(name)}, which is not the core's\n`);
  if (options.json === true) {
    const dataDir = restored[0]?.dataDir;
    const start = `${carryover} serve${dataDir === undefined ? '' : ` --data ${quoted(dataDir)}`}`;
    const next = { command: start, reason: 'runs a core on what was restored' };
    stdout.write(answerOf('restore', outcomes, viewOfRestored, restored.length === 0 ? [] : [next]));
  }
  const sealed = restored.find(({ hasKeys }) => !hasKeys);
  if (sealed !== undefined) stderr.write(`${keyNote(sealed)}\n`);
  return codeOf(outcomes);
}

/** A file, and the place that it is for. */
interface Backup {
  readonly place: string;
  readonly file: string;
  /** Left out: any. */
  readonly sha256?: string | undefined;
}

interface Plan {
  readonly sources: DatabaseSources;
  readonly backups: readonly Backup[];
}

/** @throws CommandError for a folder that is incomplete, or has a place that the settings lack */
async function planOf(file: string, options: RestoreOptions, surroundings: Surroundings): Promise<Plan> {
  const sources = await sourcesOf(options, surroundings, () => Promise.resolve(false));
  const chosen = placesOf(sources, options.place);
  const manifest = file === '-' ? undefined : await readManifest(file, surroundings);
  if (manifest === undefined)
    return { sources, backups: chosen.slice(0, 1).map((place) => ({ place, file })) };
  const places = placesToRestore(file, manifest, { chosen, place: options.place });
  const backups = manifest.places
    .filter(({ name }) => places.includes(name))
    .map(({ name, sha256 }) => ({ place: name, file: fileOf(file, name), sha256 }));
  return { sources, backups };
}

async function restoreAll(
  { sources, backups }: Plan,
  { json }: RestoreOptions,
  surroundings: Surroundings,
): Promise<Outcome<RestoredBackup>[]> {
  const places = backups.map(({ place }) => place);
  if (places.length > 1) await requireEmpty(sources, places, surroundings);
  const fileFor = new Map(backups.map((backup) => [backup.place, backup]));
  const inWords = ({ rows, header }: RestoredBackup, place: string): string => {
    const users = plural(rows.get('users') ?? 0, 'login method');
    return `${prefixOf(place, places)}Restored: ${users}, and all else, of ${header.madeAt}\n`;
  };
  return atEach(
    places,
    surroundings,
    (place) => {
      const { file = '', sha256 } = fileFor.get(place) ?? {};
      return restoreFile(file, { ...sources, place, sha256 }, surroundings);
    },
    outcomeLines(surroundings, json === true ? undefined : inWords),
  );
}

/** So that nothing is restored where one place has data already. @throws CommandError */
async function requireEmpty(
  sources: DatabaseSources,
  places: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  const note = (line: string): void => void surroundings.stderr.write(`${line}\n`);
  const foreseen = await atEach(places, surroundings, (place) =>
    surroundings.foreseeRestore({ ...sources, place, note }),
  );
  const obstacles = foreseen.flatMap((outcome) =>
    'result' in outcome && outcome.result !== undefined ? [`${outcome.place}: ${outcome.result}`] : [],
  );
  if (obstacles.length === 0) return;
  throw new CommandError(`Nothing was restored. ${obstacles.join('. ')}. --place restores one place alone`, {
    code: 'NOT_EMPTY',
    field: '--place',
  });
}

async function restoreFile(
  file: string,
  sources: DatabaseSources & Pick<Backup, 'sha256'>,
  surroundings: Surroundings,
): Promise<RestoredBackup> {
  const { stderr, interrupt, now } = surroundings;
  const end = new AbortController();
  const reading = AbortSignal.any([interrupt, end.signal]);
  try {
    return await surroundings.restore({
      ...sources,
      source: openInput(file, surroundings, reading),
      total: await sizeOf(file, surroundings),
      interrupt,
      note: (line) => void stderr.write(`${line}\n`),
      onMoved: movedLines(stderr, now),
    });
  } finally {
    // The sender may not have finished.
    end.abort();
  }
}

async function changeOf(
  file: string,
  { sources: { environment }, backups }: Plan,
  surroundings: Surroundings,
): Promise<Change> {
  const isNamed = ['POSTGRESQL_CONNECTION_URI', 'POSTGRESQL_CONNECTION_URI_FILE'].some(
    (name) => environment[name],
  );
  const places = backups.map(({ place }) => place);
  const own = isNamed
    ? 'the database of POSTGRESQL_CONNECTION_URI'
    : (environment.DATA_DIR ?? 'the database');
  const isFirst = places.every((place) => place === firstPlaceName);
  const into = isFirst ? own : `the databases of the places ${places.join(', ')}`;
  const sizes = await Promise.all(backups.map((backup) => sizeOf(backup.file, surroundings)));
  const total = sizes.reduce((sum, size) =>
    sum === undefined || size === undefined ? undefined : sum + size,
  );
  const size = total === undefined ? '' : ` (${bytes(total)})`;
  return {
    lines: [`Would put the backup ${printable(file)}${size} into ${printable(into)}`],
    would: { restore: file, bytes: total, into },
  };
}

function viewOfRestored({ header, rows, leftOut, hasKeys, dataDir }: RestoredBackup): object {
  return { madeAt: header.madeAt, rows: Object.fromEntries(rows), leftOut, hasKeys, dataDir };
}

function keyNote({ dataDir }: RestoredBackup): string {
  const cure =
    dataDir === undefined
      ? "start the core with the 'encryption_keys' of the one that was backed up, or the text of its file 'encryption-key'"
      : `put the file 'encryption-key' of the data folder that was backed up into ${dataDir}, before a core starts there`;
  return `Some secrets in it are sealed with a key that is not here: ${cure}`;
}

/** @returns bytes; undefined for the standard input @throws CommandError */
async function sizeOf(file: string, { folder }: Pick<Surroundings, 'folder'>): Promise<number | undefined> {
  if (file === '-') return undefined;
  const { size } = await stat(path.resolve(folder, file)).catch((error: unknown) => {
    throw fileError(file, error);
  });
  return size;
}

function openInput(
  file: string,
  { stdin, folder }: Surroundings,
  reading: AbortSignal,
): AsyncIterable<Uint8Array> {
  if (file !== '-') return readFrom(file, path.resolve(folder, file), reading);
  const source = new PassThrough();
  // The reader of the source gets the error.
  pipeline(stdin, source, { signal: reading }).catch(() => undefined);
  return source;
}

async function* readFrom(shown: string, file: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: 262_144, signal }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw fileError(shown, error);
  }
}
