/** Whether a hash may be imported: it is readable, below the ceilings, and the secrets for its verification are configured. */

import { refusals } from '../domain/errors.ts';
import type { HashLimits } from '../domain/model.ts';
import type { HashSecrets } from './kind.ts';
import { parseHash, problemOf, storedForm, type HashProblem } from './recognise.ts';
import { hashKindNamed, rowFor, rowOf, type HashKindName, type ParsedHash } from './registry.ts';

/** The settings that a hash is checked against. */
export interface HashSettings extends HashSecrets {
  readonly limits: HashLimits;
}

export interface AcceptedHash {
  readonly ok: true;
  readonly kind: HashKindName;
  readonly parsed: ParsedHash;
  /** Shows its kind. */
  readonly stored: string;
}

/**
 * Reads a hash that is to be imported, for a single import as for a record.
 * @param named the hashingAlgorithm that came with it
 * @returns the string to store, or why it could not be verified at a sign-in
 */
export function acceptHash(
  hash: string,
  named: string | undefined,
  settings: HashSettings,
): AcceptedHash | HashProblem {
  const given = named === undefined ? undefined : hashKindNamed(named);
  if (named !== undefined && given === undefined) return unknownName;
  const result = parseHash(hash, given, settings.limits);
  if (!result.ok) return result;
  const { parsed } = result;
  const problem = secretProblem(parsed, settings);
  if (problem !== undefined) return problem;
  return { ok: true, kind: parsed.kind, parsed, stored: storedForm(hash, parsed) };
}

const unknownName: HashProblem = {
  ok: false,
  code: 'unknown-name',
  message: refusals.UNSUPPORTED_HASHING_ALGORITHM.message,
};

/** Why `parsed` cannot be verified with these secrets, undefined when it can. */
export function secretProblem(parsed: ParsedHash, secrets: HashSecrets): HashProblem | undefined {
  const fault = rowFor(parsed).faultOfSecret?.(parsed, secrets);
  return fault && problemOf(fault, parsed.kind);
}

/** The part of `secrets` that verifying `parsed` needs. */
export function secretsFor({ kind }: ParsedHash, { signerKey, pepper }: HashSecrets): HashSecrets {
  const { secret } = rowOf(kind);
  return {
    signerKey: secret === 'signerKey' ? signerKey : undefined,
    pepper: secret === 'pepper' ? pepper : undefined,
  };
}
