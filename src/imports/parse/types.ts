/**
 * What is between a chunk of lines and the store. Columns are PostgreSQL array literals, made in the worker threads:
 * the event loop only passes them on. Types only.
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
  methodColumns,
  MethodRow,
  simpleColumns,
  soughtExternalColumns,
  soughtIdentityColumns,
  updateColumns,
} from '../../domain/user-columns.ts';

export type { Column };

/** What shows whether simple records state what was stated last; see SimpleRows. */
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
 * The same records as finished rows of the tables, in the binary form of COPY: for users who are expected to be all new.
 * Cells of users are in the order of `methodColumns`, after the app and the job, those of identities in that of their columns.
 * The bytes are in memory of their own, which the thread that made them hands over.
 */
export interface FinishedRows {
  readonly count: number;
  /** In the order of their lines. */
  readonly users: Uint8Array<ArrayBuffer>;
  /** By kind, key and tenant, so that two imports of the same people wait for each other instead of deadlocking. */
  readonly identities: Uint8Array<ArrayBuffer>;
  /** As of SimpleRows. */
  readonly tenants: Column;
  /** External ids of the form of core ids: none may be one. `{}` mostly. */
  readonly coreIds: Column;
  /** External ids with emails that are not verified, unless a pair says so that was there before. */
  readonly unverified: { readonly externalId: Column; readonly email: Column };
  /** Of the users who have any; restrictions are what the records state. */
  readonly details: ArraysOf<typeof detailsColumns>;
  readonly primaries: readonly PrimaryRow[];
}

/** The users who have the keys. Plain rows as the store reads them. */
export interface Holders {
  readonly identities: readonly IdentityHolder[];
  readonly externals: readonly ExternalHolder[];
  /** Every login method of every user among those, in the order of their ids. */
  readonly methods: readonly HeldMethod[];
  /** Numbers of tenants that are there; one that is missing was removed since. */
  readonly tenants: readonly number[];
}

/** One for each sought identity that is held or claimed. */
export interface IdentityHolder {
  readonly record: number;
  readonly method: number;
  readonly tenantNo: number;
  readonly kind: number;
  /** The login method that has it, if any. */
  readonly userId: string | null;
  /** The login method of which an import stated it, and which has changed it here. */
  readonly formerId: string | null;
  /** An earlier record of this job has used this key. */
  readonly isClaimed: boolean;
}

/** One for each sought external id that is held or claimed. */
export interface ExternalHolder {
  readonly record: number;
  /** The login method that is mapped to it. */
  readonly userId: string | null;
  /** It is the core id of some user: it cannot be an external one. */
  readonly isCoreId: boolean;
  readonly isClaimed: boolean;
}

export interface HeldMethod extends MethodRow<null> {
  /** `hashMark` of the hash that a sign-in made `passwordHash` of, if it did: a record with that one states the same. */
  readonly upgradedFrom: string | null;
  /** When it did; ms since the epoch. */
  readonly upgradedAt: number | null;
  /** When the password was last set by a request or a reset link here, ms since the epoch. */
  readonly passwordSetAt: number | null;
  /** When a reset link, which goes to the email, was last followed here, ms since the epoch; null if the email changed since. */
  readonly resetAt: number | null;
  /** Tenants where it can sign in, by number, ascending. */
  readonly tenants: readonly number[];
  /** Created by this very job. */
  readonly isOfThisJob: boolean;
  /** The last line of this job that found it unchanged, if any. */
  readonly unchangedAtLine: number | null;
  /** Details of the user, at its head only. Values as JSON.parse gives them. */
  readonly metadata: unknown;
  readonly roles: unknown;
  readonly totpDevices: unknown;
  /** Of the user, at each of the login methods. */
  readonly restrictions: KeptRestrictions | null;
}

/** What is to be written for records that were decided individually. */
export interface ChunkChanges {
  /** New login methods; one row each. */
  readonly users: CountedArraysOf<typeof methodColumns>;
  readonly identities: IdentityColumns;
  /** Login methods that were there: all of these columns as they will be. */
  readonly updates: CountedArraysOf<typeof updateColumns>;
  readonly removedIdentities: IdentityColumns;
  /** Keys that records state of login methods which have others here. */
  readonly formerIdentities: IdentityColumns;
  /** By the id of the user's head; NULL without one. Restrictions are as they are stored. */
  readonly details: CountedArraysOf<typeof detailsColumns>;
  /** Accounts that were signed up here, and are the records' from now on. */
  readonly takenOver: readonly TakenOver[];
}

/** What the store does before the other changes of a record that takes over an unproven account. */
export interface TakenOver {
  /** The id of the user that the login methods were linked to. */
  readonly head: string;
  /** Login methods that become users of their own. */
  readonly parted: readonly string[];
  /** The record's login methods: what was made here for them goes. */
  readonly methods: readonly string[];
  /** Login methods whose sessions and links end. */
  readonly ended: readonly string[];
  /** No login method of the head's user is left behind. */
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
  /** Whose tombstone it met: one id for all that is kept of a person. */
  readonly person: string;
}

