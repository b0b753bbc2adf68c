/** What the operations need to hold passwords against hashes, and to report on the hashes. */

import type { TenantSettings } from '../../domain/model.ts';
import type { GuessState } from './guesses.ts';
import type { Restriction } from './restrictions.ts';

export interface Credential {
  /** The core's own id. */
  readonly userId: string;
  readonly passwordHash: string;
}

/** What there is to hold a password against. */
export interface FoundCredential {
  readonly credential: Credential | undefined;
  /** Why the user is refused in spite of the right password. */
  readonly restriction: Restriction | undefined;
  /**
   * The stored hash of some user of the tenant, drawn by a keyed hash of the email: of the one whose look-up key follows
   * it. Keys are digests, so all of the tenant's password users are drawn nearly alike, and one email's is the same until
   * that user changes. Undefined when the tenant has none.
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
  /** The stored hash that the password was right for; absent for other recipes. */
  readonly passwordHash?: string;
}

/** The outcome for a password without a sign-in: it was wrong, or right and only checked. */
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

/** A login method whose password was only ever refused since its hash was imported. */
export interface PasswordMismatch {
  /** As callers know the user. */
  readonly userId: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly refusals: number;
  /** ms since the epoch */
  readonly refusedAt: number;
}

/** What is reported of the app's stored hashes. */
export interface HashReportStore {
  /**
   * The hashes of some users in the order of their ids, a line each; `next` is what the next page is `after`, undefined
   * at the end.
   */
  hashes(appNo: number, after: string | undefined, limit: number): Promise<HashPage>;
  /** Login methods whose hash is one that a sign-in made in place of another. */
  countUpgraded(appNo: number): Promise<number>;
  /** Password users for whom any password was tried since `since` (ms since the epoch), and those with the right one. */
  activity(appNo: number, since: number): Promise<{ active: number; proven: number }>;
  /** Of those active since then: whose password was never right for the hash that they have, the latest first. */
  mismatches(appNo: number, since: number, limit: number): Promise<PasswordMismatch[]>;
}

export interface HashPage {
  readonly lines: string;
  readonly next: string | undefined;
}

/** A user did something here. */
export interface Touch {
  readonly appNo: number;
  /** Any by which callers know the login method; it need not be a user's. */
  readonly id: string;
  /** ms since the epoch */
  readonly at: number;
}

export interface ActiveUserStore {
  /** Notes it, to the nearest five minutes. Resolves after the commit. */
  touch(touch: Touch): Promise<void>;
  /** Users who were active since then, ms since the epoch. */
  count(appNo: number, since: number): Promise<number>;
}

export interface SignInStore {
  /** Notes when a login method was used last. Resolves after the commit. */
  mark(mark: SignInMark): Promise<void>;
  /** Notes a check without a sign-in. Resolves after the commit. */
  markCheck(check: PasswordCheck): Promise<void>;
}

/** What verifying a hash needs in addition to the hash. */
export interface VerifyContext extends Pick<TenantSettings, 'signerKey' | 'pepper'> {
  readonly limits: TenantSettings['hashLimits'];
}

/** On whose behalf a password is computed. */
export interface HashingBehalf {
  /** The number of the app: hashes of one app do not keep those of others waiting. */
  readonly party?: number;
  /** Aborted when the caller has hung up: what has not begun is dropped, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** No request waits for it: tasks of requests go first. */
  readonly isBackground?: boolean;
}

/** CPU work, done by worker threads; all refuse at once when too much waits, and later what has waited for too long. */
export interface PasswordHasher {
  /** @throws Refusal OVERLOADED or SHUTTING_DOWN when a password that came now would be refused */
  requireRoom(behalf?: HashingBehalf): void;
  verify(password: string, hash: string, context: VerifyContext, behalf?: HashingBehalf): Promise<boolean>;
  /** Costs what verifying `hash` costs, or a hash of the policy without one, and is always false. */
  verifyDecoy(
    password: string,
    hash: string | undefined,
    context: VerifyContext,
    behalf?: HashingBehalf,
  ): Promise<false>;
  /** A new hash by the configured policy. */
  hash(password: string, behalf?: HashingBehalf): Promise<string>;
}
