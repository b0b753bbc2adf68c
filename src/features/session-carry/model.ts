import type { Tenant } from '../../domain/model.ts';
import type { SessionRow } from '../sessions/feature.ts';

/** A session that is begun for a token of an old system. */
export interface CarriedSession extends SessionRow {
  /** The user's id at the old system: the external id here. */
  readonly externalId: string;
  /** SHA-256, hexadecimal, of the token's fingerprint. */
  readonly tokenDigest: string;
  /** A digest of the caller, hexadecimal: its repeats get the same session. */
  readonly caller: string;
  readonly antiCsrf: boolean;
  /** See earliestIssue; ms since the epoch. */
  readonly issuedAt: number;
  /** When the token's digest may be removed; ms since the epoch. */
  readonly keptUntil: number;
}

/** Why a user may not have a session for a token. */
export type CarryObstacle = 'unknown-user' | 'other-tenant' | 'restricted' | 'revoked';

export interface CarriedBefore {
  readonly sessionId: string;
  readonly caller: string;
  readonly antiCsrf: boolean;
  readonly carriedAt: number;
}

export type CarryOutcome =
  | {
      readonly outcome: 'carried';
      readonly userId: string;
      readonly recipeUserId: string;
      /** The core's own id of the login method. */
      readonly methodId: string;
    }
  | { readonly outcome: 'before'; readonly before: CarriedBefore }
  | { readonly outcome: 'refused'; readonly obstacle: CarryObstacle };

/** A token of an old system that only that system can read. Times in ms since the epoch. */
export interface OpaqueToken {
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
  /** At the old system. */
  readonly userId: string;
  readonly expiresAt: number;
  readonly issuedAt: number | undefined;
}

export interface FoundOpaque extends Omit<OpaqueToken, 'digest'> {
  readonly importedAt: number;
}

export interface OpaqueTokens {
  readonly tenant: Tenant;
  readonly source: string;
  readonly importedAt: number;
  readonly tokens: readonly OpaqueToken[];
}

export interface CarryStore {
  findOpaque(sought: {
    readonly tenant: Tenant;
    readonly source: string;
    readonly digest: string;
  }): Promise<FoundOpaque | undefined>;
  /** Replaces tokens that are stored already, except for the time of their import. */
  keepOpaque(tokens: OpaqueTokens): Promise<void>;
  /**
   * Stores the session if its token was never exchanged and its user may have a session for it. The statement that writes the
   * session decides both, so cores need not agree.
   */
  carry(session: CarriedSession): Promise<CarryOutcome>;
}
