import type { Addresses, ConvertResult, ConvertRules, ConvertTask, Notes } from '../tasks.ts';
import type { Account } from '../fields/account.ts';
import type { Incomplete } from '../readers/ending.ts';
import { type ConversionReject, ExportFault } from '../providers/provider.ts';

/** The threads of the conversion. */
export interface ConvertPool {
  readonly threads: number;
  /** Transfers the memory of the records. Rejects with the error of the task, or with an Error when its thread died. */
  run<Task extends ConvertTask>(task: Task): Promise<ConvertResult<Task>>;
  close(): Promise<void>;
}

/** What the columns of a source show about the order of their dates. */
export interface DatesOfSource {
  readonly dates: NonNullable<ConvertRules['dates']>;
  /** Columns that show nothing, for people. */
  readonly open: readonly string[];
}

/** The decision about a source, for its further conversions. */
export interface DateMemo {
  decided?: Promise<DatesOfSource>;
}

/** A file of users by its index, and the number of its first record. */
export interface FileBeginning {
  readonly file: number;
  readonly firstRecord: number;
}

/** Native lines made from consecutive records of an export. */
export interface ConvertedBatch {
  /** NDJSON: one line for each source record, an empty one for a reject, or a record that is not a user. */
  readonly text: Uint8Array;
  /** The number of the first record, from 1: the physical line of a file of lines, the element of an array. */
  readonly firstRecord: number;
  readonly records: number;
  /** Records that are not users: blank lines, rows of other tables in the same array. */
  readonly skipped: number;
  readonly rejects: readonly (ConversionReject & { readonly record: number })[];
  /** Of all the users' files together, for progress. */
  readonly bytesRead: number;
  /** The users' files that begin at or after the first record of the batch, as far as known. */
  readonly starts: readonly FileBeginning[];
  /** Of its records; those of a join are in its last batch. */
  readonly notes: Notes;
  /** Of its records, by their numbers; those of a join are in its last batch. */
  readonly addresses: readonly Addresses[];
  /** Of its records, by their numbers; those of a join are in its last batch. */
  readonly account: Account;
  /** In the last batch of a join: rows that belong to no user, by table. */
  readonly unmatched: Readonly<Record<string, number>>;
  /** In a batch without records, after all others: why the input is not complete. */
  readonly incomplete?: readonly Incomplete[] | undefined;
}

/** Unwraps the answer of a thread. @throws ExportFault if the task found one */
export function finished<Result extends object>(answer: { readonly unusable: string } | Result): Result {
  if ('unusable' in answer) throw new ExportFault(answer.unusable);
  return answer;
}
