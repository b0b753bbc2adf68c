/** Primary users that a chunk makes or changes: what no two of them may have in common. Types only. */

import type { SharedInfo } from '../../operations/ports/linking.ts';
import type { JobRef, WritingJob } from '../model.ts';

/** A row of a primary user. */
export interface PrimaryRow {
  /** Its place in the rows. */
  readonly row: number;
  /** The user's id, 32 hexadecimal digits. */
  readonly head: string;
}

/** A record that would make a primary user share with another one what no two may. */
export interface Rival {
  /** The record's physical line in the upload, from 1. */
  readonly line: number;
  readonly info: SharedInfo;
  /** 32 hexadecimal digits. */
  readonly key: string;
}

/** A record that makes a primary user, or changes what no other user shares with it. */
export interface PrimaryLine {
  /** Physical line in the upload, from 1. */
  readonly line: number;
  /** The user's id, 32 hexadecimal digits. */
  readonly head: string;
}

/** What a primary user has, and no other one in any of its tenants may have. */
export interface PrimaryInfo {
  readonly info: SharedInfo;
  /** The kind of a dry run's claim of it. */
  readonly claimKind: number;
  /** As that of an identity: 32 hexadecimal digits. */
  readonly key: string;
  /** 32 hexadecimal digits, too. Null where an earlier line of a dry run would have made or changed the user. */
  readonly head: string | null;
  /** Of all login methods of the user. */
  readonly tenants: readonly number[];
}

/** What a chunk asks about the primary users it has written. */
export interface PrimaryLooks {
  /**
   * Keeps others from bringing emails, phone numbers and provider identities to primary users, until the commit or
   * `rollBack`.
   */
  holdPrimaries(job: JobRef): Promise<void>;
  /** Of what primary users of the transaction share with other ones: all users who have it, themselves included. */
  sharedInfos(job: WritingJob, heads: readonly string[]): Promise<readonly PrimaryInfo[]>;
  /** What primary users have that no other one may have. */
  infosOf(job: JobRef, heads: readonly string[]): Promise<readonly PrimaryInfo[]>;
}
