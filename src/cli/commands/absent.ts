import { carryover } from '../../process/called.ts';
import type { AbsentUser } from '../../imports/absence.ts';
import { type AddCommand, examples, addJsonOption, addSampleOption } from './command.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { printable } from '../output/format.ts';
import { type SampleOptions, sampled } from '../output/mask.ts';
import { addServerOptions, type ServerOptions, withImport } from '../client/server.ts';
import type { Surroundings } from '../surroundings.ts';

interface AbsentOptions extends ServerOptions, SampleOptions {
  readonly json?: boolean;
}

/** `absent`: users that the source of an import no longer has. */
export const addAbsent: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('absent')
    .summary('list users who are missing in a whole export')
    .description(
      'Lists users of earlier imports of the same source who are not in the file of this one, and what was done with them (import --absent).',
    )
    .argument('<job>', 'id of the import, as carryover jobs lists it');
  addServerOptions(addSampleOption(addJsonOption(command)))
    .addHelpText('after', examples(`${carryover} absent 0198c0de-…`, `${carryover} absent 0198c0de-… --json`))
    .action(action((id: string, options: AbsentOptions) => list(id, options, surroundings)));
};

/** Written as they arrive: there may be many. With --json one object a line, and the total last. */
async function list(id: string, options: AbsentOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const show = sampled(options);
  let count = 0;
  await withImport(id, options, surroundings, async ({ client }) => {
    for await (const user of client.absentUsers(id, interrupt)) {
      count++;
      const shown = { ...user, userId: show(user.userId) };
      stdout.write(
        options.json ? `${JSON.stringify({ type: 'absent user', ...shown })}\n` : described(shown),
      );
    }
  });
  if (options.json) stdout.write(asJson('absent', { job: id, count }));
  else if (count === 0) stdout.write('No user is absent\n');
  if (count > 0 && options.showSamples !== true && !options.json)
    surroundings.stderr.write('Emails and ids are masked: --show-samples shows them\n');
  return exitCodes.ok;
}

function described({ userId, signedInSince, done }: AbsentUser): string {
  return `${printable(userId)}: ${done}${signedInSince ? ' (signed in here since the import before)' : ''}\n`;
}
