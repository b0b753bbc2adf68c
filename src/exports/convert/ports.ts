import type { Addresses, ConvertResult, ConvertRules, ConvertTask, Notes } from '../tasks.ts';
import type { Account } from '../fields/account.ts';
import type { Incomplete } from '../readers/ending.ts';
import { type ConversionReject, ExportFault } from '../providers/provider.ts';

/** What converting needs of threads. */
export interface ConvertPool {
  readonly threads: number;
  /** Takes the memory of records that are converted. Rejects with what the task threw, or with an Error when its thread died. */
  run<Task extends ConvertTask>(task: Task): Promise<ConvertResult<Task>>;
  close(): Promise<void>;
}

/** What the columns of a source show of the order of their dates. */
export interface DatesOfSource {
  readonly dates: NonNullable<ConvertRules['dates']>;
  /** Columns that show nothing, for people. */
  readonly open: readonly string[];
}

/** What was decided of a source, for its further conversions. */
export interface DateMemo {
  decided?: Promise<DatesOfSource>;
}

/** A file of users by its place among them, from 0, and the number of its first record. */
export interface FileBeginning {
  readonly file: number;
  readonly firstRecord: number;
}

/** Native lines made of consecutive records of an export. */
export interface ConvertedBatch {
  /** NDJSON: one line for each source record, an empty one for a record that is rejected or no user. */
  readonly text: Uint8Array;
  /** The number of the first record, from 1: the physical line of a file of lines, the element of an array. */
  readonly firstRecord: number;
  readonly records: number;
  /** Records that are no users: blank lines, rows of other tables in the same array. */
  readonly skipped: number;
  readonly rejects: readonly (ConversionReject & { readonly record: number })[];
  /** Of the users' files together, for progress. */
  readonly bytesRead: number;
  /** Which of the users' files begin at or behind the first record of the batch, as far as it is known. */
  readonly starts: readonly FileBeginning[];
  /** Of its records; those of a join come with its last batch. */
  readonly notes: Notes;
  /** Of its records, by their numbers; those of a join come with its last batch. */
  readonly addresses: readonly Addresses[];
  /** Of its records, by their numbers; those of a join come with its last batch. */
  readonly account: Account;
  /** With the last batch of a join: rows that belong to no user, by table. */
  readonly unmatched: Readonly<Record<string, number>>;
  /** With a batch without records, after all others: why the input is not complete. */
  readonly incomplete?: readonly Incomplete[] | undefined;
}

/** What a thread answered. @throws ExportFault when that is what it met */
export function finished<Result extends object>(answer: { readonly unusable: string } | Result): Result {
  if ('unusable' in answer) throw new ExportFault(answer.unusable);
  return answer;
}
