/**
 * The types between a chunk of lines and the store. Columns are PostgreSQL array literals, made in the worker threads: the event
 * loop only passes them on. Types only.
 */

import type { PrimaryLine, PrimaryRow } from './primaries.ts';
import type { FactorsOfLine, KeptOut } from './counted-lines.ts';
import type { ByKind, Conflict, Reject } from '../model.ts';
import type { KeptRestrictions } from '../../operations/ports/ports.ts';
import type { LineCounter } from '../../domain/jobs/job-fields.ts';
import type { ArraysOf, Column, CountedArraysOf } from '../../domain/columns.ts';
import type {
  comparedColumns,
  detailsColumns,
  identityColumns,
  markedColumns,
  markedHereColumns,
  methodColumns,
  MethodRow,
  simpleColumns,
  soughtExternalColumns,
  soughtIdentityColumns,
  updateColumns,
} from '../../domain/user-columns.ts';

export type { Column };

/** The values that show whether simple records state the same as last time; see SimpleRows. */
export type ComparedRows = CountedArraysOf<typeof comparedColumns>;

/**
 * Records of one login method in one tenant with one key: nearly all of most exports. One row each, in the order of their
 * lines; no two with the same key.
 */
export interface SimpleRows extends CountedArraysOf<typeof simpleColumns> {
  readonly primaries: readonly PrimaryRow[];
  /** The numbers in `tenantNo`, each once. */
  readonly tenants: Column;
}

/**
 * The same records as finished rows of the tables, in the binary form of COPY: for users who are expected to be all new. Cells of
 * users are in the order of `methodColumns`, after the app and the job, those of identities in that of their columns. The bytes
 * are in separate memory, which the thread that made them transfers.
 */
export interface FinishedRows {
  readonly count: number;
  /** In the order of their lines. */
  readonly users: Uint8Array<ArrayBuffer>;
  /** By kind, key and tenant, so that two imports of the same people wait for each other instead of deadlocking. */
  readonly identities: Uint8Array<ArrayBuffer>;
  /** As in SimpleRows. */
  readonly tenants: Column;
  /** External ids of the form of core ids: none may be one. Usually `{}`. */
  readonly coreIds: Column;
  /** External ids with unverified emails, unless a pair that was stored before verifies one. */
  readonly unverified: { readonly externalId: Column; readonly email: Column };
  /** Of the users who have any; restrictions are what the records state. */
  readonly details: ArraysOf<typeof detailsColumns>;
  readonly primaries: readonly PrimaryRow[];
}

/** The users who have the keys. Plain rows as the store reads them. */
export interface Holders {
  readonly identities: readonly IdentityHolder[];
  readonly externals: readonly ExternalHolder[];
  /** Every login method of these users, in the order of their ids. */
  readonly methods: readonly HeldMethod[];
  /** Numbers of existing tenants; one that is missing was removed since. */
  readonly tenants: readonly number[];
}

/** One for each sought identity that is in use or claimed. */
export interface IdentityHolder {
  readonly record: number;
  readonly method: number;
  readonly tenantNo: number;
  readonly kind: number;
  /** The login method that has it, if any. */
  readonly userId: string | null;
  /** The login method for which an import stated it, and whose identity was changed here. */
  readonly formerId: string | null;
  /** An earlier record of this job has used this key. */
  readonly isClaimed: boolean;
}

/** One for each sought external id that is in use or claimed. */
export interface ExternalHolder {
  readonly record: number;
  /** The login method that is mapped to it. */
  readonly userId: string | null;
  /** It is the core id of a user: it cannot be an external one. */
  readonly isCoreId: boolean;
  readonly isClaimed: boolean;
}

