/** The reasons against a step: pure functions of what the tables hold. */
import type { Lease, MoveEvent, MoveFacts, Objection, ReportKind, Role, Standing } from './model.ts';
import { leastUsersBefore } from './refusals.ts';

/** A comparison, and a report of the way back, is worth nothing after a day of changes on both sides. */
export const reportMaxAgeMs = 86_400_000;
/** Greatest lag at which a share may begin or grow: users of the old system wait for their changes no longer than a minute. */
export const maxLagMs = 60_000;

/** @param refusedBefore the known part of users who are refused without a fault @returns an empty list if nothing is in the way */
export function objectionsTo(
  to: Standing,
  facts: MoveFacts,
  refusedBefore: number | undefined,
): readonly Objection[] {
  const { move } = facts;
  if (to.stage === 'following' && move.stage === 'rehearsing') return againstFollowing(facts);
  if (to.stage === 'leading' && to.share > move.share) return againstShare(facts, refusedBefore);
  if (to.stage === 'closed' && to.share > 0) return againstClosing(facts);
  if (to.stage === 'rehearsing' || to.stage === 'closed') return againstLeaving(facts);
  return [];
}

/** After a return from the stage leading, what happened here has to reach the old system before the process that writes it ends. */
function againstLeaving({ move, round, leases, waiting }: MoveFacts): Objection[] {
  // By files the journal alone knows.
  const reported = leases['write-back']?.lagRecords ?? (move.source.address === undefined ? 0 : undefined);
  const noted = waiting.users + waiting.conflicts;
  if (round === undefined || (reported === 0 && noted === 0)) return [];
  const left = reported === undefined && noted === 0 ? undefined : Math.max(reported ?? 0, noted);
  return [
    {
      code: 'NOT_WRITTEN_BACK',
      message: `${left ?? 'An unknown number of'} changes of users who signed in here are not in the old system yet`,
      cure: 'Let the process that writes back run until nothing is left: the status shows it',
    },
  ];
}

function againstFollowing({ reports }: MoveFacts): Objection[] {
  const planned =
    reports.plan === undefined
      ? [
          {
            code: 'PLAN_MISSING',
            message: 'The rehearsal has no plan',
            cure: "Run 'carryover plan --json' with the export, and give its output to 'carryover move record'",
          },
        ]
      : [];
  return planned.concat(againstCanaries(reports.canaries));
}

function againstShare(facts: MoveFacts, refusedBefore: number | undefined): Objection[] {
  const { move, reports, now } = facts;
  return [
    againstCanaries(reports.canaries),
    againstDifferences(reports.comparison, now),
    againstWayBack(reports['way-back'], now),
    againstFollower(facts),
    move.stage === 'leading' ? againstWriter(facts) : againstNoTest(refusedBefore),
  ].flat();
}

/**
 * Users of an old system without a database come and go by files, which no process has to bring: the comparison shows that the last
 * file is here. A process of the app's own that has claimed the lease is held to it.
 */
function againstFollower({ move, leases }: MoveFacts): Objection[] {
  const isByFiles = move.source.address === undefined && leases.follow === undefined;
  return isByFiles ? [] : againstLease('follow', leases.follow);
}

function againstWriter({ move, leases, waiting, now }: MoveFacts): Objection[] {
  const lease = leases['write-back'];
  if (move.source.address !== undefined || lease?.isHeld === true) return againstLease('write-back', lease);
  if (waiting.since === null || now - waiting.since <= reportMaxAgeMs) return [];
  return [
    {
      code: 'WRITER_LAG',
      message: 'What changed here more than a day ago is not in the old system yet',
      cure: "Write it with 'carryover export --as', import it there, and record that with 'carryover move record'",
    },
  ];
}

function againstClosing({ move, reports, now }: MoveFacts): Objection[] {
  const isWhole = move.stage === 'leading' && move.share === 100;
  return isWhole
    ? againstDifferences(reports.comparison, now)
    : [
        {
          code: 'SHARE_NOT_WHOLE',
          message: 'Some users still sign in at the old system',
          cure: "Let all of them sign in here first ('carryover move next --share 100'), or end the move without that ('carryover move close --abandon')",
        },
      ];
}

