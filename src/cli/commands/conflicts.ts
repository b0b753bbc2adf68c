import { carryover } from '../../process/called.ts';
import { type AddCommand, examples, addJsonOption, addSampleOption } from './command.ts';
import type { ConflictView } from '../client/views.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { printable } from '../output/format.ts';
import { type SampleOptions, sampled } from '../output/mask.ts';
import { addServerOptions, type ServerOptions, withImport } from '../client/server.ts';
import type { Surroundings } from '../surroundings.ts';

interface ConflictsOptions extends ServerOptions, SampleOptions {
  readonly json?: boolean;
}

/** `conflicts`: fields changed here and at the source, and how an import resolved them. */
export const addConflicts: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('conflicts')
    .summary('list what was changed both here and at the source')
    .description(
      'Lists the fields that were changed both here and at the source since the previous import, with both values and what the import did.',
    )
    .argument('<job>', 'id of the import, as carryover jobs lists it');
  addServerOptions(addSampleOption(addJsonOption(command)))
    .addHelpText(
      'after',
      examples(`${carryover} conflicts 0198c0de-…`, `${carryover} conflicts 0198c0de-… --json`),
    )
    .action(action((id: string, options: ConflictsOptions) => list(id, options, surroundings)));
};

/** Written as they arrive: there may be many. With --json one object a line, and the total last. */
async function list(id: string, options: ConflictsOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const show = sampled(options);
  let count = 0;
  await withImport(id, options, surroundings, async ({ client }) => {
    for await (const conflict of client.conflicts(id, interrupt)) {
      count++;
      const shown = withSamples(conflict, show);
      stdout.write(options.json ? `${JSON.stringify({ type: 'conflict', ...shown })}\n` : described(shown));
    }
  });
  if (options.json) stdout.write(asJson('conflicts', { job: id, count }));
  else if (count === 0) stdout.write('No conflicts\n');
  if (count > 0 && options.showSamples !== true && !options.json)
    surroundings.stderr.write('Emails and ids are masked: --show-samples shows them\n');
  return exitCodes.ok;
}

/** The values of these are personal. Of a password only its date is shown. */
const personal: ReadonlySet<ConflictView['group']> = new Set(['email', 'phone', 'social', 'metadata']);

function withSamples(conflict: ConflictView, show: (text: string) => string): ConflictView {
  const { userId, externalUserId, group, field, here, source } = conflict;
  const side = (text: string): string => (text === 'none' ? text : show(text));
  const isPersonal = personal.has(group) && !field.endsWith('isVerified');
  const sides = isPersonal ? { here: side(here), source: side(source) } : {};
  return {
    ...conflict,
    userId: show(userId),
    ...(externalUserId !== undefined && { externalUserId: show(externalUserId) }),
    ...sides,
  };
}

function described({ line, userId, field, here, source, done }: ConflictView): string {
  const sides = `here: ${printable(here)}; at the source: ${printable(source)}`;
  return `line ${line}: ${printable(userId)}: ${printable(field)} ${done} (${sides})\n`;
}
