import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { carryover } from '../../../process/called.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { quoted } from '../../confirm/exact.ts';
import { asJson } from '../../output/answer.ts';
import { plural } from '../../output/format.ts';
import { movedLines } from '../../output/moved.ts';
import { writeOut } from '../../output/sink.ts';
import { serveFolder } from '../../serve-folder.ts';
import type { DatabaseSources, Surroundings } from '../../surroundings.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';

/** As commander gives them. */
export interface DatabaseOptions {
  readonly data?: string;
  readonly config?: string;
}

export const addBackup: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('backup')
    .summary('write all data of a running core into one file')
    .description(
      'Writes the whole database of a core, as of one moment, into one compressed file with a checksum. The core may run meanwhile. The file holds password hashes, and only its owner may read it; it does not hold the encryption key.',
    )
    .argument('<file>', 'the file to write; - for the standard output');
  addDatabaseOptions(addJsonOption(command))
    .addHelpText(
      'after',
      examples(
        `${carryover} backup users.carryover`,
        `${carryover} backup users.carryover --data /var/lib/carryover`,
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
  const { stdout, stderr, now } = surroundings;
  const isPiped = file === '-';
  if (isPiped && options.json === true)
    throw new CommandError('--json: the standard output is the backup: name a file', { field: '--json' });
  if (isPiped && stdout.isTTY)
    throw new CommandError('A backup is no text: name a file, or send the standard output to one');
  const { rows, version, dataDir } = await surroundings.backup({
    ...(await sourcesOf(options, surroundings, isThere)),
    now: now(),
    note: (line) => void stderr.write(`${line}\n`),
    onMoved: movedLines(stderr, now),
    take: (bytes) => writeOut(bytes, isPiped ? undefined : file, surroundings),
  });
  const users = plural(rows.get('users') ?? 0, 'login method');
  const key = dataDir === undefined ? 'encryption_keys' : path.join(dataDir, 'encryption-key');
  const report = { file, version, rows: Object.fromEntries(rows), key };
  const restore = `${carryover} restore ${quoted(file)} --data NEW-FOLDER`;
  if (options.json === true)
    stdout.write(
      asJson('backup', report, [{ command: restore, reason: 'tries that the backup can be read' }]),
    );
  else
    (isPiped ? stderr : stdout).write(
      `Backed up: ${users}, and all else, at version ${version}. Store ${key} too, in another place: without it nothing that is sealed can be read\n`,
    );
  return exitCodes.ok;
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
