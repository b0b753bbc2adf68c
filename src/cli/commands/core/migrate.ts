import path from 'node:path';
import { carryover } from '../../../process/called.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../../confirm/confirm.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { asJson } from '../../output/answer.ts';
import { printable } from '../../output/format.ts';
import type { DatabaseSources, Surroundings } from '../../surroundings.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';

interface MigrateOptions extends ConfirmOptions {
  readonly config?: string;
  readonly grantTo?: string;
  readonly printSql?: boolean;
  readonly json?: boolean;
}

export const addMigrate: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('migrate')
    .summary('update the tables of your PostgreSQL to this version')
    .description(
      "Creates or changes the core's tables in the database of POSTGRESQL_CONNECTION_URI, in one transaction, and starts no core. Use it where the core's own role may not change tables.",
    )
    .option('--grant-to <role>', 'role of the cores, which is granted what it needs')
    .option(
      '--print-sql',
      'print the SQL and run none of it; without POSTGRESQL_CONNECTION_URI that of a new database',
    )
    .option('--config <file>', 'a config.yaml');
  addJsonOption(addYesOption(command))
    .addHelpText(
      'after',
      examples(
        `POSTGRESQL_CONNECTION_URI=postgres://owner@db/app ${carryover} migrate --grant-to carryover_core --yes`,
        `${carryover} migrate --print-sql > carryover.sql`,
      ),
    )
    .action(action((options: MigrateOptions) => migrate(options, surroundings)));
};

async function migrate(options: MigrateOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { environment, folder, stdout } = surroundings;
  const { config, grantTo, json } = options;
  const sources = { file: config && path.resolve(folder, config), environment };
  if (options.printSql === true) return printSql(sources, options, surroundings);
  if (options.yes !== true) await ask(sources, options, surroundings);
  const { applied, version } = await surroundings.migrate({ ...sources, grantTo });
  if (json === true) {
    stdout.write(asJson('migrate', { applied, version, grantedTo: grantTo }));
    return exitCodes.ok;
  }
  const done = applied.length === 0 ? 'nothing to change' : `applied ${spanOf(applied)}`;
  stdout.write(`The database is at version ${version}: ${done}\n`);
  if (grantTo !== undefined) stdout.write(`Granted to ${grantTo}: all that a core needs\n`);
  return exitCodes.ok;
}

/** If there is nothing to change, it does not ask. */
async function ask(
  sources: DatabaseSources,
  options: MigrateOptions,
  surroundings: Surroundings,
): Promise<void> {
  const { environment } = surroundings;
  const isNamed = ['POSTGRESQL_CONNECTION_URI', 'POSTGRESQL_CONNECTION_URI_FILE'].some(
    (name) => environment[name],
  );
  // Without a database the migration itself reports the missing setting.
  if (!isNamed && options.config === undefined) return;
  const { versions, version } = await surroundings.foreseeMigration(sources);
  const { grantTo } = options;
  if (versions.length === 0 && grantTo === undefined) return;
  const lines = [
    ...(versions.length > 0
      ? [`Would bring the database to version ${version}: would apply ${spanOf(versions)}`]
      : []),
    ...(grantTo === undefined ? [] : [`Would grant to ${printable(grantTo)} all that a core needs`]),
  ];
  await confirm({ lines, would: { applies: versions, version, grantsTo: grantTo } }, options, surroundings);
}

async function printSql(
  sources: DatabaseSources,
  { json }: MigrateOptions,
  { foreseeMigration, stdout, stderr }: Surroundings,
): Promise<ExitCode> {
  const { versions, version, sql } = await foreseeMigration(sources);
  if (json === true) stdout.write(asJson('migrate', { pending: versions, version, sql }));
  else if (versions.length === 0) stderr.write(`The database is at version ${version}: nothing to change\n`);
  else stdout.write(sql);
  return exitCodes.ok;
}

function spanOf(versions: readonly number[]): string {
  const [first = 0, last = first] = [versions[0], versions.at(-1)];
  return first === last ? String(first) : `${first} to ${last}`;
}
