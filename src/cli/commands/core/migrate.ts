import path from 'node:path';
import { carryover } from '../../../process/called.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../../confirm/confirm.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { asJson } from '../../output/answer.ts';
import { printable } from '../../output/format.ts';
import {
  addPlaceOption,
  answerOf,
  atEach,
  codeOf,
  outcomeLines,
  placesOf,
  prefixOf,
  reasonLine,
  resultsOf,
  viewOf,
} from '../../places/each.ts';
import type { DatabaseSources, MigratedDatabase, Surroundings } from '../../surroundings.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';

interface MigrateOptions extends ConfirmOptions {
  readonly config?: string;
  readonly place?: string;
  readonly grantTo?: string;
  readonly printSql?: boolean;
  readonly json?: boolean;
}

export const addMigrate: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('migrate')
    .summary('update the tables of your PostgreSQL to this version')
    .description(
      "Creates or changes the core's tables in the database of POSTGRESQL_CONNECTION_URI and in all places of the settings, each in one transaction, and starts no core. Use it where the core's own role may not change tables.",
    )
    .option('--grant-to <role>', 'role of the cores, which is granted what it needs')
    .option(
      '--print-sql',
      'print the SQL and run none of it; without POSTGRESQL_CONNECTION_URI that of a new database',
    )
    .option('--config <file>', 'a config.yaml');
  addJsonOption(addYesOption(addPlaceOption(command)))
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
  const places = placesOf(sources, options.place);
  if (options.printSql === true) return printSql(sources, places, options, surroundings);
  if (options.yes !== true) await ask(sources, places, options, surroundings);
  const inWords = ({ applied, version }: MigratedDatabase, place: string): string => {
    const done = applied.length === 0 ? 'nothing to change' : `applied ${spanOf(applied)}`;
    const lines = [
      `The database is at version ${version}: ${done}`,
      ...(grantTo === undefined ? [] : [`Granted to ${grantTo}: all that a core needs`]),
    ];
    return lines.map((line) => `${prefixOf(place, places)}${line}\n`).join('');
  };
  const outcomes = await atEach(
    places,
    surroundings,
    (place) => surroundings.migrate({ ...sources, place, grantTo }),
    outcomeLines(surroundings, json === true ? undefined : inWords),
  );
  if (json === true)
    stdout.write(answerOf('migrate', outcomes, (migrated) => ({ ...migrated, grantedTo: grantTo })));
  return codeOf(outcomes);
}

/** If there is nothing to change, it does not ask. */
async function ask(
  sources: DatabaseSources,
  places: readonly string[],
  options: MigrateOptions,
  surroundings: Surroundings,
): Promise<void> {
  const { environment } = surroundings;
  const isNamed = ['POSTGRESQL_CONNECTION_URI', 'POSTGRESQL_CONNECTION_URI_FILE'].some(
    (name) => environment[name],
  );
  // Without a database the migration itself reports the missing setting.
  if (!isNamed && options.config === undefined) return;
  const { grantTo } = options;
  const foreseen = await atEach(places, surroundings, (place) =>
    surroundings.foreseeMigration({ ...sources, place }),
  );
  const isPending = resultsOf(foreseen).some(({ versions }) => versions.length > 0);
  if (!isPending && grantTo === undefined) return;
  const lines = [
    ...foreseen.flatMap((outcome) => {
      if ('reason' in outcome) return [reasonLine(outcome)];
      const { versions, version } = outcome.result;
      const would = `Would bring the database to version ${version}: would apply ${spanOf(versions)}`;
      return versions.length === 0 ? [] : [`${prefixOf(outcome.place, places)}${would}`];
    }),
    ...(grantTo === undefined ? [] : [`Would grant to ${printable(grantTo)} all that a core needs`]),
  ];
  const view = viewOf(foreseen, ({ versions, version }) => ({ applies: versions, version }));
  await confirm({ lines, would: { ...view, grantsTo: grantTo } }, options, surroundings);
}

async function printSql(
  sources: DatabaseSources,
  [place, ...others]: readonly string[],
  { json }: MigrateOptions,
  { foreseeMigration, stdout, stderr }: Surroundings,
): Promise<ExitCode> {
  if (others.length > 0)
    throw new CommandError('--print-sql: the SQL is that of one database: name a place with --place', {
      field: '--place',
    });
  const { versions, version, sql } = await foreseeMigration({ ...sources, place });
  if (json === true) stdout.write(asJson('migrate', { pending: versions, version, sql }));
  else if (versions.length === 0) stderr.write(`The database is at version ${version}: nothing to change\n`);
  else stdout.write(sql);
  return exitCodes.ok;
}

function spanOf(versions: readonly number[]): string {
  const [first = 0, last = first] = [versions[0], versions.at(-1)];
  return first === last ? String(first) : `${first} to ${last}`;
}
