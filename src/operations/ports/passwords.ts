/** Verification of passwords, and reports of hashes. */

import type { TenantSettings } from '../../domain/model.ts';
import type { GuessState } from './guesses.ts';
import type { Restriction } from './restrictions.ts';

export interface Credential {
  /** The core's own id. */
  readonly userId: string;
  readonly passwordHash: string;
}

/** The stored data that a password is checked against. */
export interface FoundCredential {
  readonly credential: Credential | undefined;
  /** Refuses the user even if the password is right. */
  readonly restriction: Restriction | undefined;
  /**
   * A stored hash of another user of the tenant, chosen by a keyed hash of the email: that of the user with the next look-up key. Keys
   * are digests, so users are chosen almost uniformly, and an email's neighbour stays the same until that user changes. Undefined if
   * the tenant has no hash.
   */
  readonly neighbour: string | undefined;
  /** Undefined if no buckets were asked for. */
  readonly guesses?: GuessState;
}

export interface HashUpgrade {
  readonly appNo: number;
  /** The core's own id of the login method. */
  readonly userId: string;
  /** The stored hash that the password was checked against. */
  readonly from: string;
  readonly to: string;
  /** ms since the epoch */
  readonly at: number;
}

export interface SignInMark {
  readonly appNo: number;
  /** The core's own id of the login method. */
  readonly userId: string;
  /** ms since the epoch */
  readonly at: number;
  /** The stored hash that the password matched; absent for other recipes. */
  readonly passwordHash?: string;
}

/** A password without a sign-in: wrong, or right and only checked. */
export interface PasswordCheck {
  readonly appNo: number;
  /** The core's own id of the login method. */
  readonly userId: string;
  /** The stored hash that it was checked against. */
  readonly passwordHash: string;
  readonly isRight: boolean;
  /** ms since the epoch */
  readonly at: number;
}

/** A login method of which every password was refused since its hash was imported. */
export interface PasswordMismatch {
  /** The user's id as callers know it. */
  readonly userId: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly refusals: number;
  /** ms since the epoch */
  readonly refusedAt: number;
}

/** Data for reports of an app's hashes. */
export interface HashReportStore {
  /**
   * A page of hashes by user id, one a line; `next` is the `after` of the next page, undefined at the end.
   */
  hashes(appNo: number, after: string | undefined, limit: number): Promise<HashPage>;
  /** Number of login methods whose hash was upgraded at a sign-in. */
  countUpgraded(appNo: number): Promise<number>;
  /** Numbers of password users with an attempt since `since` (ms since the epoch), and with a right one. */
  activity(appNo: number, since: number): Promise<{ active: number; proven: number }>;
  /** Users active since then whose password never matched their hash, the latest first. */
  mismatches(appNo: number, since: number, limit: number): Promise<PasswordMismatch[]>;
}

export interface HashPage {
  readonly lines: string;
  readonly next: string | undefined;
}

/** Activity of a user. */
export interface Touch {
  readonly appNo: number;
  /** Id of the login method as callers know it; it may be unknown. */
  readonly id: string;
  /** ms since the epoch */
  readonly at: number;
}

export interface ActiveUserStore {
  /** Notes activity, to five minutes. Resolves after the commit. */
  touch(touch: Touch): Promise<void>;
  /** Number of users active since this time, ms since the epoch. */
  count(appNo: number, since: number): Promise<number>;
}

export interface SignInStore {
  /** Notes the last use of a login method. Resolves after the commit. */
  mark(mark: SignInMark): Promise<void>;
  /** Notes a check without a sign-in. Resolves after the commit. */
  markCheck(check: PasswordCheck): Promise<void>;
}

/** What the old system added to passwords or hashes. */
export type HashSecrets = Pick<TenantSettings, 'signerKey' | 'pepper'>;

/** Parameters of verifying a hash. */
export interface VerifyContext extends HashSecrets {
  readonly limits: TenantSettings['hashLimits'];
}

/** The origin of a password. */
export interface HashingBehalf {
  /** The app's number; apps share the threads fairly. */
  readonly party?: number;
  /** Aborted when the caller hangs up; a task that has not begun rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** No request waits for it, so tasks of requests come first. */
  readonly isBackground?: boolean;
}

/** Passwords, computed by worker threads. Every method refuses at once if too many wait, and a task that has waited too long. */
export interface PasswordHasher {
  /** @throws Refusal OVERLOADED or SHUTTING_DOWN if a password would be refused now */
  requireRoom(behalf?: HashingBehalf): void;
  verify(password: string, hash: string, context: VerifyContext, behalf?: HashingBehalf): Promise<boolean>;
  /** Takes the cost of verifying `hash`, or of the policy's hash without one; always false. */
  verifyDecoy(
    password: string,
    hash: string | undefined,
    context: VerifyContext,
    behalf?: HashingBehalf,
  ): Promise<false>;
  /** @returns a new hash by the configured policy */
  hash(password: string, behalf?: HashingBehalf): Promise<string>;
  /**
   * @param model a stored hash @returns a hash of the password in its spelling, at its cost, with another salt
   * @throws Error if `secrets` lack what the model was made with
   */
  hashLike(password: string, model: string, secrets: HashSecrets, behalf?: HashingBehalf): Promise<string>;
}
