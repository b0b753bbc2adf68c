import { carryover } from '../../../process/called.ts';
import { addServerOptions, type ServerOptions, withCore } from '../../client/server.ts';
import { type LegacyReportView, legacyReport } from '../../client/legacy-report.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { asJson } from '../../output/answer.ts';
import { count, moment, printable, table } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type AddCommand, addJsonOption, examples } from '../command.ts';

interface LegacyOptions extends ServerOptions {
  readonly json?: boolean;
}

/** `legacy`: users who have yet to move before an old system can be switched off. */
export const addLegacy: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('legacy')
    .summary('count users whose password only an old system knows')
    .description(
      'Counts the users of an app whose password was not imported yet, by source (legacy_sources) and by their last sign-in here. When none are left, the old system can be switched off.',
    );
  addServerOptions(addJsonOption(command))
    .addHelpText('after', examples(`${carryover} legacy`, `${carryover} legacy --json`))
    .action(action((options: LegacyOptions) => showLegacy(options, surroundings)));
};

async function showLegacy(options: LegacyOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const report = await withCore(options, surroundings, ({ client }) => legacyReport(client, interrupt));
  stdout.write(options.json === true ? asJson('legacy', report) : textOf(report));
  return exitCodes.ok;
}

type Source = LegacyReportView['sources'][number];

function textOf({ sources }: LegacyReportView): string {
  if (sources.length === 0) return 'No old system is asked, and no user is marked for one\n';
  const head = ['source', 'left', 'signed in: 30 days', '90 days', 'earlier', 'never', 'until'];
  return `${table([head, ...sources.map(rowOf)]).join('\n')}\n`;
}

function rowOf({ name, users, within30Days, within90Days, earlier, never, ...rest }: Source): string[] {
  return [printable(name), ...[users, within30Days, within90Days, earlier, never].map(count), stateOf(rest)];
}

function stateOf({ state, until = 0 }: Pick<Source, 'state' | 'until'>): string {
  if (state === 'unknown') return 'not in legacy_sources: these people need a reset';
  return state === 'closed' ? `closed since ${moment(until)}` : moment(until);
}
