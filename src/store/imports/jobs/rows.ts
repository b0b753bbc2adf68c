import type { AbsentRefusal } from '../../../domain/jobs/absent-refusals.ts';
import type { Absence, AbsentRule } from '../../../imports/absence.ts';
import type { ByState } from '../../../domain/jobs/sign-in-states.ts';
import type {
  ByFactor,
  ByKind,
  Job,
  JobState,
  OnConflict,
  SecondFactorRule,
} from '../../../imports/model.ts';
import type { CancelReason } from '../../../domain/jobs/cancel-reasons.ts';

/** The table's numbers for the words of job.ts. */
export const stateNumbers = { receiving: 1, done: 2, cancelled: 3, undone: 4 } as const satisfies Record<
  JobState,
  number
>;
export const conflictNumbers = {
  update: 1,
  skip: 2,
  reject: 3,
  theirs: 4,
  ours: 5,
} as const satisfies Record<OnConflict, number>;
export const factorRuleNumbers = { refuse: 1, flag: 2, drop: 3 } as const satisfies Record<
  SecondFactorRule,
  number
>;

const states = byNumber<JobState>(stateNumbers);
const conflictRules = byNumber<OnConflict>(conflictNumbers);
export const absentNumbers = { report: 1, disable: 2, remove: 3 } as const satisfies Record<
  AbsentRule,
  number
>;

const absentRules = byNumber<AbsentRule>(absentNumbers);
const factorRules = byNumber<SecondFactorRule>(factorRuleNumbers);

function byNumber<Word extends string>(numbers: Readonly<Record<Word, number>>): ReadonlyMap<number, Word> {
  return new Map((Object.keys(numbers) as Word[]).map((word) => [numbers[word], word]));
}

/** What {@link jobOf} reads: a list for `select` or `returning`. */
export const jobColumns = `app_no, job_id, name, state, dry_run, on_conflict, upload_length, bytes, physical_lines,
    created, updated, unchanged, skipped, rejected, by_kind, started_at, finished_at, last_commit_at, paused_ms, purged_at,
    second_factor, by_factor, cancel_reason, same_ids, id_prefix, odd_dates, conflicts,
    restore_removed, by_state, postponed, told, undone, source, absent, absent_yes, absent_known, absent_count, absent_active,
    absent_done, absent_refused`;

/** A row of import_jobs. */
export interface JobRow {
  readonly app_no: number;
  readonly job_id: string;
  readonly name: string;
  readonly state: number;
  readonly dry_run: boolean;
  readonly on_conflict: number;
  readonly upload_length: number | null;
  readonly bytes: number;
  readonly physical_lines: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly by_kind: ByKind;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly last_commit_at: number | null;
  readonly paused_ms: number;
  readonly purged_at: number | null;
  readonly second_factor: number;
  readonly by_factor: ByFactor;
  readonly cancel_reason: CancelReason | null;
  readonly same_ids: boolean;
  readonly id_prefix: string | null;
  readonly odd_dates: number;
  readonly conflicts: number;
  readonly restore_removed: boolean;
  readonly by_state: ByState;
  readonly postponed: number;
  readonly told: number;
  readonly undone: number;
  readonly source: string;
  readonly absent: number | null;
  readonly absent_yes: boolean;
  readonly absent_known: number | null;
  readonly absent_count: number | null;
  readonly absent_active: number | null;
  readonly absent_done: number;
  readonly absent_refused: AbsentRefusal | null;
}

export function jobOf(row: JobRow): Job {
  const { created, updated, unchanged, skipped, rejected, told, undone, conflicts, postponed, name, bytes } =
    row;
  return {
    name,
    bytes,
    created,
    updated,
    unchanged,
    skipped,
    rejected,
    told,
    undone,
    conflicts,
    postponed,
    appNo: row.app_no,
    id: row.job_id,
    state: known(states.get(row.state)),
    onConflict: known(conflictRules.get(row.on_conflict)),
    dryRun: row.dry_run,
    secondFactor: known(factorRules.get(row.second_factor)),
    sameIds: row.same_ids,
    idPrefix: row.id_prefix ?? undefined,
    restoreRemoved: row.restore_removed,
    uploadLength: row.upload_length ?? undefined,
    physicalLines: row.physical_lines,
    byKind: row.by_kind,
    byFactor: row.by_factor,
    byState: row.by_state,
    oddDates: row.odd_dates,
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? undefined,
    lastCommitAt: row.last_commit_at ?? undefined,
    pausedMs: row.paused_ms,
    purgedAt: row.purged_at ?? undefined,
    cancelReason: row.cancel_reason ?? undefined,
    source: row.source,
    absent: row.absent === null ? undefined : known(absentRules.get(row.absent)),
    absentYes: row.absent_yes,
    absence: absenceOf(row),
  };
}

function absenceOf(row: JobRow): Absence | undefined {
  if (row.absent_known === null) return undefined;
  return {
    known: row.absent_known,
    count: row.absent_count ?? 0,
    active: row.absent_active ?? 0,
    done: row.absent_done,
    refused: row.absent_refused ?? undefined,
  };
}

/** A newer core would have migrated first. */
function known<Word>(word: Word | undefined): Word {
  if (word === undefined) throw new Error('an import job has a number that this core does not know');
  return word;
}
