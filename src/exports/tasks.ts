/** What the threads of conversions are asked, and answer: types only, plain data only. */

import type { Account } from './fields/account.ts';
import type { DatesShown } from './fields/date-columns.ts';
import type { ColumnOrders } from './fields/read.ts';
import type { ConversionReject, ConvertOptions } from './providers/provider.ts';
import type { Names } from './readers/names.ts';
import type { RawRecords } from './readers/raw.ts';

/** How an export is converted; the thread finds the provider by its name. */
export interface ConvertRules {
  readonly provider: string;
  /** What the provider's `prepare` returned. */
  readonly options: ConvertOptions;
  /** Where users go that name no tenant. */
  readonly tenant: string | undefined;
  /** Before every external id. */
  readonly idPrefix?: string | undefined;
  /** Columns of the file that have another name in the format: what --map says. */
  readonly mappedColumns?: readonly string[] | undefined;
  /** By table: what dates are read by that may have the day or the month first. undefined: not decided yet. */
  readonly dates?: Readonly<Record<string, ColumnOrders>> | undefined;
}

/** Records of a list that was found in a document: `[key or null, fields beside the list or null, record]`. */
export interface FoundForm {
  /** The field of an element that holds the record. */
  readonly within?: string | undefined;
  /** The field that gets the key of a record which does not have it. */
  readonly keyAs?: string | undefined;
}

/** How the records of a table are read. */
export interface RecordForm {
  /** csv: the names of the cells. */
  readonly columns: readonly string[] | undefined;
  /** What the format calls fields that the file calls otherwise. */
  readonly names?: Names | undefined;
  readonly list?: FoundForm | undefined;
}

/** Records of a file → native lines. */
export interface ConvertRecordsTask {
  readonly type: 'convert';
  readonly rules: ConvertRules;
  readonly form: RecordForm;
  readonly records: RawRecords;
}

/** Records of a table → what its columns show of the order of their dates. */
export interface DatesTask {
  readonly type: 'dates';
  readonly rules: ConvertRules;
  readonly table: string;
  readonly form: RecordForm;
  readonly records: RawRecords;
}

/** Records of a table → in which partition each belongs, by a digest of the user's id. */
export interface PartitionTask {
  readonly type: 'partition';
  readonly provider: string;
  readonly table: string;
  readonly form: RecordForm;
  readonly records: RawRecords;
  readonly partitions: number;
  /** Of users: whether the answer has the other ids of those who have one. */
  readonly wantsOtherIds?: boolean | undefined;
  /** Of a further table whose rows may name a user by a second id: the id by which that user is parted. */
  readonly idsByOther?: IdsByOther | undefined;
}

/** From another id of a user to the one by which the user is parted. */
export type IdsByOther = ReadonlyMap<string, string>;

/** A file of one partition of a table, as convert/entries.ts writes it. */
export interface PartitionFile {
  readonly path: string;
  readonly form: RecordForm;
}

/** One partition of the users and of each joined table → native lines, in a file. */
export interface JoinTask {
  readonly type: 'join';
  readonly rules: ConvertRules;
  readonly users: PartitionFile;
  /** By the table's name. */
  readonly related: Readonly<Record<string, PartitionFile>>;
  readonly output: string;
}

export type ConvertTask = ConvertRecordsTask | DatesTask | PartitionTask | JoinTask;

/** A reject with its record's place in the batch, from 0. */
export interface PlacedReject extends ConversionReject {
  readonly place: number;
}

/** What providers say of some of their users, with how many they are. */
export type Notes = Readonly<Record<string, number>>;

/** Emails of records, side by side. */
export interface Addresses {
  /** Of the tenants and the email, 1 to 2^53 - 1. */
  readonly digests: Float64Array;
  /** Bits: 1 email and password, 2 a provider's identity, 4 passwordless. */
  readonly kinds: Uint8Array;
  /** Their numbers from 1; in the answer of one task their places, from 0. */
  readonly records: Uint32Array;
}

export interface ConvertedRecords {
  /** One line for each record, each with its newline; an empty one for what is rejected or no user. */
  readonly text: Uint8Array;
  readonly rejects: readonly PlacedReject[];
  /** Records that are no users: blank lines, rows of other tables. */
  readonly skipped: number;
  readonly notes: Notes;
  readonly addresses: Addresses;
  /** Its examples have places in the batch. */
  readonly account: Account;
}

export interface Joined {
  /** Rows that belong to no user, by table. */
  readonly unmatched: Readonly<Record<string, number>>;
  readonly notes: Notes;
  readonly addresses: Addresses;
  /** Its examples have numbers of records. */
  readonly account: Account;
}

/**
 * In place of what was made of records: dates in them have an order that is not decided. The files of a join are as they were.
 * @property undecided the records, whose memory the task took; of a join none
 */
export interface Undecided {
  readonly undecided: RawRecords | undefined;
}

/** `unusable`: the message of an ExportFault, which stops the run. */
export type ConvertResult<Task extends ConvertTask> = { readonly unusable: string } | ResultOf<Task>;

type ResultOf<Task extends ConvertTask> = Task extends ConvertRecordsTask
  ? ConvertedRecords | Undecided
  : Task extends JoinTask
    ? Joined | Undecided
    : Task extends DatesTask
      ? DatesShown
      : Partitioned;

export interface Partitioned {
  /** By record: its partition, or one of the marks of convert/entries.ts. */
  readonly partitions: Uint16Array;
  readonly otherIds: IdsByOther;
}
