import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { carryover } from '../../../process/called.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { quoted } from '../../confirm/exact.ts';
import { asJson } from '../../output/answer.ts';
import { plural, printable } from '../../output/format.ts';
import { movedLines } from '../../output/moved.ts';
import { writeOut } from '../../output/sink.ts';
import { fileOf, makeSetFolder, tornApps, writeManifest } from '../../places/backup-set.ts';
import {
  addPlaceOption,
  atEach,
  codeOf,
  outcomeLines,
  placesOf,
  prefixOf,
  resultsOf,
  viewOf,
} from '../../places/each.ts';
import { serveFolder } from '../../serve-folder.ts';
import type { BackupSources, DatabaseSources, Surroundings, WrittenBackup } from '../../surroundings.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';

/** As commander gives them. */
export interface DatabaseOptions {
  readonly data?: string;
  readonly config?: string;
  readonly place?: string;
}

export const addBackup: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('backup')
    .summary('write all data of a running core into one file')
    .description(
      'Writes the whole database of a core, as of one moment, into one compressed file with a checksum; of several places, a file of each into a new folder. The core may run meanwhile. The file holds password hashes, and only its owner may read it; it does not hold the encryption key.',
    )
    .argument('<file>', 'the file to write, or the folder for several places; - for the standard output');
  addDatabaseOptions(addJsonOption(addPlaceOption(command)))
    .addHelpText(
      'after',
      examples(
        `${carryover} backup users.carryover`,
        `${carryover} backup users.carryover --data /var/lib/carryover`,
        `${carryover} backup monday --config config.yaml`,
        `POSTGRESQL_CONNECTION_URI=postgresql://… ${carryover} backup - | ssh elsewhere 'cat > users.carryover'`,
      ),
    )
    .action(action((file: string, options: BackupOptions) => backup(file, options, surroundings)));
};

/** Options for the database: a command that reads or writes all of it connects to the database itself, not to a core. */
export function addDatabaseOptions(command: Command): Command {
  return command
    .option(
      '--data <folder>',
      'data folder of a core with its own PostgreSQL; else POSTGRESQL_CONNECTION_URI names the database',
    )
    .option('--config <file>', 'a config.yaml');
}

interface BackupOptions extends DatabaseOptions {
  readonly json?: boolean;
}

async function backup(file: string, options: BackupOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout } = surroundings;
  const isPiped = file === '-';
  if (isPiped && options.json === true)
    throw new CommandError('--json: the standard output is the backup: name a file', { field: '--json' });
  if (isPiped && stdout.isTTY)
    throw new CommandError('A backup is no text: name a file, or send the standard output to one');
  const sources = await sourcesOf(options, surroundings, isThere);
  const places = placesOf(sources, options.place);
  if (places.length > 1) return backUpPlaces(file, places, sources, options, surroundings);
  const [place] = places;
  const written = await surroundings.backup({
    ...backingUp({ ...sources, place }, surroundings),
    take: (bytes) => writeOut(bytes, isPiped ? undefined : file, surroundings),
  });
  const restore = `${carryover} restore ${quoted(file)} --data NEW-FOLDER`;
  if (options.json === true)
    stdout.write(
      asJson('backup', viewOfBackup(file, written), [
        { command: restore, reason: 'tries that the backup can be read' },
      ]),
    );
  else (isPiped ? surroundings.stderr : stdout).write(`${backedUp(written)}. ${keyLine(keyOf(written))}\n`);
  return exitCodes.ok;
}

/** A file of each, in a folder. */
async function backUpPlaces(
  folder: string,
  places: readonly string[],
  sources: DatabaseSources,
  { json }: BackupOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  if (folder === '-')
    throw new CommandError(
      `There are ${places.length} places, and a file is written of each: name a folder, or one of them with --place`,
      { field: '--place' },
    );
  await makeSetFolder(folder, surroundings);
  const outcomes = await atEach(
    places,
    surroundings,
    (place) =>
      surroundings.backup({
        ...backingUp({ ...sources, place }, surroundings),
        take: (bytes) => writeOut(bytes, fileOf(folder, place), surroundings),
      }),
    outcomeLines(
      surroundings,
      json === true ? undefined : (written, place) => `${prefixOf(place, places)}${backedUp(written)}\n`,
    ),
  );
  await writeManifest(folder, outcomes, surroundings);
  const torn = tornApps(outcomes);
  for (const appId of torn)
    stderr.write(
      `${printable(`The app '${appId}' has its name in the first place, and nothing in its own: it was made, moved or removed meanwhile, or is left half made. Back up again; if it stays, make or remove the app`)}\n`,
    );
  if (json === true)
    stdout.write(
      asJson('backup', {
        folder,
        ...viewOf(outcomes, (written, place) => viewOfBackup(fileOf(folder, place), written)),
        tornApps: torn,
      }),
    );
  else if (resultsOf(outcomes).length > 0) stdout.write(`${keyLine(keyOf({ dataDir: undefined }))}\n`);
  return codeOf(outcomes, torn.length === 0 ? exitCodes.ok : exitCodes.rejects);
}

function backingUp(sources: DatabaseSources, { stderr, now }: Surroundings): Omit<BackupSources, 'take'> {
  return {
    ...sources,
    now: now(),
    note: (line) => void stderr.write(`${line}\n`),
    onMoved: movedLines(stderr, now),
  };
}

function backedUp({ rows, version }: WrittenBackup): string {
  return `Backed up: ${plural(rows.get('users') ?? 0, 'login method')}, and all else, at version ${version}`;
}

function viewOfBackup(file: string, written: WrittenBackup): object {
  const { version, rows } = written;
  return { file, version, rows: Object.fromEntries(rows), key: keyOf(written) };
}

/** What opens sealed data. */
function keyOf({ dataDir }: Pick<WrittenBackup, 'dataDir'>): string {
  return dataDir === undefined ? 'encryption_keys' : path.join(dataDir, 'encryption-key');
}

function keyLine(key: string): string {
  return `Store ${key} too, in another place: without it nothing that is sealed can be read`;
}

/**
 * The settings that name the database. Without any, the data is in ./data or that of `carryover serve`.
 * @param fits whether a folder is suitable
 */
export async function sourcesOf(
  { data, config }: DatabaseOptions,
  { environment, folder, stderr, ...rest }: Surroundings,
  fits: (dataDir: string) => Promise<boolean>,
): Promise<DatabaseSources> {
  const file = config && path.resolve(folder, config);
  const isSet = (name: string): boolean => Boolean(environment[name]);
  const isElsewhere = ['POSTGRESQL_CONNECTION_URI', 'POSTGRESQL_CONNECTION_URI_FILE', 'DATA_DIR'].some(isSet);
  if (data !== undefined)
    return { file, environment: { ...environment, DATA_DIR: path.resolve(folder, data) } };
  if (config !== undefined || isElsewhere) return { file, environment };
  const own = serveFolder({ environment, ...rest });
  const inFolder = path.join(folder, 'data');
  const dataDir = (await fits(inFolder)) ? inFolder : own;
  stderr.write(`Data folder: ${dataDir} (--data names another)\n`);
  return { file, environment: { ...environment, DATA_DIR: dataDir } };
}

function isThere(dataDir: string): Promise<boolean> {
  return access(path.join(dataDir, 'postgres')).then(
    () => true,
    () => false,
  );
}