/** The simple records of a chunk, in the form that its plan needs. */
export type ParsedRows =
  | { readonly form: 'finished'; readonly rows: FinishedRows }
  | { readonly form: 'compared'; readonly rows: ComparedRows }
  | { readonly form: 'columns'; readonly rows: SimpleRows };

/** What a worker makes of a chunk. */
export type ParsedChunk = ParsedLines & ParsedRows;

export interface ParsedLines {
  /** Physical lines, blank ones too. */
  readonly lines: number;
  readonly rejects: readonly Reject[];
  /** By the row's place in `rows`: where its record stands among the valid ones. */
  readonly simpleRecords: Uint32Array;
  /** Valid records that have to be decided individually from the start, ascending. */
  readonly complexRecords: Uint32Array;
  /** Their keys. */
  readonly complexKeys: SoughtKeys;
  /** Of each valid record n: start and end in the chunk's bytes at 2n and 2n+1. */
  readonly spans: Uint32Array;
  /** Of each valid record: its physical line within the chunk, from 1. */
  readonly linesOf: Uint32Array;
  /** Of each valid record: the kind of its hash as a place in `kindNames`; 255 for none. Of simple records only. */
  readonly kinds: Uint8Array;
  readonly kindNames: readonly string[];
  /** Of the valid records that have second factors, in the order of their lines. */
  readonly factors: readonly FactorsOfLine[];
  /** Of the valid records whose people cannot sign in: their physical lines within the chunk, from 1, by the reason. */
  readonly keptOut: readonly KeptOut[];
  /** Physical lines within the chunk, from 1, of the valid records that count for each of these. */
  readonly counted: Readonly<Record<LineCounter, readonly number[]>>;
  /**
   * 53-bit digests of every key of every valid record, sorted: two chunks of one job that share one are not written at
   * the same time.
   */
  readonly keys: Float64Array;
  /** Keys of records that were rejected as duplicates within the chunk; in a dry run those of every valid record. */
  readonly claims: readonly ClaimOfChunk[];
  /** A valid record has other keys than its line seems to have: a sketch of it would not have shown that. */
  readonly hasHiddenKeys: boolean;
  /** Given where the task asked for them. */
  readonly rare?: RareRecords | undefined;
  /** Given where the chunk was not parsed, but its lines may have come before: then there are neither records nor rejects. */
  readonly sketched?: SketchedLines | undefined;
}

/** What a thread looks keys up by. Plain data, for a message. */
export interface RareKeyFilter {
  /** In memory that is shared with the event loop, which adds marks. See block-filter.ts. */
  readonly words: Int32Array;
  readonly secret: string;
  readonly appNo: number;
}

/** The valid records of a chunk that may have a rare key, and what shows later whether another one has. */
export interface RareRecords {
  /** By ordinal, ascending. Each of them is decided individually. */
  readonly records: Uint32Array;
  /** Marks of all keys of the other records, ascending. */
  readonly marksOfOthers: Float64Array;
}

/** Lines that may be recognised by their marks; no two with the same key, also among those that are not. */
export interface SketchedLines extends CountedArraysOf<typeof markedColumns> {
  /** By the place in the columns: physical lines within the chunk, from 1. */
  readonly linesOf: Uint32Array;
  /** Where each physical line begins in the chunk's bytes. */
  readonly starts: Uint32Array;
  /** Lines were not sketched, and need to be parsed: blank ones do not count. */
  readonly hasOthers: boolean;
}

export interface ClaimOfChunk {
  readonly kind: number;
  readonly key: string;
  readonly tenantNo: number;
  /** Physical line within the chunk, from 1. */
  readonly line: number;
  /** `digestOf` the key: by it later chunks know whether they have to ask for claims. */
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
  /** Hashes made of plain-text passwords, by the login method's place. */
  readonly hashes?: Readonly<Record<number, string>>;
}

/** What a worker decides about single records. */
export interface Decided {
  readonly changes: ChunkChanges;
  readonly counts: {
    readonly created: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly skipped: number;
  };
  readonly byKind: ByKind;
  readonly rejects: readonly Reject[];
  readonly conflicts: readonly Conflict[];
  /** Users of which only the base is written. */
  readonly rebased: number;
  /** Keys of records that created nothing. `line` is the physical one in the upload. */
  readonly claims: readonly ClaimOfChunk[];
  readonly primaries: readonly PrimaryLine[];
  /** Keys that are taken from their users. */
  readonly released: readonly Omit<ClaimOfChunk, 'line'>[];
  /** Records whose keys belong to other users, who may give them up by a later line: to be decided when all lines are there. */
  readonly postponed: readonly number[];
  /** Records that touch a user that an earlier one of these changes: to be decided after it is written. */
  readonly deferred: readonly number[];
  /** A later line of the chunk was found unchanged against a user that one of these changes: the chunk must go in order. */
  readonly isOutOfOrder: boolean;
  /** People who were removed here and are brought back: their tombstones go. */
  readonly restored: readonly string[];
  /** Whether a key was taken from a user: chunks written at the same time did not see that. */
  readonly movesKeys: boolean;
  /** Whether a user changed that chunks written at the same time may have compared before, by another of its keys. */
  readonly isSeenByOthers: boolean;
}
