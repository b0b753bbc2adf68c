/** What the console's pages and its routes agree on. */

/** Of the pages, and what they ask for. */
export const path = '/console';
/** Of most routes. */
export const common = { scope: 'app', tag: 'Console' } as const;

/** The name of the cookie that holds a session. */
export const cookieName = 'carryover_console';

/** A file that was uploaded for a run, or that a run read from a database. */
export interface StagedFile {
  readonly id: string;
  readonly name: string;
  /** Bytes that have arrived. */
  readonly offset: number;
  /** Bytes of the whole; undefined while a run writes it. */
  readonly size: number | undefined;
  /** ms since the epoch */
  readonly at: number;
}

export const runKinds = [
  'inspect',
  'propose',
  'doctor',
  'plan',
  'dry-run',
  'import',
  'compare',
  'read-database',
] as const;
export type RunKind = (typeof runKinds)[number];

/** A command that the core runs for the console. */
export interface Run {
  readonly id: string;
  readonly kind: RunKind;
  /** Names of its files, or the address without user and password. */
  readonly subject: readonly string[];
  /** As it was begun, without secrets: a later run goes on from it. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly state: 'waiting' | 'running' | 'ended';
  /** The key or the operator who began it. */
  readonly by: string;
  /** ms since the epoch */
  readonly at: number;
  readonly endedAt: number | undefined;
  /** As the command's: 0 done, 1 done but some records were not imported, 2 refused, 130 interrupted. */
  readonly exitCode: number | undefined;
  /** The end of what it printed for people. */
  readonly said: string;
  /** The one JSON object that it printed. */
  readonly result: unknown;
  /** The import job, as soon as it exists. */
  readonly jobId: string | undefined;
  /** What a run has read from a database. */
  readonly fileId: string | undefined;
  /** The command that does the same. */
  readonly command: string;
}

/** A finding, the gravest first. `stops`: the sign-in is refused; `may`: it may be the reason; `fine`: it works. */
export interface Reason {
  readonly weight: 'stops' | 'may' | 'fine';
  readonly text: string;
  readonly cure: string | undefined;
}

/**
 * Classes of users whose records an import settles, the one that needs a decision most first: a field was changed on both sides, no
 * import has stated it, or it was changed there; or the user is missing here.
 */
export const settledKinds = ['both', 'unknown', 'there', 'missingHere'] as const;
export type SettledKind = (typeof settledKinds)[number];

/** One choice for all users of a class. */
export interface Settled {
  readonly kind: SettledKind | 'all';
  /** As `onConflict` of the import: whose value counts where both sides have one. */
  readonly choice: 'theirs' | 'ours';
}

/** Sign-ins by outcome in five minutes. */
export interface Span {
  /** Its beginning, ms since the epoch. */
  readonly at: number;
  readonly right: number;
  readonly wrong: number;
  readonly restricted: number;
  /** Too many guesses, overload, or an old system or a database that does not answer. */
  readonly refused: number;
}

/** The last day of all cores, also of those that have ended. */
export interface MorningView {
  readonly status: 'OK';
  readonly cores: number;
  /** Cores that report, because their console is on. */
  readonly reporting: number;
  /** ms since the epoch, at most a day ago; left out before the first report. */
  readonly since?: number;
  /** Without a gap, the newest last. */
  readonly spans: readonly Span[];
  /** Tokens of old systems that were to be exchanged for sessions, by outcome. */
  readonly sessionsCarried: Readonly<Record<string, number>>;
}
