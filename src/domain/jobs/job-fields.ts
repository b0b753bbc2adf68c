/** The fields of an import job, each described once: a new one begins here and in a migration. */

import { type ColumnForm, columnsWith, columnsWithout, type RowOf } from '../columns.ts';

interface JobField extends ColumnForm {
  /** The word for each number that the column holds. */
  readonly words?: Readonly<Record<string, number>>;
  /** Its row is created with it. */
  readonly isInserted?: true;
  /** Its value where the creator of the job states none; left out: NULL. */
  readonly unstated?: string | boolean;
  /** Its name in the core's answer; left out: it is not shown. */
  readonly shownAs?: string;
  /** How each chunk adds to it: a number to a number, or an object of counts by its keys. */
  readonly adds?: 'number' | 'byKey';
  /** One of the outcomes of which each record has one: together they are the job's lines. */
  readonly isOutcome?: true;
  /**
   * Records that the parser lists: those that are not rejected count. Their lines get no mark, since a line that is recognised by
   * its mark is not parsed: see imports/parse/line-mark.ts.
   */
  readonly of?: 'lines';
  /** Something of the source that is not imported, as the command words it after the number of users. */
  readonly loss?: string;
  /** Only statements read it. */
  readonly isInner?: true;
}

const notNull = { isNullable: false } as const;
const nullable = { isNullable: true } as const;
const asked = { isInserted: true } as const;
const count = { type: 'bigint', isNullable: false, adds: 'number' } as const;
const countsByKey = { type: 'jsonb', isNullable: false, adds: 'byKey' } as const;

/** In the order in which the core shows them. */
export const jobFields = {
  /** The app's number: a job belongs to one app. */
  appNo: { name: 'app_no', type: 'int', ...notNull },
  /** UUIDv7 of its start: newest last. */
  id: { name: 'job_id', type: 'uuid', ...notNull, ...asked, shownAs: 'id' },
  name: { name: 'name', type: 'text', ...notNull, ...asked, shownAs: 'name' },
  state: {
    name: 'state',
    type: 'smallint',
    ...notNull,
    words: { receiving: 1, done: 2, cancelled: 3, undone: 4 },
    shownAs: 'state',
  },
  /** Why it was cancelled, where that was not requested: see cancel-reasons.ts. */
  cancelReason: { name: 'cancel_reason', type: 'text', ...nullable, shownAs: 'cancelReason' },
  dryRun: { name: 'dry_run', type: 'bool', ...notNull, ...asked, shownAs: 'dryRun' },
  onConflict: {
    name: 'on_conflict',
    type: 'smallint',
    ...notNull,
    ...asked,
    words: { update: 1, skip: 2, reject: 3, theirs: 4, ours: 5 },
    shownAs: 'onConflict',
  },
  secondFactor: {
    name: 'second_factor',
    type: 'smallint',
    ...notNull,
    ...asked,
    words: { refuse: 1, flag: 2, drop: 3 },
    shownAs: 'secondFactor',
  },
  sameIds: { name: 'same_ids', type: 'bool', ...notNull, ...asked, unstated: false, shownAs: 'sameIds' },
  idPrefix: { name: 'id_prefix', type: 'text', ...nullable, ...asked, shownAs: 'idPrefix' },
  restoreRemoved: {
    name: 'restore_removed',
    type: 'bool',
    ...notNull,
    ...asked,
    unstated: false,
    shownAs: 'restoreRemoved',
  },
  uploadLength: { name: 'upload_length', type: 'bigint', ...nullable, ...asked },
  /** Bytes whose lines are committed: always at the end of a line. */
  bytes: { name: 'bytes', type: 'bigint', ...notNull, shownAs: 'bytes' },
  /** Physical lines in those bytes, blank ones too: rejects count by them. */
  physicalLines: { name: 'physical_lines', type: 'bigint', ...notNull },
  source: { name: 'source', type: 'text', ...notNull, ...asked, unstated: '', shownAs: 'source' },
  absent: {
    name: 'absent',
    type: 'smallint',
    ...nullable,
    ...asked,
    words: { report: 1, disable: 2, remove: 3 },
    shownAs: 'absentAction',
  },
  absentYes: { name: 'absent_yes', type: 'bool', ...notNull, ...asked, unstated: false },
  absentCount: { name: 'absent_count', type: 'bigint', ...nullable },
  absentKnown: { name: 'absent_known', type: 'bigint', ...nullable },
  absentActive: { name: 'absent_active', type: 'bigint', ...nullable },
  absentDone: { name: 'absent_done', type: 'bigint', ...notNull },
  absentRefused: { name: 'absent_refused', type: 'text', ...nullable },
  created: { name: 'created', ...count, isOutcome: true, shownAs: 'created' },
  updated: { name: 'updated', ...count, isOutcome: true, shownAs: 'updated' },
  unchanged: { name: 'unchanged', ...count, isOutcome: true, shownAs: 'unchanged' },
  skipped: { name: 'skipped', ...count, isOutcome: true, shownAs: 'skipped' },
  rejected: { name: 'rejected', ...count, isOutcome: true, shownAs: 'rejected' },
  /** Rejects that the sender found and stated in place of a record. */
  statedRejects: { name: 'told', ...count, shownAs: 'rejectedByConversion' },
  /** Fields that were changed here and at the source. */
  conflicts: { name: 'conflicts', ...count, shownAs: 'conflicts' },
  /** Users that an undo has removed or put back so far. */
  undone: { name: 'undone', type: 'bigint', ...notNull, shownAs: 'undone' },
  byKind: { name: 'by_kind', ...countsByKey, shownAs: 'byKind' },
  byFactor: { name: 'by_factor', ...countsByKey, shownAs: 'byFactor' },
  byState: { name: 'by_state', ...countsByKey, shownAs: 'byState' },
  /** Records with a join date before 2000 or in the future. */
  oddDates: {
    name: 'odd_dates',
    ...count,
    of: 'lines',
    shownAs: 'oddDates',
    loss: 'odd join dates, before 2000 or in the future: perhaps of another unit than milliseconds; for a future one the time of the import is taken',
  },
  /** ms since the epoch, as all times here. */
  startedAt: { name: 'started_at', type: 'bigint', ...notNull, ...asked, shownAs: 'startedAt' },
  finishedAt: { name: 'finished_at', type: 'bigint', ...nullable, shownAs: 'finishedAt' },
  /** When the last chunk was committed. */
  lastCommitAt: { name: 'last_commit_at', type: 'bigint', ...nullable },
  /** ms from a commit, or the start, to the beginning of the upload that went on: nothing was sent. */
  pausedMs: { name: 'paused_ms', type: 'bigint', ...notNull },
  /** Since then there are no rejects and before-images of it, so it cannot be undone. */
  purgedAt: { name: 'purged_at', type: 'bigint', ...nullable, shownAs: 'purgedAt' },
  /** Records that wait for the end of the upload. */
  postponed: { name: 'postponed', ...count },
  /** Rejects of records that no stored user could make valid. */
  unusable: { name: 'unusable', ...count, isInner: true },
  /** Stated rejects of accounts without a user to import. */
  passedOver: { name: 'passed_over', ...count, isInner: true },
  /** Rejects of records that would have turned a user into another person. */
  different: { name: 'different', ...count, isInner: true },
  /** Users of whom only the base is written. */
  rebased: { name: 'rebased', ...count, isInner: true },
} as const satisfies Readonly<Record<string, JobField>>;

