import type { LegacySource, Tenant } from '../../domain/model.ts';
import type { FoundCredential } from './passwords.ts';

/** A password that an old system may have to decide about. */
export interface Guess {
  readonly tenant: Tenant;
  readonly email: string;
  readonly password: string;
  readonly address: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Whether a right password is stored here. */
  readonly moves: boolean;
}

/** `asked`: the source decides. `decoy`: the source is not asked, and it is to look as if it were. */
export interface Way {
  readonly source: LegacySource;
  readonly is: 'asked' | 'decoy';
}

/** How a sign-in asks old systems about passwords that are not here yet. */
export interface OldSystems {
  /** Which source decides about what was found, undefined where a hash of here does. A source past its end date does not count. */
  wayFor(tenant: Tenant, found: FoundCredential): Way | undefined;
  /**
   * @param userId the login method that is marked, undefined for an email that no user has here
   * @returns whether the password is right; then it is stored, if the guess says so
   * @throws Refusal LEGACY_UNAVAILABLE
   */
  isRight(source: LegacySource, guess: Guess, userId: string | undefined): Promise<boolean>;
  /** Takes as long as an answer about another user did, and fails as often. @throws Refusal LEGACY_UNAVAILABLE */
  pretend(tenant: Tenant, source: LegacySource, signal: AbortSignal | undefined): Promise<boolean>;
}
