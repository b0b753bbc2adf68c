/** Requests to the threads of imports, and their answers. Types only, plain data only. */

import type { Rival } from './parse/primaries.ts';
import type { RefusalCode } from '../domain/errors.ts';
import type { HashLimits } from '../domain/model.ts';
import type { PlaceSecret } from '../domain/place.ts';
import type { HashTally } from '../hashes/tally.ts';
import type { TallyTask } from '../hashes/tasks.ts';
import type { RequestSchema } from '../schema/fields.ts';
import type { ChunkPlan } from './chunks/plan.ts';
import type { NewJob, Reject } from './model.ts';
import type {
  Decided,
  Holders,
  ParsedChunk,
  RareKeyFilter,
  RemovedMatch,
  SingleRecord,
  SoughtKeys,
} from './parse/types.ts';

/** The rules of a job that each of its records is checked against. */
export type RulesOfJob = Pick<
  NewJob,
  'onConflict' | 'dryRun' | 'compare' | 'secondFactor' | 'sameIds' | 'idPrefix' | 'restoreRemoved'
>;

/** The limits of a sender who may only create users. */
export interface CreatesOnly {
  /** The name of their key. */
  readonly keyName: string;
  /** Whether the users may have roles. */
  readonly mayGiveRoles: boolean;
}

/** The keys by which an app's second factors are sealed. */
export interface FactorSealing {
  readonly appNo: number;
  /** The first one seals. Without one, records with second factors are rejected. */
  readonly keys: readonly Uint8Array[];
}

/** The rules against which a record is checked. */
export interface RecordRules extends RulesOfJob {
  /** Numbers of the app's tenants by their names. */
  readonly tenants: Readonly<Record<string, number>>;
  readonly limits: HashLimits;
  readonly signerKey: Uint8Array | undefined;
  readonly pepper: Uint8Array | undefined;
  readonly allowPlainText: boolean;
  /** The sender may only create users. */
  readonly createsOnly?: CreatesOnly | undefined;
  /** Left out if records are checked and not stored. */
  readonly sealing?: FactorSealing | undefined;
  /** Records whose keys others have may wait for the end of the upload. */
  readonly mayPostpone?: boolean;
  /** The records are all postponed ones: what they give up is free for each other. */
  readonly isTogether?: boolean;
  /** ms since the epoch: the join date of records without one, and the latest that is accepted. */
  readonly now: number;
}

/** With the source of new users' ids. */
export interface JobRules extends RecordRules {
  readonly placeSecret: PlaceSecret;
}

/** Lines → rows. */
export interface ParseTask {
  readonly type: 'parse';
  /** Whole lines; the last may lack its newline. Copied to the thread: a tenth of a millisecond a MiB. */
  readonly bytes: Uint8Array;
  readonly rules: JobRules;
  /** Default: `place`. */
  readonly plan?: ChunkPlan | undefined;
  /** Valid records, by ordinal, that are decided individually even if they are simple. */
  readonly individually?: (ArrayLike<number> & Iterable<number>) | 'all' | undefined;
  /** Records that may have a rare key are decided individually as well. */
  readonly rare?: RareKeyFilter | undefined;
}

/** The keys of records that are decided individually. */
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
  /** Those that are known to create one. */
  readonly rivals?: readonly Rival[];
  /** Those of them that were removed here. */
  readonly removed?: readonly RemovedMatch[];
  readonly rules: JobRules;
}

/** SHA-256 of each line, for jobs that list each. */
export interface DigestsTask {
  readonly type: 'digests';
  /** As in ParseTask. */
  readonly bytes: Uint8Array;
}

/** Lines of a receipt, up to the hash of their part of its tree. */
export interface BlockTask {
  readonly type: 'block';
  /** The job's: see receipts/leaf.ts. */
  readonly secret: Uint8Array;
  /** The number of the first line, from 1. */
  readonly first: number;
  /** SHA-256 of each line. */
  readonly digests: Uint8Array;
  /** A number for each line: see ledger/outcomes.ts. */
  readonly outcomes: Uint8Array;
  /** The line to be proven, if one is. */
  readonly proves?: number | undefined;
}

export interface HashedBlock {
  readonly root: Uint8Array;
  /** The line's salt, and its path within the block. */
  readonly proof?: { readonly salt: Uint8Array; readonly path: Uint8Array };
}

/** The body of a request, which is transferred to the thread. */
export interface BodyTask {
  readonly type: 'body';
  /** The form's name. */
  readonly name: string;
  readonly schema: RequestSchema;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** As BodyTask, for a list of users for the queue. */
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
  /** The result of the form's parse. */
  readonly input: unknown;
}

/** Without rejects, all other fields are set. */
export interface ReadUsers {
  /** `line`: the user's position in the list, from 1. */
  readonly rejects: readonly Reject[];
  /** The records, JSON without line breaks, concatenated. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** The end of each record, in bytes of `text`. */
  readonly ends: Uint32Array;
  /** For each record: see traces.ts; separated by commas. */
  readonly traces: readonly string[];
  /** For each record: see repeated.ts; null if it is to be imported. */
  readonly repeated: readonly (string | null)[];
  readonly passwords: readonly PlainPassword[];
}

export type RowsTask =
  | BodyTask
  | UsersTask
  | ParseTask
  | KeysTask
  | PasswordsTask
  | DecideTask
  | DigestsTask
  | BlockTask
  | TallyTask;

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
            : Task extends DigestsTask
              ? Uint8Array<ArrayBuffer>
              : Task extends BlockTask
                ? HashedBlock
                : Decided;