export interface HeldMethod extends MethodRow<null> {
  /**
   * `hashMark` of the hash that a sign-in upgraded to `passwordHash`, if one did: a record with that hash states the same
   * password.
   */
  readonly upgradedFrom: string | null;
  /** The time of that upgrade, ms since the epoch. */
  readonly upgradedAt: number | null;
  /**
   * `hashMark` of the last hashes that moves have written to the source, the newest first; null for none. While the password of one is
   * here, that one is `upgradedFrom`, too.
   */
  readonly writtenMarks: readonly string[] | null;
  /** No import has stated it, and its password was set here while a move leads: a write-back brings it to the source. */
  readonly isSetInMove: boolean;
  /** When a request or a reset link last set the password here, ms since the epoch. */
  readonly passwordSetAt: number | null;
  /** When a reset link, which was sent to the email, was last used here, ms since the epoch; null if the email changed since. */
  readonly resetAt: number | null;
  /** Tenants where it can sign in, by number, ascending. */
  readonly tenants: readonly number[];
  /** Created by this job. */
  readonly isOfThisJob: boolean;
  /** The last line of this job that found it unchanged, if any. */
  readonly unchangedAtLine: number | null;
  /** Details of the user, for its head only. Values as JSON.parse gives them. */
  readonly metadata: unknown;
  readonly roles: unknown;
  readonly totpDevices: unknown;
  /** The user's, repeated for each login method. */
  readonly restrictions: KeptRestrictions | null;
}

/** The rows to be written for records that were decided individually. */
export interface ChunkChanges {
  /** New login methods; one row each. */
  readonly users: CountedArraysOf<typeof methodColumns>;
  readonly identities: IdentityColumns;
  /** Existing login methods: all of these columns as they will be. */
  readonly updates: CountedArraysOf<typeof updateColumns>;
  readonly removedIdentities: IdentityColumns;
  /** Keys that records state for login methods which have others here. */
  readonly formerIdentities: IdentityColumns;
  /** By the id of the user's head; NULL without one. Restrictions as they are stored. */
  readonly details: CountedArraysOf<typeof detailsColumns>;
  /** Accounts that were signed up here, and belong to the records from now on. */
  readonly takenOver: readonly TakenOver[];
}

/** What the store does before the other changes of a record that takes over an unproven account. */
export interface TakenOver {
  /** The id of the user that the login methods were linked to. */
  readonly head: string;
  /** Login methods that become separate users. */
  readonly parted: readonly string[];
  /** The record's login methods: everything created here for them is removed. */
  readonly methods: readonly string[];
  /** Login methods whose sessions and links end. */
  readonly ended: readonly string[];
  /** No login method of the head's user remains. */
  readonly isLast: boolean;
}

export type IdentityColumns = CountedArraysOf<typeof identityColumns>;

/** Keys of records that are decided individually. */
export interface SoughtKeys {
  readonly identities: ArraysOf<typeof soughtIdentityColumns>;
  readonly externals: ArraysOf<typeof soughtExternalColumns>;
}

/** A record of a user who was removed here. */
export interface RemovedMatch {
  /** The record's ordinal in the chunk. */
  readonly record: number;
  /** The person of the tombstone: one id for everything stored about a removed person. */
  readonly person: string;
}

/** The simple records of a chunk, in the form that its plan needs. */
export type ParsedRows =
  | { readonly form: 'finished'; readonly rows: FinishedRows }
  | { readonly form: 'compared'; readonly rows: ComparedRows }
  | { readonly form: 'columns'; readonly rows: SimpleRows };

/** The result of parsing a chunk. */
export type ParsedChunk = ParsedLines & ParsedRows;

export interface ParsedLines {
  /** Physical lines, including blank ones. */
  readonly lines: number;
  readonly rejects: readonly Reject[];
  /** For each row of `rows`: its record's ordinal among the valid ones. */
  readonly simpleRecords: Uint32Array;
  /** Valid records that have to be decided individually from the start, ascending. */
  readonly complexRecords: Uint32Array;
  /** Their keys. */
  readonly complexKeys: SoughtKeys;
  /** For each valid record n: start and end in the chunk's bytes at 2n and 2n+1. */
  readonly spans: Uint32Array;
  /** For each valid record: its physical line within the chunk, from 1. */
  readonly linesOf: Uint32Array;
  /** For each valid record: the kind of its hash as an index in `kindNames`; 255 for none. Only simple records are set. */
  readonly kinds: Uint8Array;
  readonly kindNames: readonly string[];
  /** Of the valid records with second factors, in the order of their lines. */
  readonly factors: readonly FactorsOfLine[];
  /** Of the valid records whose users cannot sign in: their physical lines within the chunk, from 1, by the reason. */
  readonly keptOut: readonly KeptOut[];
  /** Physical lines within the chunk, from 1, of the valid records that count for each counter. */
  readonly counted: Readonly<Record<LineCounter, readonly number[]>>;
  /**
   * 53-bit digests of every key of every valid record, sorted: two chunks of one job with a common one are not written at the
   * same time.
   */
  readonly keys: Float64Array;
  /** Keys of records that were rejected as duplicates within the chunk; in a dry run those of every valid record. */
  readonly claims: readonly ClaimOfChunk[];
  /** A valid record has other keys than its line seems to have: a sketch of it would not have shown them. */
  readonly hasHiddenKeys: boolean;
  /** Given where the task asked for them. */
  readonly rare?: RareRecords | undefined;
  /** Given if the chunk was not parsed because its lines may be repeated: then there are neither records nor rejects. */
  readonly sketched?: SketchedLines | undefined;
}

