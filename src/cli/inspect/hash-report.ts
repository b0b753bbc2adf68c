import { costText } from '../../hashes/assess.ts';
import type { HashReportView } from '../client/core-client.ts';
import { count, moment, plural, printable, table } from '../output/format.ts';

type Class = Pick<HashReportView['kinds'][number], 'kind' | 'cost'>;
type Activity = HashReportView['activity'];

/** The report for people. */
export function hashReportText(report: HashReportView): string {
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
    ...[`  ${printable(each.kind)}`, printable(costText(each.cost)), each.users, percent(share)],
    isWeak ? 'weak' : '',
  ]);
  const others = [
    ['  unreadable', '', unreadable, percent(users === 0 ? 0 : unreadable / users), 'nobody can sign in'],
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
  if (active === 0) return [`Proven: nobody's password was checked ${within}`];
  return [`Proven ${within}: ${count(proven)} of ${plural(active, 'active user')} (${percent(share)})`];
}

/** More are listed with --json: a screen is full with these. */
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
  return printable(`${kind}${text === '' ? '' : ` (${text})`}`);
}

/** `12.5 %` @param share 0 to 1 */
function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
