import type { Tenant } from '../../domain/model.ts';

/** A session's id, a UUID, and its tenant. */
export interface SessionRef {
  readonly id: string;
  readonly tenantId: string;
}

/** External ids where users have them, else the core's; a text that is not a user's id stays as it is. */
export interface SessionUser {
  /** Of the user that the login method belongs to now. */
  readonly userId: string;
  /** Of the login method. */
  readonly recipeUserId: string;
}

interface SessionFacts {
  /** `hash2` of the refresh token, hexadecimal. */
  readonly refreshHash: string;
  /** When the refresh token ends, and when the session began: ms since the epoch. */
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly usesStaticKey: boolean;
  /** JSON texts. */
  readonly jwtPayload: string;
  readonly data: string;
}

/** A session without its user. */
export interface SessionRow extends SessionFacts {
  readonly tenant: Tenant;
  readonly id: string;
}

export interface SessionOfUser extends SessionRow {
  /** Any id of a user, or any other text. */
  readonly userId: string;
}

export interface StoredSession extends SessionRef, SessionUser, SessionFacts {}

/** Replaces the current refresh token if it is still the one that was read. */
export interface Promotion {
  readonly appNo: number;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly expiresAt: number;
}

export interface SessionChange {
  readonly appNo: number;
  readonly id: string;
  /** ms since the epoch; an expired session is not changed. */
  readonly now: number;
  readonly jwtPayload?: string;
  readonly data?: string;
  readonly usesStaticKey?: boolean;
}

/** Selects sessions by their user. */
export interface SessionsOfUser {
  readonly appNo: number;
  readonly userId: string;
  /** All tenants by default. */
  readonly tenantNo?: number;
  /** Includes all login methods of the user that the id belongs to, in place of that login method alone. */
  readonly ofLinkedAccounts: boolean;
}

export interface SessionStore {
  create(session: SessionOfUser): Promise<SessionUser | 'disabled'>;
  /** A session of a user who is disabled is not found. */
  find(appNo: number, id: string): Promise<StoredSession | undefined>;
  /** @returns false when the current token was another one */
  promote(promotion: Promotion): Promise<boolean>;
  /** @returns false when there is no such session, or it has ended */
  change(change: SessionChange): Promise<boolean>;
  /** Lists the sessions whose refresh token is valid at `now`. */
  list(which: SessionsOfUser, now: number): Promise<SessionRef[]>;
  /** @returns the sessions that existed */
  removeOfUser(which: SessionsOfUser): Promise<SessionRef[]>;
  remove(appNo: number, sessions: readonly SessionRef[]): Promise<SessionRef[]>;
}

/** static: one for each app, for good. dynamic: replaced from time to time. refresh: what refresh tokens are sealed with. */
export type KeyFamily = 'static' | 'dynamic' | 'refresh';

export interface StoredKey {
  readonly kid: string;
  readonly family: KeyFamily;
  /** ms since the epoch */
  readonly createdAt: number;
  /** SPKI, DER; null in the family `refresh`. */
  readonly publicKey: Uint8Array | null;
  /** PKCS #8 DER, or 32 bytes in the family `refresh`, sealed: see Sealer. */
  readonly sealedKey: Uint8Array;
}

/** A change of an app's keys. */
export interface KeyChange {
  readonly added: readonly StoredKey[];
  readonly removed: readonly string[];
}

export interface SigningKeyStore {
  /** The newest first. */
  list(appNo: number): Promise<StoredKey[]>;
  /**
   * Changes the keys while no other core can. Does nothing when the app was removed.
   * @param decide may be called again
   * @returns the keys after the change, the newest first
   */
  change(appNo: number, decide: (existing: readonly StoredKey[]) => KeyChange): Promise<StoredKey[]>;
}
