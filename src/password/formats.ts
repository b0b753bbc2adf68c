/** The door of this folder: recognises a password hash, parses it in full and bounds what verifying it may cost. */

import { Refusal, refusals } from '../errors.ts';
import type { RefusalCode } from '../errors.ts';
import type { HashLimits } from '../model.ts';
import { parseArgon2 } from './argon2.ts';
import { parseBcrypt } from './bcrypt.ts';
import { diagnose, faultOfSurroundings, kindByPrefix } from './diagnosis.ts';
import { hashCharactersLimit } from './limits.ts';
import { malformed } from './outcome.ts';
import type { Fault, FaultCode, HashKind, Outcome, ParsedHash } from './outcome.ts';
import { parseScryptVariant, scryptVariantPrefix } from './scrypt-variant.ts';

export { costOf } from './cost.ts';
export type { HashCost } from './cost.ts';
export type { HashKind, ParsedArgon2, ParsedBcrypt, ParsedHash, ParsedScryptVariant } from './outcome.ts';

/** Why a hash was refused; `message` is public text and holds nothing of the hash beyond its recognised prefix. */
export interface HashProblem {
  readonly ok: false;
  readonly code: FaultCode;
  readonly message: string;
}

export type HashResult = { readonly ok: true; readonly parsed: ParsedHash } | HashProblem;

const kindsByName: ReadonlyMap<string, HashKind> = new Map([
  ['bcrypt', 'bcrypt'],
  ['argon2', 'argon2'],
  ['provider_scrypt', 'provider_scrypt'],
  ['firebase_scrypt', 'provider_scrypt'],
]);

const labels: Readonly<Record<HashKind, string>> = {
  bcrypt: 'BCrypt ',
  argon2: 'Argon2 ',
  provider_scrypt: 'scrypt ',
};

const emptyMessage = 'Password hash cannot be an empty string';

const refusalCodes: Readonly<Record<FaultCode, RefusalCode>> = {
  malformed: 'INVALID_PASSWORD_HASH',
  'no-password': 'INVALID_PASSWORD_HASH',
  unsupported: 'INVALID_PASSWORD_HASH',
  'out-of-range': 'HASH_OVER_CEILING',
  'signer-key-missing': 'SIGNER_KEY_MISSING',
};

/** The kind called `name` in any case, `firebase_scrypt` being an alias; undefined when it is not supported. */
export function hashKindNamed(name: string): HashKind | undefined {
  return kindsByName.get(name.toLowerCase());
}

/**
 * Parses `hash` in full and holds it against `limits`; never throws.
 * @param given the kind that the caller named. Needed for the scrypt variant, whose signer key lies elsewhere.
 */
export function parseHash(hash: string, given: HashKind | undefined, limits: HashLimits): HashResult {
  if (hash === '') return { ok: false, code: 'no-password', message: emptyMessage };
  const outcome = recognise(hash, given, limits);
  return outcome.ok ? outcome : problemOf(outcome, given);
}

/** As parseHash for a hash that this core stored: it was accepted once, so its prefix alone says its kind. */
export function parseStoredHash(hash: string, limits: HashLimits): HashResult {
  return parseHash(hash, hash.startsWith(scryptVariantPrefix) ? 'provider_scrypt' : undefined, limits);
}

/** As parseHash, throwing a Refusal INVALID_PASSWORD_HASH or HASH_OVER_CEILING. */
export function requireHash(hash: string, given: HashKind | undefined, limits: HashLimits): ParsedHash {
  const result = parseHash(hash, given, limits);
  if (result.ok) return result.parsed;
  throw refusalOf(result);
}

/**
 * Why `parsed` cannot be verified with `signerKey`, undefined when it can or needs none.
 * The scrypt variant encrypts the signer key, so a hash of another length belongs to another key or was cut off.
 */
export function signerKeyProblem(
  parsed: ParsedHash,
  signerKey: Uint8Array | undefined,
): HashProblem | undefined {
  if (parsed.kind !== 'provider_scrypt') return undefined;
  if (signerKey === undefined) {
    return { ok: false, code: 'signer-key-missing', message: refusals.SIGNER_KEY_MISSING.message };
  }
  if (parsed.hashBytes === signerKey.length) return undefined;
  return problemOf(malformed('its hash is not as long as the configured signer key'), parsed.kind);
}

/** The refusal that answers a request for `problem`. */
export function refusalOf(problem: HashProblem): Refusal {
  return new Refusal(refusalCodes[problem.code], problem.message);
}

function recognise(hash: string, given: HashKind | undefined, limits: HashLimits): Outcome<ParsedHash> {
  if (hash.length > hashCharactersLimit)
    return malformed(`it is longer than ${hashCharactersLimit} characters`);
  const kind = kindByPrefix(hash);
  if (kind === undefined) return diagnose(hash, given);
  if (given !== undefined && given !== kind) {
    return malformed(`it begins like ${kind}: set hashingAlgorithm to ${kind}`);
  }
  if (kind === 'provider_scrypt' && given === undefined) {
    return malformed('hashingAlgorithm is required for this kind: set it to provider_scrypt');
  }
  const outcome = parseAs(kind, hash, limits);
  if (outcome.ok || outcome.code !== 'malformed') return outcome;
  return faultOfSurroundings(hash) ?? outcome;
}

function parseAs(kind: HashKind, hash: string, limits: HashLimits): Outcome<ParsedHash> {
  switch (kind) {
    case 'bcrypt':
      return parseBcrypt(hash, limits);
    case 'argon2':
      return parseArgon2(hash, limits);
    case 'provider_scrypt':
      return parseScryptVariant(hash, limits);
  }
}

function problemOf({ code, reason }: Fault, given: HashKind | undefined): HashProblem {
  const headline =
    code === 'out-of-range'
      ? refusals.HASH_OVER_CEILING.message
      : `Password hash is in invalid ${given === undefined ? '' : labels[given]}format`;
  return { ok: false, code, message: `${headline}: ${reason}` };
}
