/** What an examination of a password hash is asked, and what it finds. */

import type { HashLimits } from '../../domain/model.ts';
import type { HashKindName } from '../registry.ts';

/**
 * - `RIGHT`: the password has this hash, as it stands.
 * - `REPAIRED`: it has it after the one change that `repair` names.
 * - `WRONG`: it has not, and no change that was tried helps.
 * - `SIGNER_KEY_WRONG`: the password is right and the configured signer key is not (see conclude.ts).
 * - `SIGNER_KEY_MISSING`: the password is right and no signer key is configured.
 * - `RECOGNISED`: nothing is wrong with the hash; no password was given.
 * - `MALFORMED`: of a known kind, and damaged, cut off, wrapped, or against the configured signer key.
 * - `NOT_A_HASH`: begins like nothing that is known.
 * - `NO_PASSWORD`: the mark of an account without a password.
 * - `UNSUPPORTED`: a known kind that is not verified here.
 * - `OVER_CEILING`: dearer than a ceiling of the configuration.
 * - `SECRET_MISSING`: needs a signer key or a pepper that is not configured.
 */
export type ExaminationCode =
  | 'RIGHT'
  | 'REPAIRED'
  | 'WRONG'
  | 'SIGNER_KEY_WRONG'
  | 'SIGNER_KEY_MISSING'
  | 'RECOGNISED'
  | 'MALFORMED'
  | 'NOT_A_HASH'
  | 'NO_PASSWORD'
  | 'UNSUPPORTED'
  | 'OVER_CEILING'
  | 'SECRET_MISSING';

/** What is examined. Plain data, because it crosses to a thread. */
export interface ExamineInput {
  /** As it stands in the export. */
  readonly hash: string;
  /** As an import names it; left out where the hash shows its kind. */
  readonly hashingAlgorithm?: string | undefined;
  readonly password?: string | undefined;
  readonly limits: HashLimits;
  /** Raw bytes. */
  readonly signerKey?: Uint8Array | undefined;
  /** UTF-8. */
  readonly pepper?: Uint8Array | undefined;
  /** Estimated milliseconds of one core that repairs may take together; 0: the hash is tried only as it stands. */
  readonly budgetMs: number;
}

/** No field holds a part of the hash, of the password, or of a secret. */
export interface Examination {
  readonly code: ExaminationCode;
  readonly kind?: HashKindName;
  /** Kind and cost in words. */
  readonly description?: string;
  /** One sentence. */
  readonly message: string;
  /** The cure, or the most likely causes, most likely first. */
  readonly advice: readonly string[];
  /** The name of the change that helps. */
  readonly repair?: string;
  /** What to state of the password at the import, where that is the change: `--password-as`, `passwordTransforms`. */
  readonly passwordAs?: string;
  /** The field or setting to look at. */
  readonly parameter?: string;
  /** Computations made, and those left out because the budget was used up. */
  readonly tried: number;
  readonly skipped: number;
  /** Of the scrypt variant with a password: what the stored hash decrypts to. */
  readonly keys?: readonly KeyEvidence[];
}

/**
 * The scrypt variant encrypts the signer key, so the right password decrypts a stored hash to it, and a wrong one to noise.
 * All values are fingerprints: the beginning of a SHA-256.
 */
export interface KeyEvidence {
  /** The change under which it was decrypted; undefined: as it stands. */
  readonly repair: string | undefined;
  /** Of the stored bytes: identifies the hash. */
  readonly stored: string;
  readonly decrypted: string;
  readonly configured: string | undefined;
}

/** Settings that advice and canaries name. */
export const parameters = {
  hash: 'passwordHash',
  algorithm: 'hashingAlgorithm',
  password: 'password',
  transforms: 'passwordTransforms',
  signerKey: 'provider_password_hashing_signer_key',
  pepper: 'bcrypt_pepper',
} as const;

/** What the command spends on the repairs of one hash: estimated milliseconds. */
export const commandBudgetMs = 10_000;
/** What a core spends on those of the canary that failed first. */
export const canaryBudgetMs = 5_000;
