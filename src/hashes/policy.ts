import type { HashPolicy } from '../domain/model.ts';
import { argon2Ms, bcryptBytes, bcryptMs } from './cost.ts';
import type { HashClass } from './hash-class.ts';
import type { ParsedHash } from './parsed.ts';
import { isArgon2AtLeast, owaspArgon2 } from './weakness.ts';

/** Bytes that one hash by `policy` allocates. */
export function policyBytes(policy: HashPolicy): number {
  return policy.algorithm === 'ARGON2' ? policy.memoryKb * 1024 : bcryptBytes;
}

/** Estimated milliseconds of one hash by `policy` on one core. */
export function policyMs(policy: HashPolicy): number {
  return policy.algorithm === 'ARGON2' ? argon2Ms(policy) : bcryptMs(policy.logRounds);
}

/** Version 1.3 of Argon2, which a new hash has; version 1.0 overwrites memory where it should mix (RFC 9106). */
const argon2Version = 19;

/**
 * Whether a new hash by `policy` would be stronger than `parsed`, or of a better kind. Under a policy of bcrypt an
 * Argon2id hash is as good when it is as OWASP asks (weakness.ts): nobody's hash is replaced by a weaker one.
 */
export function isBelowPolicy(parsed: ParsedHash, policy: HashPolicy): boolean {
  if (policy.algorithm === 'ARGON2') return !isArgon2idOf(parsed, policy);
  if (parsed.kind === 'bcrypt') return parsed.cost < policy.logRounds;
  return !isArgon2idOf(parsed, owaspArgon2);
}

function isArgon2idOf(
  parsed: ParsedHash,
  minimum: { readonly memoryKb: number; readonly iterations: number },
): boolean {
  if (parsed.kind !== 'argon2') return false;
  return parsed.variant === 'id' && parsed.version === argon2Version && isArgon2AtLeast(parsed, minimum);
}

/** Kind and cost of the hashes that are made by `policy`. */
export function policyClass(policy: HashPolicy): HashClass {
  if (policy.algorithm === 'BCRYPT') return { kind: 'bcrypt', cost: { logRounds: policy.logRounds } };
  const { memoryKb, iterations, parallelism } = policy;
  const cost = { variant: 'id', version: argon2Version, memoryKb, iterations, parallelism };
  return { kind: 'argon2', cost };
}