export type JobFields = typeof jobFields;

/** A row of import_jobs, as far as callers of the store see it. */
export const readJobFields = columnsWithout(jobFields, { isInner: true });
export type JobRow = RowOf<typeof readJobFields, null>;

/** With which a job's row is created, except for its app. */
export const insertedJobFields = columnsWith(jobFields, { isInserted: true });

/** Each record has one of these outcomes. */
export const jobOutcomes = columnsWith(jobFields, { isOutcome: true });
export type JobOutcome = keyof typeof jobOutcomes;

export const jobCounters = columnsWith(jobFields, { adds: 'number' });
export type JobCounter = keyof typeof jobCounters;

export const jobCountsByKey = columnsWith(jobFields, { adds: 'byKey' });

/** Counters of records that the parser lists. */
export const lineCounters = columnsWith(jobFields, { of: 'lines' });
export type LineCounter = keyof typeof lineCounters;

type FieldWith<Shape> = {
  [Key in keyof JobFields]: JobFields[Key] extends Shape ? Key : never;
}[keyof JobFields];

/** Counters of what is not imported of the source. */
export type LossCounter = FieldWith<{ loss: string }>;
export const losses = Object.entries(jobFields).flatMap(([key, field]) =>
  'loss' in field ? [{ counter: key as LossCounter, text: field.loss }] : [],
);

/** Shown counters other than outcomes, by their names in the core's answer. */
export type ShownCounters = {
  readonly [
    Key in Exclude<FieldWith<{ adds: 'number'; shownAs: string }>, JobOutcome> as JobFields[Key]['shownAs']
  ]: number;
};

/** A job's shown fields, under their names in the core's answer. */
export function shownFields(job: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = Object.entries(jobFields).flatMap(([key, field]) =>
    'shownAs' in field ? [[field.shownAs, job[key]] as const] : [],
  );
  return Object.fromEntries(shown);
}

/** The sum of the outcomes. */
export function linesOf(counts: Readonly<Record<JobOutcome, number>>): number {
  return (Object.keys(jobOutcomes) as JobOutcome[]).reduce((sum, outcome) => sum + counts[outcome], 0);
}
