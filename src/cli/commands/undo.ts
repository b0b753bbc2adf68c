import { carryover } from '../../process/called.ts';
import { type AddCommand, examples, addJsonOption } from './command.ts';
import type { UndoView } from '../client/core-client.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { plural, printable } from '../output/format.ts';
import { addServerOptions, flagsFor, type ServerOptions, withCore } from '../client/server.ts';
import type { Surroundings } from '../surroundings.ts';

interface UndoOptions extends ServerOptions {
  readonly force?: boolean;
  readonly json?: boolean;
}

const shownUsers = 20;

export const addUndo: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('undo')
    .summary('take an import back')
    .description(
      'Removes the users that an import created and puts back what it replaced. Users who signed in since are left and listed.',
    )
    .argument('<job>', 'id of the import: carryover jobs lists them')
    .option('--force', 'also those who signed in since');
  addServerOptions(addJsonOption(command))
    .addHelpText('after', examples(`${carryover} undo 0198c0de-…`))
    .action(action((id: string, options: UndoOptions) => undo(id, options, surroundings)));
};

async function undo(id: string, options: UndoOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const { force = false, json } = options;
  const { flags, removed, restored, left } = await withCore(
    options,
    surroundings,
    async ({ client, server }) => ({
      ...(await client.undo(id, force, interrupt)),
      flags: flagsFor(server),
    }),
  );
  const view = { removed, restored, left };
  stdout.write(json ? `${JSON.stringify({ status: 'OK', ...view })}\n` : description(`${id}${flags}`, view));
  return left.length > 0 ? exitCodes.rejects : exitCodes.ok;
}

/** @param job its id, and what finds its core */
function description(job: string, { removed, restored, left }: UndoView): string {
  const lines = [`Undone: ${plural(removed, 'user')} removed, ${plural(restored, 'user')} put back`];
  if (left.length > 0)
    lines.push(
      `Left: ${plural(left.length, 'user')}`,
      ...left
        .slice(0, shownUsers)
        .map(({ userId, reason }) => `  ${printable(userId)}: ${printable(reason)}`),
      ...(left.length > shownUsers
        ? [`  and ${plural(left.length - shownUsers, 'more user')}: --json lists all`]
        : []),
      `To undo these too: ${carryover} undo ${job} --force`,
    );
  return `${lines.join('\n')}\n`;
}
