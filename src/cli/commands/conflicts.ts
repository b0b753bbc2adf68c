import { carryover } from '../../process/called.ts';
import { type AddCommand, examples, addJsonOption } from './command.ts';
import type { ConflictView } from '../client/core-client.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { printable } from '../output/format.ts';
import { addServerOptions, type ServerOptions, withImport } from '../client/server.ts';
import type { Surroundings } from '../surroundings.ts';

interface ConflictsOptions extends ServerOptions {
  readonly json?: boolean;
}

/** `conflicts`: what was changed here and at the source, and what an import did about it. */
export const addConflicts: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('conflicts')
    .summary('list what was changed here and at the source')
    .description(
      'Lists the fields that were changed here and at the source since the import before, with what each side says and what was done.',
    )
    .argument('<job>', 'id of the import: carryover jobs lists them');
  addServerOptions(addJsonOption(command))
    .addHelpText(
      'after',
      examples(`${carryover} conflicts 0198c0de-…`, `${carryover} conflicts 0198c0de-… --json`),
    )
    .action(action((id: string, options: ConflictsOptions) => list(id, options, surroundings)));
};

/** Written as they come: there may be many. */
async function list(id: string, options: ConflictsOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  let count = 0;
  await withImport(id, options, surroundings, async ({ client }) => {
    for await (const conflict of client.conflicts(id, interrupt)) {
      count++;
      stdout.write(options.json ? `${JSON.stringify(conflict)}\n` : described(conflict));
    }
  });
  if (count === 0 && !options.json) stdout.write('No conflicts\n');
  return exitCodes.ok;
}

function described({ line, userId, field, here, source, done }: ConflictView): string {
  const sides = `here: ${printable(here)}; at the source: ${printable(source)}`;
  return `line ${line}: ${printable(userId)}: ${printable(field)} ${done} (${sides})\n`;
}
