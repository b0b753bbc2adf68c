import type { LegacySource, Tenant } from '../../domain/model.ts';
import type { FoundCredential } from './passwords.ts';

/** A password that an old system may have to verify. */
export interface Guess {
  readonly tenant: Tenant;
  readonly email: string;
  readonly password: string;
  readonly address: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Stores a right password. */
  readonly moves: boolean;
}

/** `asked`: the source decides. `decoy`: the source is not asked, but the answer must look as if it were. */
export interface Way {
  readonly source: LegacySource;
  readonly is: 'asked' | 'decoy';
}

/** Asks old systems about passwords that are not stored here yet. */
export interface OldSystems {
  /** @returns the source that decides; undefined if a stored hash does. Sources past their end date do not count */
  wayFor(tenant: Tenant, found: FoundCredential): Way | undefined;
  /**
   * @param userId the marked login method; undefined for an email that is unknown here
   * @returns whether the password is right; it is stored then, if the guess states that
   * @throws Refusal LEGACY_UNAVAILABLE
   */
  isRight(source: LegacySource, guess: Guess, userId: string | undefined): Promise<boolean>;
  /** Imitates the time and the failures of recent answers. @throws Refusal LEGACY_UNAVAILABLE */
  pretend(tenant: Tenant, source: LegacySource, signal: AbortSignal | undefined): Promise<boolean>;
}
