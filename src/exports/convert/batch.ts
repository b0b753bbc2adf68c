import type { ConversionReject } from '../providers/provider.ts';

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
  /** Of the main file, for progress. */
  readonly bytesRead: number;
  /** With the last batch of a join: rows that belong to no user, by table. */
  readonly unmatched: Readonly<Record<string, number>>;
}
