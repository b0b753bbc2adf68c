/** Requests to the threads of conversions, and their answers. Types only, plain data only. */

import type { Account } from './fields/account.ts';
import type { DatesShown } from './fields/date-columns.ts';
import type { ColumnOrders } from './fields/read.ts';
import type { ConversionReject, ConvertOptions } from './providers/provider.ts';
import type { Names } from './readers/names.ts';
import type { RawRecords } from './readers/raw.ts';

/** How an export is converted; the thread finds the provider by its name. */
export interface ConvertRules {
  readonly provider: string;
  /** The result of the provider's `prepare`. */
  readonly options: ConvertOptions;
  /** The tenant of users that name none. */
  readonly tenant: string | undefined;
  /** Added before every external id. */
  readonly idPrefix?: string | undefined;
  /** Columns of the file that have another name in the format: --map. */
  readonly mappedColumns?: readonly string[] | undefined;
  /** By table: the order of ambiguous dates. undefined: not determined yet. */
  readonly dates?: Readonly<Record<string, ColumnOrders>> | undefined;
}

/** Records of a found list: `[key or null, fields beside the list or null, record]`. */
export interface FoundForm {
  /** The field of an element that contains the record. */
  readonly within?: string | undefined;
  /** The field that gets the key of a record without it. */
  readonly keyAs?: string | undefined;
}

/** The form of a table's records. */
export interface RecordForm {
  /** csv: the names of the cells. */
  readonly columns: readonly string[] | undefined;
  /** The format's names of fields that the file names differently. */
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

/** Records of a table → the order of dates that its columns show. */
export interface DatesTask {
  readonly type: 'dates';
  readonly rules: ConvertRules;
  readonly table: string;
  readonly form: RecordForm;
  readonly records: RawRecords;
}

/** Records of a table → the partition of each, by a digest of the user's id. */
export interface PartitionTask {
  readonly type: 'partition';
  readonly provider: string;
  readonly table: string;
  readonly form: RecordForm;
  readonly records: RawRecords;
  readonly partitions: number;
  /** For users: whether the answer has the other ids of those who have one. */
  readonly wantsOtherIds?: boolean | undefined;
  /** For a further table whose rows may refer to a user by a second id: the id that determines the user's partition. */
  readonly idsByOther?: IdsByOther | undefined;
}

/** From another id of a user to the one that determines the partition. */
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

/** A reject with its record's index in the batch. */
export interface PlacedReject extends ConversionReject {
  readonly place: number;
}

/** Notes of providers about some of their users, with the number of users. */
export type Notes = Readonly<Record<string, number>>;

/** Emails of records, in parallel arrays. */
export interface Addresses {
  /** Digests of the tenants and the email, 1 to 2^53 - 1. */
  readonly digests: Float64Array;
  /** Bits: 1 email and password, 2 a provider's identity, 4 passwordless. */
  readonly kinds: Uint8Array;
  /** Their numbers from 1; in the answer of one task their indexes. */
  readonly records: Uint32Array;
}

export interface ConvertedRecords {
  /** One line for each record, each with its newline; an empty one for a reject, or a record that is not a user. */
  readonly text: Uint8Array;
  readonly rejects: readonly PlacedReject[];
  /** Records that are not users: blank lines, rows of other tables. */
  readonly skipped: number;
  readonly notes: Notes;
  readonly addresses: Addresses;
  /** Its examples have indexes in the batch. */
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
 * Instead of a result: dates in the records have an undetermined order. The files of a join are unchanged.
 * @property undecided the records, whose memory the task took; none for a join
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
  /** For each record: its partition, or one of the marks of convert/entries.ts. */
  readonly partitions: Uint16Array;
  readonly otherIds: IdsByOther;
}
