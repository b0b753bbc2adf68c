/** Cost, strength and class of a parsed hash, and of the policy for new ones. */

import type { HashPolicy } from '../domain/model.ts';
import type { ClassCost } from './kind.ts';
import { argon2Ms, isArgon2AtLeast, owaspArgon2 } from './kinds/argon2.ts';
import { bcryptBytes, bcryptMs } from './kinds/bcrypt.ts';
import { rowFor, rowOf, type HashKindName, type ParsedHash } from './registry.ts';
import { changedBy, isKeptBy, shownForms } from './transforms/transforms.ts';

/** The cost of one verification of a hash. */
export interface HashCost {
  /** Bytes that it allocates at its peak, as the algorithm defines it. */
  readonly memoryBytes: number;
}

export function costOf(parsed: ParsedHash): HashCost {
  return { memoryBytes: rowFor(parsed).bytes(parsed) };
}

/**
 * Estimated milliseconds of one verification on one core: to compare kinds and costs, not for timeouts. For a password to which
 * the hash's forms make no difference, as is nearly always the case.
 */
export function workOf(parsed: ParsedHash): number {
  return rowFor(parsed).work(parsed);
}

/**
 * Whether guessing passwords is cheap for a thief of the hash: true for all fast hashes, and for slow ones below the
 * recommendation of the OWASP Password Storage Cheat Sheet (cheatsheetseries.owasp.org, as of 2025).
 */
export function isWeak(parsed: ParsedHash): boolean {
  return rowFor(parsed).isWeak(parsed);
}

/**
 * Whether no other password in practical use matches a hash of this kind as `password` does: see parts/certainty.ts.
 * @param password UTF-8, as it was verified
 * @param pepper of peppered bcrypt
 */
export function isCertain(
  { kind, passwordAs = [[]] }: Pick<ParsedHash, 'kind' | 'passwordAs'>,
  password: Buffer,
  pepper: Uint8Array | undefined,
): boolean {
  return passwordAs.every(
    (form) => isKeptBy(form, password) && rowOf(kind).isCertain(changedBy(form, password), pepper),
  );
}

/** The common properties of hashes of one kind and cost, by which reports count. Contains nothing that identifies a hash. */
export interface HashClass {
  readonly kind: HashKindName;
  readonly cost: ClassCost;
}

/** Kind and cost of a parsed hash. */
export function hashClass(parsed: ParsedHash): HashClass {
  const { kind, passwordAs } = parsed;
  const cost = rowFor(parsed).cost(parsed);
  return { kind, cost: passwordAs === undefined ? cost : { ...cost, passwordAs: shownForms(passwordAs) } };
}

/** Bytes that one hash by `policy` allocates. */
export function policyBytes(policy: HashPolicy): number {
  return policy.algorithm === 'ARGON2' ? policy.memoryKb * 1024 : bcryptBytes;
}

/** Estimated milliseconds of one hash by `policy` on one core. */
export function policyMs(policy: HashPolicy): number {
  return policy.algorithm === 'ARGON2' ? argon2Ms(policy) : bcryptMs(policy.logRounds);
}

/** Version 1.3 of Argon2, which new hashes have; version 1.0 overwrites memory instead of mixing (RFC 9106). */
const argon2Version = 19;

/**
 * Whether a new hash by `policy` would be stronger than `parsed`, or of a better kind. Under a policy of bcrypt an Argon2id hash
 * as strong as OWASP recommends counts as equal: no hash is replaced by a weaker one. A hash of anything but the typed password
 * is always below it: the new one is of the password as typed.
 */
export function isBelowPolicy(parsed: ParsedHash, policy: HashPolicy): boolean {
  if (parsed.passwordAs !== undefined) return true;
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

/** Kind and cost of the hashes that `policy` produces. */
export function policyClass(policy: HashPolicy): HashClass {
  if (policy.algorithm === 'BCRYPT') return { kind: 'bcrypt', cost: { logRounds: policy.logRounds } };
  const { memoryKb, iterations, parallelism } = policy;
  const cost = { variant: 'id', version: argon2Version, memoryKb, iterations, parallelism };
  return { kind: 'argon2', cost };
}
