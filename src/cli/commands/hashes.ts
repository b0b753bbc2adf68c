import { InvalidArgumentError, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { type AddCommand, examples, addJsonOption, addSampleOption } from './command.ts';
import type { HashReportView } from '../client/views.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { addServerOptions, type ServerOptions, withCore } from '../client/server.ts';
import type { Surroundings } from '../surroundings.ts';
import { costText } from '../../hashes/kind.ts';
import { asJson } from '../output/answer.ts';
import { count, moment, plural, printable, table } from '../output/format.ts';
import { type SampleOptions, sampled } from '../output/mask.ts';
import { kindTitle } from '../output/passwords.ts';

interface HashesOptions extends ServerOptions, SampleOptions {
  readonly days?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** `hashes`: the stored password hashes of a core, and how many of them were proven. */
export const addHashes: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('hashes')
    .summary('count the password hashes of a core by kind and proof')
    .description(
      'Counts the password hashes of a core by kind and cost, and marks weak ones. Shows how many were replaced at a sign-in, how many active users have signed in with their password, and which users were only ever refused. No hash is shown.',
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
  addServerOptions(addSampleOption(addJsonOption(command)))
    .addHelpText('after', examples(`${carryover} hashes`, `${carryover} hashes --days 7 --json`))
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
  const found: HashReportView = await withCore(options, surroundings, ({ client }) =>
    client.hashReport(asked, interrupt),
  );
  const report = withSamples(found, sampled(options));
  stdout.write(json ? asJson('hashes', report) : hashReportText(report));
  return exitCodes.ok;
}

function withSamples(report: HashReportView, show: (text: string) => string): HashReportView {
  const { activity } = report;
  const mismatches = activity.mismatches.map((each) => ({
    ...each,
    userId: show(each.userId),
    email: show(each.email),
  }));
  return { ...report, activity: { ...activity, mismatches } };
}

type Class = Pick<HashReportView['kinds'][number], 'kind' | 'cost'>;
type Activity = HashReportView['activity'];

/** The report for people. */
function hashReportText(report: HashReportView): string {
  const { users, policy } = report;
  const lines = [
    `${plural(users, 'user')} with a password. New hashes: ${named(policy)}`,
    ...table(rowsOf(report)),
    ...sumsOf(report),
    ...provenOf(report.activity),
    ...mismatchesOf(report.activity),
  ];
  return `${lines.join('\n')}\n`;
}

function rowsOf({ kinds, unreadable, users }: HashReportView): (string | number)[][] {
  const found = kinds.map(({ isWeak, share, ...each }) => [
    `  ${printable(kindTitle(each.kind))}`,
    printable(costText(each.cost)),
    each.users,
    percent(share),
    isWeak ? 'weak' : '',
  ]);
  const others = [
    ['  unreadable', '', unreadable, percent(users === 0 ? 0 : unreadable / users), 'no user can sign in'],
  ];
  const rows = [...found, ...(unreadable > 0 ? others : [])];
  return rows.length > 0 ? [['  kind', 'cost', 'users', 'share', ''], ...rows] : [];
}

function sumsOf({ users, weak, belowPolicy, upgraded }: HashReportView): string[] {
  if (users === 0) return [];
  const of = (value: number): string => `${plural(value, 'user')} (${percent(value / users)})`;
  return [
    `Weak: ${of(weak)}`,
    `Weaker than new ones: ${of(belowPolicy)}; replaced at a sign-in so far: ${of(upgraded)}`,
  ];
}

function provenOf({ days, active, proven, share }: Activity): string[] {
  const within = `within ${plural(days, 'day')}`;
  if (active === 0) return [`Proven: no password was checked ${within}`];
  return [`Proven ${within}: ${count(proven)} of ${plural(active, 'active user')} (${percent(share)})`];
}

/** Further ones are listed with --json: a screen is full with these. */
const shownUsers = 20;

function mismatchesOf({ mismatches, more }: Activity): string[] {
  if (mismatches.length === 0) return [];
  const shown = mismatches
    .slice(0, shownUsers)
    .map((each) => [
      `  ${printable(each.userId)}`,
      printable(each.email),
      named(each),
      plural(each.refusals, 'refusal'),
      `last ${moment(each.refusedAt)} UTC`,
    ]);
  const isCut = mismatches.length > shownUsers || more === true;
  return [
    'Only ever refused: the old system and this core disagree about these passwords, or they were mistyped',
    ...table(shown),
    ...(isCut ? ['  and more: --json lists up to --limit of them'] : []),
  ];
}

function named({ kind, cost }: Class): string {
  const text = costText(cost);
  return printable(`${kindTitle(kind)}${text === '' ? '' : ` (${text})`}`);
}

/** `12.5 %` @param share 0 to 1 */
function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
