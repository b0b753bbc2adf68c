/** The input and the findings of an examination of a password hash. */

import type { HashLimits } from '../../domain/model.ts';
import type { HashKindName } from '../registry.ts';

/**
 * - `RIGHT`: the password has this hash, unchanged.
 * - `REPAIRED`: it has it after the one change that `repair` names.
 * - `WRONG`: it does not, and no change that was tried helps.
 * - `SIGNER_KEY_WRONG`: the password is right, but the configured signer key is not (see conclude.ts).
 * - `SIGNER_KEY_MISSING`: the password is right, but no signer key is configured.
 * - `RECOGNISED`: the hash has no fault; no password was given.
 * - `MALFORMED`: of a known kind, but damaged, truncated, wrapped, or contradicting the configured signer key.
 * - `NOT_A_HASH`: does not begin like anything known.
 * - `NO_PASSWORD`: the mark of an account without a password.
 * - `UNSUPPORTED`: a known kind that is not verified here.
 * - `OVER_CEILING`: more expensive than a ceiling of the configuration.
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

/** The input of an examination. Plain data, because it is sent to a thread. */
export interface ExamineInput {
  /** As in the export. */
  readonly hash: string;
  /** As an import names it; left out if the hash shows its kind. */
  readonly hashingAlgorithm?: string | undefined;
  readonly password?: string | undefined;
  readonly limits: HashLimits;
  /** Raw bytes. */
  readonly signerKey?: Uint8Array | undefined;
  /** UTF-8. */
  readonly pepper?: Uint8Array | undefined;
  /** Estimated milliseconds of one core for all repairs together; 0: only the unchanged hash is tried. */
  readonly budgetMs: number;
}

/** No field contains a part of the hash, of the password, or of a secret. */
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
  /** The password forms to state at the import, if those are the change: `--password-as`, `passwordTransforms`. */
  readonly passwordAs?: string;
  /** The field or setting to check. */
  readonly parameter?: string;
  /** The number of computations, and of those left out because the budget was used up. */
  readonly tried: number;
  readonly skipped: number;
  /** For the scrypt variant with a password: the values to which the stored hash decrypts. */
  readonly keys?: readonly KeyEvidence[];
}

/**
 * The scrypt variant encrypts the signer key, so the right password decrypts a stored hash to it, and a wrong one to noise. All
 * values are fingerprints: the beginning of a SHA-256.
 */
export interface KeyEvidence {
  /** The change under which it was decrypted; undefined: unchanged. */
  readonly repair: string | undefined;
  /** The fingerprint of the stored bytes: identifies the hash. */
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

/** The command's budget for the repairs of one hash: estimated milliseconds. */
export const commandBudgetMs = 10_000;
/** A core's budget for the repairs of the first failed canary. */
export const canaryBudgetMs = 5_000;
