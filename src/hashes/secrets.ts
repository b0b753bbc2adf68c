/** What verifying a hash takes beside the hash: secrets of the configuration, whose absence is said at import. */

import { timingSafeEqual } from 'node:crypto';
import { refusals } from '../domain/errors.ts';
import { fault, malformed } from './outcome.ts';
import type { ParsedHash } from './parsed.ts';
import { problemOf } from './problem.ts';
import type { HashProblem } from './problem.ts';

/** What lies in the configuration and never in a row. */
export interface HashSecrets {
  /** Raw bytes of the scrypt variant's signer key. */
  readonly signerKey: Uint8Array | undefined;
  /** What the old system added to the end of each password before bcrypt. */
  readonly pepper?: Uint8Array | undefined;
}

/**
 * Why `parsed` cannot be verified with `signerKey`, undefined when it can or needs none.
 * The scrypt variant encrypts the signer key, so a hash of another length belongs to another key or was cut off.
 * A key that the hash carries must be the configured one: it is a secret of the project, not of a row.
 */
export function signerKeyProblem(
  parsed: ParsedHash,
  signerKey: Uint8Array | undefined,
): HashProblem | undefined {
  if (parsed.kind !== 'provider_scrypt') return undefined;
  if (signerKey === undefined) {
    return { ok: false, code: 'signer-key-missing', message: refusals.SIGNER_KEY_MISSING.message };
  }
  if (parsed.hashBytes !== signerKey.length) {
    return problemOf(malformed('its hash is not as long as the configured signer key'), parsed.kind);
  }
  if (parsed.signerKey === undefined || isSameKey(parsed.signerKey, signerKey)) return undefined;
  return problemOf(malformed('the signer key that it carries is not the configured one'), parsed.kind);
}

/** In constant time, because who imports need not know the key. */
function isSameKey(base64: string, signerKey: Uint8Array): boolean {
  const carried = Buffer.from(base64, 'base64');
  return carried.length === signerKey.length && timingSafeEqual(carried, signerKey);
}

/** Why `parsed` cannot be verified with these secrets, undefined when it can. */
export function secretProblem(parsed: ParsedHash, secrets: HashSecrets): HashProblem | undefined {
  if (parsed.kind !== 'bcrypt_peppered') return signerKeyProblem(parsed, secrets.signerKey);
  if (secrets.pepper !== undefined && secrets.pepper.length > 0) return undefined;
  return problemOf(fault('pepper-missing', "no pepper is configured: set 'bcrypt_pepper'"), parsed.kind);
}

/** Those of `secrets` that verifying `parsed` needs. */
export function secretsFor({ kind }: ParsedHash, { signerKey, pepper }: HashSecrets): HashSecrets {
  return {
    signerKey: kind === 'provider_scrypt' ? signerKey : undefined,
    pepper: kind === 'bcrypt_peppered' ? pepper : undefined,
  };
}
