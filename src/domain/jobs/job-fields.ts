/** The fields of an import job, each described once: add a new one here and in a migration. */

import { type ColumnForm, columnsWith, columnsWithout, type RowOf } from '../columns.ts';

interface JobField extends ColumnForm {
  /** The word for each number in the column. */
  readonly words?: Readonly<Record<string, number>>;
  /** Written when the row is created. */
  readonly isInserted?: true;
  /** Default for a creator that does not state it; left out: NULL. */
  readonly unstated?: string | boolean;
  /** Its name in the core's answer; left out: not shown. */
  readonly shownAs?: string;
  /** How chunks add to it: as a number, or as an object of counts by key. */
  readonly adds?: 'number' | 'byKey';
  /** Each record has one outcome; their sum is the job's lines. */
  readonly isOutcome?: true;
  /**
   * Counts records that the parser lists and that are not rejected. A line recognised by its mark is not parsed, so their lines
   * have none: see imports/parse/line-mark.ts.
   */
  readonly of?: 'lines';
  /** Something that is not imported, as the command words it after the number of users. */
  readonly loss?: string;
  /** Used by statements only. */
  readonly isInner?: true;
}

const notNull = { isNullable: false } as const;
const nullable = { isNullable: true } as const;
const asked = { isInserted: true } as const;
const count = { type: 'bigint', isNullable: false, adds: 'number' } as const;
const countsByKey = { type: 'jsonb', isNullable: false, adds: 'byKey' } as const;

/** In the order in which the core shows them. */
export const jobFields = {
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
  /** Set if the core cancelled it: see cancel-reasons.ts. */
  cancelReason: { name: 'cancel_reason', type: 'text', ...nullable, shownAs: 'cancelReason' },
  dryRun: { name: 'dry_run', type: 'bool', ...notNull, ...asked, shownAs: 'dryRun' },
  compare: { name: 'compare', type: 'bool', ...notNull, ...asked, unstated: false, shownAs: 'compare' },
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
  /** Bytes whose lines are committed; always ends at a line end. */
  bytes: { name: 'bytes', type: 'bigint', ...notNull, shownAs: 'bytes' },
  /** Physical lines in those bytes, including blank ones: rejects are numbered by them. */
  physicalLines: { name: 'physical_lines', type: 'bigint', ...notNull },
  source: { name: 'source', type: 'text', ...notNull, ...asked, unstated: '', shownAs: 'source' },
  /** The name of the series that it belongs to. */
  series: { name: 'series', type: 'text', ...nullable, ...asked },
  whole: { name: 'whole', type: 'bool', ...notNull, ...asked, unstated: false },
  absent: {
    name: 'absent',
    type: 'smallint',
    ...nullable,
    ...asked,
    words: { report: 1, disable: 2, remove: 3 },
    shownAs: 'absentAction',
  },
  absentYes: { name: 'absent_yes', type: 'bool', ...notNull, ...asked, unstated: false },
  /** The outcome of each line is stored, for a receipt. */
  receipt: { name: 'receipt', type: 'bool', ...notNull, ...asked, unstated: false, shownAs: 'receipt' },
  receiptSecret: { name: 'receipt_secret', type: 'text', ...nullable, ...asked },
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
  /** Rejects that the sender found and sent in place of a record. */
  statedRejects: { name: 'stated_rejects', ...count, shownAs: 'rejectedByConversion' },
  conflicts: { name: 'conflicts', ...count, shownAs: 'conflicts' },
  /** Users that an undo has removed or restored so far. */
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
  lastCommitAt: { name: 'last_commit_at', type: 'bigint', ...nullable },
  /** ms from the last commit, or the start, to the beginning of the upload that resumed it. */
  pausedMs: { name: 'paused_ms', type: 'bigint', ...notNull },
  /** Its rejects and before-images are deleted since then, so it cannot be undone. */
  purgedAt: { name: 'purged_at', type: 'bigint', ...nullable, shownAs: 'purgedAt' },
  postponed: { name: 'postponed', ...count },
  /** Rejects of records that no stored user could make valid. */
  unusable: { name: 'unusable', ...count, isInner: true },
  /** Stated rejects of accounts without a user to import. */
  passedOver: { name: 'passed_over', ...count, isInner: true },
  /** Rejects of records that would have turned a user into another person. */
  different: { name: 'different', ...count, isInner: true },
  /** Users of which only the base is written. */
  rebased: { name: 'rebased', ...count, isInner: true },
} as const satisfies Readonly<Record<string, JobField>>;

export type JobFields = typeof jobFields;

export const readJobFields = columnsWithout(jobFields, { isInner: true });
export type JobRow = RowOf<typeof readJobFields, null>;

export const insertedJobFields = columnsWith(jobFields, { isInserted: true });

export const jobOutcomes = columnsWith(jobFields, { isOutcome: true });
export type JobOutcome = keyof typeof jobOutcomes;

export const jobCounters = columnsWith(jobFields, { adds: 'number' });
export type JobCounter = keyof typeof jobCounters;

export const jobCountsByKey = columnsWith(jobFields, { adds: 'byKey' });

export const lineCounters = columnsWith(jobFields, { of: 'lines' });
export type LineCounter = keyof typeof lineCounters;

type FieldWith<Shape> = {
  [Key in keyof JobFields]: JobFields[Key] extends Shape ? Key : never;
}[keyof JobFields];

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

export function shownFields(job: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = Object.entries(jobFields).flatMap(([key, field]) =>
    'shownAs' in field ? [[field.shownAs, job[key]] as const] : [],
  );
  return Object.fromEntries(shown);
}

export function linesOf(counts: Readonly<Record<JobOutcome, number>>): number {
  return (Object.keys(jobOutcomes) as JobOutcome[]).reduce((sum, outcome) => sum + counts[outcome], 0);
}
