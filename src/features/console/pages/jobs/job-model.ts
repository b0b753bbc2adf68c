import type { Conflict, Reject, SeriesCounts } from '../../../../imports/model.ts';

/** An import job, as the core shows it. */
export interface JobView {
  readonly id: string;
  /** Left out or empty if it has none. */
  readonly name?: string;
  readonly state: 'receiving' | 'done' | 'cancelled' | 'undone';
  readonly cancelReason?: { readonly code: string; readonly message: string };
  readonly dryRun?: boolean;
  /** A comparison, which is a dry run. */
  readonly compare?: boolean;
  readonly source?: string;
  /** In the list of jobs with the sums over all of its jobs. */
  readonly series?: { readonly name: string } & Partial<SeriesCounts>;
  readonly bytes: number;
  readonly lines: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly rejectedByConversion: number;
  readonly conflicts: number;
  readonly undone: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly byFactor: Readonly<Record<string, number>>;
  readonly byState: Readonly<Record<string, number>>;
  readonly canSignInBy: Readonly<Record<string, number>>;
  readonly startedAt: number;
  readonly finishedAt?: number | null;
  readonly usersPerSecond: number;
  readonly purgedAt?: number | null;
  readonly absent?: number | null;
  readonly legacySourcesNotAsked?: readonly string[];
}

export type RejectView = Omit<Reject, 'isStated'>;
export type ConflictView = Omit<Conflict, 'methodId'>;

/** The counts of an entry of the list: of a series those of all of its jobs, and the rejects that it has now. */
export function listedCounts(job: JobView): Pick<JobView, 'lines' | 'created' | 'updated' | 'rejected'> {
  const { series } = job;
  if (series?.jobs === undefined) return job;
  const { created = 0, updated = 0, unchanged = 0, skipped = 0, rejected = 0, lastWhole } = series;
  const lines = created + updated + unchanged + skipped + rejected;
  return { lines, created, updated, rejected: lastWhole?.rejected ?? rejected };
}

export const nameOf = (job: JobView | undefined): string =>
  job?.name === undefined || job.name === '' ? 'Import' : job.name;

export const stateWords: Readonly<Record<JobView['state'], string>> = {
  receiving: 'Running',
  done: 'Done',
  cancelled: 'Stopped',
  undone: 'Undone',
};
