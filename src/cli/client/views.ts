/** The core's answers, as the command reads them. */

import type { ShownCounters } from '../../domain/jobs/job-fields.ts';
import type { CanSignInBy, ShownStates } from '../../domain/jobs/sign-in-states.ts';
import type { AbsentRule } from '../../imports/absence.ts';
import type { Conflict, Counts, Job, SeriesCounts } from '../../imports/model.ts';

type Shown =
  | 'id'
  | 'name'
  | 'state'
  | 'dryRun'
  | 'onConflict'
  | 'secondFactor'
  | 'sameIds'
  | 'bytes'
  | 'byFactor'
  | 'startedAt';

/** A job as the core shows it. An older core lacks the newest counters. */
export interface JobView extends Counts, Pick<Job, Shown>, Partial<ShownCounters> {
  /** Older cores compare nothing. */
  readonly compare?: boolean;
  /** Why it stopped without a request, if it did. */
  readonly cancelReason?: { readonly code: string; readonly message: string } | null;
  readonly idPrefix?: string | null;
  readonly restoreRemoved?: boolean;
  /** Whether the outcome of each line is stored, for a receipt. */
  readonly receipt?: boolean;
  readonly source?: string;
  /** Left out for a job without one, and by older cores. */
  readonly series?: SeriesView;
  readonly lines: number;
  /** Users that an undo has removed or restored; an older core does not count them. */
  readonly undone?: number;
  /** The rule for users that the source no longer has, if one was given. */
  readonly absentAction?: AbsentRule | null;
  /** The users are listed by `absent`. */
  readonly absent?: number | null;
  /** Of N users imported from the source. */
  readonly absentKnown?: number | null;
  /** Of the absent, users who have signed in here since the import before. */
  readonly absentActive?: number | null;
  readonly absentDone?: number | null;
  /** Why the rule was not applied. */
  readonly absentRefused?: { readonly code: string; readonly message: string } | null;
  readonly byKind: Readonly<Record<string, number>>;
  /** Older cores report neither this nor odd dates. */
  readonly byState?: ShownStates;
  readonly canSignInBy?: CanSignInBy;
  /** Of `rejected`: users who were removed here. */
  readonly removedHere?: number;
  readonly finishedAt?: number | null;
  readonly usersPerSecond: number;
  /** ms since the epoch: since then its personal data is deleted. */
  readonly purgedAt?: number | null;
}

interface SeriesView {
  readonly name: string;
  /** The upload had all users of the source. */
  readonly whole: boolean;
}

/** An entry of the list of jobs that stands for a series: its newest job, and the sums of all. */
export interface ListedSeries extends JobView {
  readonly series: SeriesView & Omit<SeriesCounts, 'lastWhole'> & Partial<Pick<SeriesCounts, 'lastWhole'>>;
}

export function isListedSeries(job: JobView): job is ListedSeries {
  return job.series !== undefined && 'jobs' in job.series;
}

export type ConflictView = Omit<Conflict, 'methodId'>;

export interface UndoView {
  readonly removed: number;
  readonly restored: number;
  readonly left: readonly {
    readonly userId: string;
    readonly email?: string | null;
    readonly reason: string;
  }[];
  /** Users held because a second factor could not be restored; cores of earlier versions do not report it. */
  readonly held?: number;
}

interface HashClassView {
  readonly kind: string;
  readonly cost: Readonly<Record<string, number | string>>;
}

/** The core's counts of its hashes. Shares are 0 to 1. */
export interface HashReportView {
  readonly users: number;
  readonly kinds: readonly (HashClassView & {
    readonly users: number;
    readonly share: number;
    readonly isWeak: boolean;
    readonly isBelowPolicy: boolean;
  })[];
  readonly policy: HashClassView;
  readonly upgraded: number;
  readonly belowPolicy: number;
  readonly weak: number;
  readonly unreadable: number;
  readonly activity: {
    readonly days: number;
    readonly active: number;
    readonly proven: number;
    readonly share: number;
    readonly mismatches: readonly (HashClassView & {
      readonly userId: string;
      readonly email: string;
      readonly refusals: number;
      /** ms since the epoch */
      readonly refusedAt: number;
    })[];
    readonly more?: true;
  };
}

/** Number of secrets resealed. */
export interface ResealView {
  readonly signingKeys: number;
  readonly providers: number;
  readonly totpDevices: number;
  readonly images?: number;
  readonly records?: number;
  readonly settings?: number;
}
