/** What crosses the border to a worker thread: types only, plain data only. */

import type { RefusalCode } from '../src/domain/errors.ts';
import type { BodyName } from '../src/schema/requests.ts';
import type { Reject, JobRef, OnConflict, SecondFactorRule } from '../src/imports/model.ts';
import type {
  Decided,
  Holders,
  ParsedChunk,
  RemovedMatch,
  SingleRecord,
  SoughtKeys,
} from '../src/imports/parse/types.ts';
import type { ConversionReject, ConvertOptions } from '../src/exports/providers/provider.ts';
import type { RawRecords } from '../src/exports/readers/raw.ts';
import type { HashLimits, HashPolicy } from '../src/domain/model.ts';
import type { PlaceSecret } from '../src/domain/place.ts';
import type { Examination, ExamineInput } from '../src/hashes/doctor/examination.ts';
import type { HashPage, HashTally } from '../src/hashes/tally.ts';

export interface VerifyTask {
  readonly type: 'verify';
  readonly password: string;
  readonly hash: string;
  /** The worker holds the hash against these again: they may have been lowered since the import. */
  readonly limits: HashLimits;
  /** Raw bytes; sent only with a hash that needs it. */
  readonly signerKey: Uint8Array | undefined;
  /** As `signerKey`. */
  readonly pepper?: Uint8Array | undefined;
}

export interface HashTask {
  readonly type: 'hash';
  readonly password: string;
  readonly policy: HashPolicy;
}

/** What is wrong with a hash, or with what it is verified with. */
export interface ExamineTask extends ExamineInput {
  readonly type: 'examine';
}

/** What examining will allocate. */
export interface WeighTask extends ExamineInput {
  readonly type: 'weigh';
}

export type PasswordTask = VerifyTask | HashTask | WeighTask | ExamineTask;

/**
 * For `verify` whether the password is right, for `hash` the new hash, for `weigh` bytes, for `examine` what was found.
 */
export type PasswordResult<Task extends PasswordTask> = Task extends VerifyTask
  ? boolean
  : Task extends WeighTask
    ? number
    : Task extends ExamineTask
      ? Examination
      : string;

/** What became of one task of several that a thread took together; with a result, how many milliseconds it ran. */
export type Outcome<Result> = { readonly result: Result; readonly ms: number } | { readonly error: unknown };

/** What a record is held against. */
export interface RecordRules {
  /** Numbers of the app's tenants by their names. */
  readonly tenants: Readonly<Record<string, number>>;
  readonly limits: HashLimits;
  readonly signerKey: Uint8Array | undefined;
  readonly pepper: Uint8Array | undefined;
  readonly allowPlainText: boolean;
  readonly onConflict: OnConflict;
  readonly dryRun: boolean;
  readonly secondFactor: SecondFactorRule;
  /** As of NewJob. */
  readonly sameIds?: boolean;
  readonly idPrefix?: string | undefined;
  readonly restoreRemoved?: boolean;
  /** Records whose keys others have may wait for the end of the upload. */
  readonly mayPostpone?: boolean;
  /** The records are all that did: what they give up is free for each other. */
  readonly isTogether?: boolean;
  /** ms since the epoch: the join date of whoever brings none, and the latest that is believed. */
  readonly now: number;
}

/** And what new users get their ids by. */
export interface JobRules extends RecordRules {
  readonly placeSecret: PlaceSecret;
}

/** Lines → rows. */
export interface ParseTask {
  readonly type: 'parse';
  /** Whole lines; the last may lack its newline. Copied to the thread: a tenth of a millisecond a MiB. */
  readonly bytes: Uint8Array;
  /** Whether a byte order mark may stand in front. */
  readonly isFirst: boolean;
  readonly rules: JobRules;
  /** Valid records, by ordinal, that are to be looked at by themselves, however simple they are. */
  readonly aside?: readonly number[];
  /** Given where simple records are wanted as finished rows of this job, and not as columns. */
  readonly finishFor?: JobRef | undefined;
  /** Simple records are wanted as far as they are compared: see ComparedRows. */
  readonly comparesOnly?: boolean | undefined;
}

