/** What all spellings of PBKDF2 have in common: digests, bounds and cost. */

import type { HashLimits } from '../domain/model.ts';
import { keyBytesFloor, keyBytesLimit, saltBytesLimit } from './ceilings.ts';
import { overCeiling } from './limits.ts';
import { malformed } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { ParsedPbkdf2 } from './parsed.ts';

export type Pbkdf2Digest = 'sha1' | 'sha256' | 'sha512' | 'sha3-224' | 'sha3-384';

/** Bytes of a digest, and milliseconds of one iteration over one of them, on one core of 2023. */
const digests: Readonly<Record<Pbkdf2Digest, { readonly bytes: number; readonly ms: number }>> = {
  sha1: { bytes: 20, ms: 1.8e-4 },
  sha256: { bytes: 32, ms: 1.8e-4 },
  sha512: { bytes: 64, ms: 5.3e-4 },
  'sha3-224': { bytes: 28, ms: 9e-4 },
  'sha3-384': { bytes: 48, ms: 9e-4 },
};

/** Bytes that OpenSSL holds for one derivation, generously: two HMAC states and the key. */
export const pbkdf2Bytes = 4096;

type Pbkdf2Kind = 'pbkdf2' | 'pbkdf2_kratos' | 'aspnet';

/** What a spelling was read to; undefined where it was not what the spelling asks for. */
export interface Pbkdf2Parts {
  readonly digest: Pbkdf2Digest;
  readonly iterations: number | undefined;
  readonly salt: Buffer | undefined;
  readonly key: Buffer | undefined;
}

/** Bytes that the digest gives: what spellings without a length of their own derive. */
export function pbkdf2DigestBytes(digest: Pbkdf2Digest): number {
  return digests[digest].bytes;
}

/** Milliseconds of one verification. */
export function pbkdf2Ms({ digest, iterations, key }: ParsedPbkdf2<Pbkdf2Kind>): number {
  return iterations * blocksOf(digest, key) * digests[digest].ms;
}

/** RFC 8018 section 5.2: each further digest of derived key costs all iterations again. */
function blocksOf(digest: Pbkdf2Digest, key: Buffer): number {
  return Math.ceil(key.length / digests[digest].bytes);
}

export function pbkdf2Digest(name: string): Pbkdf2Digest | undefined {
  return name === 'sha1' || name === 'sha256' || name === 'sha512' ? name : undefined;
}

/** Bounds what was read. The ceiling holds for iterations times blocks, which is what time goes by. */
export function boundedPbkdf2<Kind extends Pbkdf2Kind>(
  kind: Kind,
  { digest, iterations, salt, key }: Pbkdf2Parts,
  limits: HashLimits,
): Outcome<ParsedPbkdf2<Kind>> {
  if (iterations === undefined || iterations < 1) {
    return malformed('its iteration count is not a whole number from 1 with at most 10 digits');
  }
  if (salt === undefined || salt.length === 0 || salt.length > saltBytesLimit) {
    return malformed(`its salt is empty, damaged or longer than ${saltBytesLimit} bytes`);
  }
  if (key === undefined || key.length < keyBytesFloor || key.length > keyBytesLimit) {
    return malformed(
      `its hash is damaged, cut off or not ${keyBytesFloor} to ${keyBytesLimit} bytes in the encoding it must have`,
    );
  }
  if (iterations * blocksOf(digest, key) > limits.pbkdf2MaxIterations) {
    return overCeiling('pbkdf2MaxIterations', limits);
  }
  return { ok: true, parsed: { kind, digest, iterations, salt, key } };
}
