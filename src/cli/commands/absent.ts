import { carryover } from '../../process/called.ts';
import type { AbsentUser } from '../../imports/absence.ts';
import { type AddCommand, examples, addJsonOption } from './command.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { printable } from '../output/format.ts';
import { addServerOptions, type ServerOptions, withImport } from '../client/server.ts';
import type { Surroundings } from '../surroundings.ts';

interface AbsentOptions extends ServerOptions {
  readonly json?: boolean;
}

/** `absent`: whom the source of an import does not have any more. */
export const addAbsent: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('absent')
    .summary('list users whom the source does not have any more')
    .description(
      'Lists the users who came by an import of the same source and were not in the file, and what was done with them (import --absent).',
    )
    .argument('<job>', 'id of the import: carryover jobs lists them');
  addServerOptions(addJsonOption(command))
    .addHelpText('after', examples(`${carryover} absent 0198c0de-…`, `${carryover} absent 0198c0de-… --json`))
    .action(action((id: string, options: AbsentOptions) => list(id, options, surroundings)));
};

/** Written as they come: there may be many. */
async function list(id: string, options: AbsentOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  let count = 0;
  await withImport(id, options, surroundings, async ({ client }) => {
    for await (const user of client.absentUsers(id, interrupt)) {
      count++;
      stdout.write(options.json ? `${JSON.stringify(user)}\n` : described(user));
    }
  });
  if (count === 0 && !options.json) stdout.write('Nobody is absent\n');
  return exitCodes.ok;
}

function described({ userId, signedInSince, done }: AbsentUser): string {
  return `${printable(userId)}: ${done}${signedInSince ? ' (signed in here since the import before)' : ''}\n`;
}