/** The keys of records that are looked at one by one. */
export interface KeysTask {
  readonly type: 'keys';
  readonly records: readonly SingleRecord[];
  readonly rules: RecordRules;
}

/** Plain-text passwords of records, for hashing: never sent anywhere else. */
export interface PasswordsTask {
  readonly type: 'passwords';
  readonly records: readonly SingleRecord[];
}

export interface DecideTask {
  readonly type: 'decide';
  readonly records: readonly SingleRecord[];
  readonly holders: Holders;
  /** Who of them was removed here. */
  readonly removed?: readonly RemovedMatch[];
  readonly rules: JobRules;
}

/** Stored hashes of some users → how many of each kind and cost. */
export interface TallyTask extends HashPage {
  readonly type: 'tally';
}

/** The body of a request, which the thread takes over. */
export interface BodyTask {
  readonly type: 'body';
  readonly name: BodyName;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** As BodyTask, of a list of users for the queue. */
export interface UsersTask {
  readonly type: 'users';
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rules: RecordRules;
  readonly mostUsers: number;
}

export interface RefusedBody {
  readonly refusal: { readonly code: RefusalCode; readonly message: string };
}

export interface ReadBody {
  /** What parseBody returned. */
  readonly input: unknown;
}

/** With rejects there is nothing else. */
export interface ReadUsers {
  /** `line`: the user's place in the list, from 1. */
  readonly rejects: readonly Reject[];
  /** The records, JSON without line breaks, one behind the other. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** Of each record, in bytes of `text`. */
  readonly ends: Uint32Array;
  /** Of each record: see traces.ts; with commas between them. */
  readonly traces: readonly string[];
  readonly passwords: readonly PlainPassword[];
}

export type RowsTask = BodyTask | UsersTask | ParseTask | KeysTask | PasswordsTask | DecideTask | TallyTask;

export interface PlainPassword {
  readonly record: number;
  readonly method: number;
  readonly password: string;
}

export type RowsResult<Task extends RowsTask> = Task extends BodyTask
  ? ReadBody | RefusedBody
  : Task extends UsersTask
    ? ReadUsers | RefusedBody
    : Task extends ParseTask
      ? ParsedChunk
      : Task extends KeysTask
        ? SoughtKeys
        : Task extends PasswordsTask
          ? readonly PlainPassword[]
          : Task extends TallyTask
            ? HashTally
            : Decided;

/** How an export is converted; the thread finds the provider by its name. */
export interface ConvertRules {
  readonly provider: string;
  /** What the provider's `prepare` returned. */
  readonly options: ConvertOptions;
  /** Where users go that name no tenant. */
  readonly tenant: string | undefined;
  /** In front of every external id. */
  readonly idPrefix?: string | undefined;
}

/** How the records of a table are read. */
export interface RecordForm {
  /** csv: the names of the cells. */
  readonly columns: readonly string[] | undefined;
  /** csv: the names are the provider's and not of a header row. */
  readonly isHeaderless: boolean;
}

/** Records of a file → native lines. */
export interface ConvertRecordsTask {
  readonly type: 'convert';
  readonly rules: ConvertRules;
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
}

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

export type ConvertTask = ConvertRecordsTask | PartitionTask | JoinTask;

/** A reject with its record's place in the batch, from 0. */
export interface PlacedReject extends ConversionReject {
  readonly place: number;
}

export interface ConvertedRecords {
  /** One line for each record, each with its newline; an empty one for what is rejected or no user. */
  readonly text: Uint8Array;
  readonly rejects: readonly PlacedReject[];
  /** Records that are no users: blank lines, rows of other tables. */
  readonly skipped: number;
}

export interface Joined {
  /** Rows that belong to no user, by table. */
  readonly unmatched: Readonly<Record<string, number>>;
}

/** `unusable`: the message of an UnusableExport, which stops the run. */
export type ConvertResult<Task extends ConvertTask> =
  | { readonly unusable: string }
  | (Task extends ConvertRecordsTask ? ConvertedRecords : Task extends JoinTask ? Joined : Partitioned);

export interface Partitioned {
  /** By record: its partition, or one of the marks of convert/entries.ts. */
  readonly partitions: Uint16Array;
}
