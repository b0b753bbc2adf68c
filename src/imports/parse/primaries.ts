/** Primary users that a chunk creates or changes: what no two of them may share. Types only. */

import type { SharedInfo } from '../../operations/ports/linking.ts';
import type { JobRef, WritingJob } from '../model.ts';

/** A row of a primary user. */
export interface PrimaryRow {
  /** Its index in the rows. */
  readonly row: number;
  /** The user's id, 32 hexadecimal digits. */
  readonly head: string;
}

/** A record that would make a primary user share with another one what no two may share. */
export interface Rival {
  /** The record's physical line in the upload, from 1. */
  readonly line: number;
  readonly info: SharedInfo;
  /** 32 hexadecimal digits. */
  readonly key: string;
}

/** A record that creates a primary user, or changes what such a user may not share. */
export interface PrimaryLine {
  /** Physical line in the upload, from 1. */
  readonly line: number;
  /** The user's id, 32 hexadecimal digits. */
  readonly head: string;
}

/** A value of a primary user that no other one in any of its tenants may have. */
export interface PrimaryInfo {
  readonly info: SharedInfo;
  /** The kind of a dry run's claim on it. */
  readonly claimKind: number;
  /** 32 hexadecimal digits, as the key of an identity. */
  readonly key: string;
  /** 32 hexadecimal digits. Null if an earlier line of a dry run would have created or changed the user. */
  readonly head: string | null;
  /** The tenants of all login methods of the user. */
  readonly tenants: readonly number[];
}

/** The questions of a chunk about the primary users it has written. */
export interface PrimaryLooks {
  /** Prevents others from adding emails, phone numbers and provider identities to primary users, until the commit or `rollBack`. */
  holdPrimaries(job: JobRef): Promise<void>;
  /** All users who have something that primary users of the transaction share with other primary users, including themselves. */
  sharedInfos(job: WritingJob, heads: readonly string[]): Promise<readonly PrimaryInfo[]>;
  /** The values of primary users that no other one may have. */
  infosOf(job: JobRef, heads: readonly string[]): Promise<readonly PrimaryInfo[]>;
}
