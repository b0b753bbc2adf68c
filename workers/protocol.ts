/** What crosses the border to a worker thread: types only, plain data only. */

import type { OnConflict } from '../src/bulk/job.ts';
import type { Decided, Holders, ParsedChunk, SingleRecord, SoughtKeys } from '../src/bulk/rows.ts';
import type { HashLimits, HashPolicy } from '../src/model.ts';

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

export type PasswordTask = VerifyTask | HashTask;

/** For `verify` whether the password is right, for `hash` the new hash. */
export type PasswordResult<Task extends PasswordTask> = Task extends VerifyTask ? boolean : string;

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
  /** ms since the epoch: the join date of whoever brings none, and the latest that is believed. */
  readonly now: number;
}

/** Lines → rows. */
export interface ParseTask {
  readonly type: 'parse';
  /** Whole lines; the last may lack its newline. Copied to the thread: a tenth of a millisecond a MiB. */
  readonly bytes: Uint8Array;
  /** Whether a byte order mark may stand in front. */
  readonly isFirst: boolean;
  readonly rules: RecordRules;
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
  readonly rules: RecordRules;
}

export type RowsTask = ParseTask | KeysTask | PasswordsTask | DecideTask;

export interface PlainPassword {
  readonly record: number;
  readonly method: number;
  readonly password: string;
}

export type RowsResult<Task extends RowsTask> = Task extends ParseTask
  ? ParsedChunk
  : Task extends KeysTask
    ? SoughtKeys
    : Task extends PasswordsTask
      ? readonly PlainPassword[]
      : Decided;