/** The data by which a thread looks keys up. Plain data, for a message. */
export interface RareKeyFilter {
  /** In memory shared with the event loop, which adds marks. See block-filter.ts. */
  readonly words: Int32Array;
  readonly secret: string;
  readonly appNo: number;
}

/** The valid records of a chunk that may have a rare key, and marks that show later whether another one has. */
export interface RareRecords {
  /** By ordinal, ascending. Each is decided individually. */
  readonly records: Uint32Array;
  /** Marks of all keys of the other records, ascending. */
  readonly marksOfOthers: Float64Array;
}

/** Lines that may be recognised by their marks; no two of all lines have the same key. */
export interface SketchedLines extends CountedArraysOf<typeof markedColumns> {
  /** For each row of the columns: its physical line within the chunk, from 1. */
  readonly linesOf: Uint32Array;
  /** Where each physical line begins in the chunk's bytes. */
  readonly starts: Uint32Array;
  /** Other lines than blank ones were not sketched, and have to be parsed. */
  readonly hasOthers: boolean;
  /** In a comparison: more columns of the same rows. */
  readonly here?: ArraysOf<typeof markedHereColumns> | undefined;
}

export interface ClaimOfChunk {
  readonly kind: number;
  readonly key: string;
  readonly tenantNo: number;
  /** Physical line within the chunk, from 1. */
  readonly line: number;
  /** `digestOf` the key: it shows later chunks whether they have to look up claims. */
  readonly digest: number;
}

/** A valid record that is decided individually. */
export interface SingleRecord {
  /** Its ordinal among the chunk's valid records. */
  readonly record: number;
  /** Physical line in the upload, from 1. */
  readonly line: number;
  /** The line itself. */
  readonly text: string;
  /** Hashes made of plain-text passwords, by the index of the login method. */
  readonly hashes?: Readonly<Record<number, string>>;
}

/** A worker's decision about single records. */
export interface Decided {
  readonly changes: ChunkChanges;
  readonly counts: {
    readonly created: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly skipped: number;
  };
  /** The physical lines in the upload of the records counted. */
  readonly lines: Readonly<Record<'created' | 'updated' | 'unchanged' | 'skipped', readonly number[]>>;
  readonly byKind: ByKind;
  readonly rejects: readonly Reject[];
  readonly conflicts: readonly Conflict[];
  /** Users whose base alone is written. */
  readonly rebased: number;
  /** Keys of records that created nothing. `line` is the physical one in the upload. */
  readonly claims: readonly ClaimOfChunk[];
  readonly primaries: readonly PrimaryLine[];
  /** Keys that are taken from their users. */
  readonly released: readonly Omit<ClaimOfChunk, 'line'>[];
  /** Records whose keys belong to other users, who may give them up by a later line: decided when all lines are there. */
  readonly postponed: readonly number[];
  /** Records that touch a user that an earlier one of these changes: decided after that one is written. */
  readonly deferred: readonly number[];
  /** A later line of the chunk was found unchanged against a user that one of these changes: the chunk has to be written in order. */
  readonly isOutOfOrder: boolean;
  /** People who were removed here and are restored: their tombstones are removed. */
  readonly restored: readonly string[];
  /** Whether a key was taken from a user: chunks written at the same time did not see that. */
  readonly movesKeys: boolean;
  /** Whether a user changed that chunks written at the same time may have compared before, by another of its keys. */
  readonly isSeenByOthers: boolean;
}