function againstCanaries(canaries: MoveEvent | undefined): Objection[] {
  const failed = numberOf(canaries, 'failed');
  if (failed === 0) return [];
  return [
    {
      code: 'CANARIES_FAILED',
      message: `${failed} known passwords failed`,
      cure: "Find out why with 'carryover doctor', import again, and verify the canaries again",
    },
  ];
}

function againstDifferences(comparison: MoveEvent | undefined, now: number): Objection[] {
  const cure = 'Compare both systems, and record the result';
  const unexplained = numberOf(comparison, 'unexplained');
  const age = againstAge('comparison', comparison, { now, cure });
  if (unexplained === 0) return age;
  const message = `${unexplained} differences between both systems are not settled`;
  return age.concat({ code: 'DIFFERENCES', message, cure: 'Settle them, and compare again' });
}

function againstWayBack(report: MoveEvent | undefined, now: number): Objection[] {
  const cure =
    "Examine the way back ('carryover write-back --check --json'), and give its output to 'carryover move record'";
  const without = numberOf(report, 'without');
  const age = againstAge('way-back', report, { now, cure });
  if (without === 0) return age;
  const why = Object.entries((report?.figures.why ?? {}) as Readonly<Record<string, number>>)
    .toSorted(([, one], [, other]) => other - one)
    .map(([code, users]) => `${code}: ${users}`)
    .join(', ');
  const message = `${without} users have no way back to the old system${why === '' ? '' : ` (${why})`}`;
  return age.concat({ code: 'NO_WAY_BACK', message, cure: 'Give them one, and examine the way back again' });
}

const names = { comparison: 'comparison of both systems', 'way-back': 'report of the way back' } as const;
const codes = { comparison: 'COMPARISON', 'way-back': 'WAY_BACK' } as const;

function againstAge(
  kind: Extract<ReportKind, keyof typeof names>,
  report: MoveEvent | undefined,
  { now, cure }: { readonly now: number; readonly cure: string },
): Objection[] {
  if (report === undefined)
    return [{ code: `${codes[kind]}_MISSING`, message: `There is no ${names[kind]}`, cure }];
  // A comparison is as old as its beginning.
  const begunAt = report.at - numberOf(report, 'tookMs');
  if (now - begunAt <= reportMaxAgeMs) return [];
  return [{ code: `${codes[kind]}_STALE`, message: `The ${names[kind]} is older than a day`, cure }];
}

const processes = {
  follow: { code: 'FOLLOWER', name: 'follower of the old system' },
  'write-back': { code: 'WRITER', name: 'process that writes back to the old system' },
} as const satisfies Record<Role, object>;

function againstLease(role: Role, lease: Lease | undefined): Objection[] {
  const { code, name } = processes[role];
  const wait = `Wait until it is below ${maxLagMs / 1000} s: the status shows it`;
  if (lease?.isHeld !== true)
    return [
      { code: `${code}_MISSING`, message: `No ${name} is running`, cure: 'Start it, and leave it running' },
    ];
  if (lease.lagMs === undefined)
    return [{ code: `${code}_LAG_UNKNOWN`, message: `The lag of the ${name} is not known yet`, cure: wait }];
  if (lease.lagMs <= maxLagMs) return [];
  const message = `The ${name} is ${Math.ceil(lease.lagMs / 1000)} s late`;
  return [{ code: `${code}_LAG`, message, cure: wait }];
}

function againstNoTest(refusedBefore: number | undefined): Objection[] {
  if (refusedBefore !== undefined) return [];
  return [
    {
      code: 'REFUSALS_UNKNOWN',
      message: 'It is not known how many users were refused before, so a fault could not be seen',
      cure: `Report the sign-ins of ${leastUsersBefore} users at the old system (POST /move/sign-ins), or state the percentage of users who give two wrong passwords in a row ('--refused-before')`,
    },
  ];
}

function numberOf(report: MoveEvent | undefined, name: string): number {
  const value = report?.figures[name];
  return typeof value === 'number' ? value : 0;
}
