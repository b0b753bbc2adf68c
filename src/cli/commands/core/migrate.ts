import path from 'node:path';
import { type AddCommand, examples } from '../command.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import type { Surroundings } from '../../surroundings.ts';

interface MigrateOptions {
  readonly config?: string;
  readonly grantTo?: string;
}

export const addMigrate: AddCommand = (program, { surroundings, action }) => {
  program
    .command('migrate')
    .summary('bring a PostgreSQL of yours to the version of this core')
    .description(
      "Makes or changes the core's tables in the database of POSTGRESQL_CONNECTION_URI, in one transaction, and runs no core. For cores whose own role may not do that.",
    )
    .option('--grant-to <role>', 'the role of the cores: gets what it needs to work with the tables')
    .option('--config <file>', 'a config.yaml')
    .addHelpText(
      'after',
      examples(
        'POSTGRESQL_CONNECTION_URI=postgres://owner@db/app carryover migrate --grant-to carryover_core',
      ),
    )
    .action(action((options: MigrateOptions) => migrate(options, surroundings)));
};

async function migrate({ config, grantTo }: MigrateOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { environment, folder, stdout } = surroundings;
  const file = config && path.resolve(folder, config);
  const { applied, version } = await surroundings.migrate({ file, environment, grantTo });
  const done = applied.length === 0 ? 'nothing to change' : `applied ${spanOf(applied)}`;
  stdout.write(`The database is at version ${version}: ${done}\n`);
  if (grantTo !== undefined) stdout.write(`Granted to ${grantTo}: all that a core needs\n`);
  return exitCodes.ok;
}

function spanOf(versions: readonly number[]): string {
  const [first = 0, last = first] = [versions[0], versions.at(-1)];
  return first === last ? String(first) : `${first} to ${last}`;
}
