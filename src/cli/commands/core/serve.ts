import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { type AddCommand, examples } from '../command.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { serveFolder } from '../../serve-folder.ts';
import type { Surroundings } from '../../surroundings.ts';

interface ServeOptions {
  readonly data?: string;
  readonly port?: string;
  readonly config?: string;
}

export const addServe: AddCommand = (program, { surroundings, action }) => {
  program
    .command('serve')
    .summary('run a core here, with its own PostgreSQL')
    .description(
      'Runs a core until Ctrl-C or SIGTERM. Every setting is an environment variable too: POSTGRESQL_CONNECTION_URI for an existing PostgreSQL, API_KEYS, HOST and so on.',
    )
    .option(
      '--data <folder>',
      `where users and the API key are stored (default: ${serveFolder(surroundings)})`,
    )
    .option('--port <port>', 'port to listen on; 0 takes a free one (default: 3567)', parsePort)
    .option('--config <file>', 'a config.yaml; without --data, its data_dir names the data folder')
    .addHelpText('after', examples('carryover serve', 'carryover serve --data ./carryover-data --port 3600'))
    .action(action((options: ServeOptions) => serve(options, surroundings)));
};

async function serve({ data, port, config }: ServeOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { environment, folder, stderr } = surroundings;
  const isSetElsewhere = config !== undefined || Boolean(environment.DATA_DIR);
  const byItself = data === undefined && !isSetElsewhere ? serveFolder(surroundings) : undefined;
  const dataDir = data === undefined ? byItself : path.resolve(folder, data);
  if (byItself !== undefined && !isFolderless(environment))
    stderr.write(`Data folder: ${byItself} (--data names another)\n`);
  await surroundings.serve({
    file: config && path.resolve(folder, config),
    environment: {
      ...environment,
      ...(dataDir !== undefined && { DATA_DIR: dataDir }),
      ...(port !== undefined && { PORT: port }),
    },
  });
  return exitCodes.ok;
}

/** With a database and keys from elsewhere a core writes nothing into a folder. */
function isFolderless(environment: Surroundings['environment']): boolean {
  const isSet = (name: string): boolean => Boolean(environment[name] ?? environment[`${name}_FILE`]);
  return isSet('POSTGRESQL_CONNECTION_URI') && (isSet('API_KEYS') || isSet('NAMED_KEYS'));
}

function parsePort(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError('It takes a number from 0 to 65535.');
}
