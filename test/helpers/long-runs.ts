/**
 * Tests of random faults and histories: a few in `npm run test:all`, many with `npm run faults`. Each reads a separate variable,
 * so that one can also be run alone for any time.
 */
export interface LongRun {
  readonly name: string;
  readonly file: string;
  readonly variable: string;
  /** The counted unit, in words. */
  readonly what: string;
  /** The number in `npm run test:all`. */
  readonly usual: number;
  /** The number in `npm run faults`. */
  readonly long: number;
}

export const longRuns = {
  importCrash: {
    name: 'import-crash',
    file: 'test/process/import-crash.long.test.ts',
    variable: 'CRASH_POINTS',
    what: 'kills of a core in the middle of imports',
    usual: 12,
    long: 300,
  },
  groupCrash: {
    name: 'group-crash',
    file: 'test/process/group-crash.long.test.ts',
    variable: 'CRASH_POINTS',
    what: 'kills of three cores that import one file, and of its sender',
    usual: 12,
    long: 300,
  },
  sessionCrash: {
    name: 'session-crash',
    file: 'test/process/session-crash.long.test.ts',
    variable: 'CRASH_POINTS',
    what: 'kills of a core while clients refresh and use sessions',
    usual: 12,
    long: 300,
  },
  accountHistories: {
    name: 'account-histories',
    file: 'test/http/account-histories.long.test.ts',
    variable: 'CARRYOVER_HISTORIES',
    what: 'random histories of three accounts with an attacker',
    usual: 40,
    long: 1200,
  },
  twoVersions: {
    name: 'two-versions',
    file: 'test/http/two-versions.long.test.ts',
    variable: 'CARRYOVER_TWO_VERSIONS',
    what: 'random days of two apps with different driver versions on one core',
    usual: 8,
    long: 100,
  },
  manyCores: {
    name: 'many-cores',
    file: 'test/process/many-cores-histories.long.test.ts',
    variable: 'CARRYOVER_MANY_CORES',
    what: 'faults of three cores and their database under sign-ups, sessions, tokens and guesses',
    usual: 12,
    long: 300,
  },
  moves: {
    name: 'moves',
    file: 'test/places/walk.long.test.ts',
    variable: 'CARRYOVER_MOVES',
    what: 'moves of apps between three places, with kills and cuts of the command, cores and databases',
    usual: 6,
    long: 100,
  },
  wholeMove: {
    name: 'whole-move',
    file: 'test/cli/whole-move.long.test.ts',
    variable: 'CARRYOVER_PEOPLE',
    what: 'people who sign in, sign up, reset and leave during a whole move',
    usual: 60,
    long: 1000,
  },
  follow: {
    name: 'follow',
    file: 'test/cli/follow-walk.long.test.ts',
    variable: 'CARRYOVER_FOLLOW',
    what: 'kills of a follower and a core while an old system changes users',
    usual: 4,
    long: 100,
  },
  /** Needs patroni and etcd-server of Debian, which CI does not install, and two minutes. */
  patroni: {
    name: 'patroni',
    file: 'test/examples/patroni.long.test.ts',
    variable: 'CARRYOVER_PATRONI',
    what: 'cluster of Patroni that loses its primary, is switched over and cut off from etcd',
    usual: 0,
    long: 1,
  },
  knownLines: {
    name: 'known-lines',
    file: 'test/imports/known-lines.test.ts',
    variable: 'HISTORIES',
    what: 'random sequences of files of one source',
    usual: 4,
    long: 60,
  },
  swappedEmails: {
    name: 'swapped-emails',
    file: 'test/imports/swapped-emails.test.ts',
    variable: 'SWAPS',
    what: 'random exchanges of emails within a file',
    usual: 8,
    long: 120,
  },
} as const satisfies Readonly<Record<string, LongRun>>;

/** The number for this process. */
export function countOf({ variable, usual }: LongRun): number {
  return Number(process.env[variable] ?? usual);
}
