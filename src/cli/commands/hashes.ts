import { InvalidArgumentError, Option } from 'commander';
import { type AddCommand, examples } from '../command.ts';
import type { HashReportView } from '../client/core-client.ts';
import { type ExitCode, exitCodes } from '../failure.ts';
import { hashReportText } from '../inspect/hash-report.ts';
import { addServerOptions, type ServerOptions, withCore } from '../client/server.ts';
import { addJsonOption } from '../shared-options.ts';
import type { Surroundings } from '../surroundings.ts';

interface HashesOptions extends ServerOptions {
  readonly days?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** `hashes`: what a core has stored of passwords, and how many of them were proven. */
export const addHashes: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('hashes')
    .summary('count the password hashes of a core by kind, and what was proven')
    .description(
      'Counts the password hashes of a core by kind and cost, marks weak ones, and says how many were replaced at a sign-in, how many active users have proven their password, and whose was only ever refused. No hash is shown.',
    )
    .addOption(
      new Option('--days <number>', 'how far back users count as active; left out: 30').argParser(
        wholeNumber(3650),
      ),
    )
    .addOption(
      new Option(
        '--limit <number>',
        'how many users to list whose password was only refused; left out: 100',
      ).argParser(wholeNumber(500)),
    );
  addServerOptions(addJsonOption(command))
    .addHelpText('after', examples('npx --no carryover hashes', 'npx --no carryover hashes --days 7 --json'))
    .action(action((options: HashesOptions) => showHashes(options, surroundings)));
};

function wholeNumber(most: number): (text: string) => string {
  return (text) => {
    if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return text;
    throw new InvalidArgumentError(`It takes a whole number from 1 to ${most}.`);
  };
}

async function showHashes(options: HashesOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const { days, limit, json } = options;
  const asked = { ...(days !== undefined && { days }), ...(limit !== undefined && { limit }) };
  const report: HashReportView = await withCore(options, surroundings, ({ client }) =>
    client.hashReport(asked, interrupt),
  );
  stdout.write(json ? `${JSON.stringify(report)}\n` : hashReportText(report));
  return exitCodes.ok;
}
