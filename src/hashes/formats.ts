/** The door of this folder: recognises a password hash, parses it in full and bounds what verifying it may cost. */

import type { HashLimits } from '../domain/model.ts';
import { isKind, kinds } from './kinds.ts';
import type { KindRow } from './kinds.ts';
import type { HashKind, ParsedHash } from './parsed.ts';
import { problemOf, refusalOf } from './problem.ts';
import type { HashProblem } from './problem.ts';
import { recognise } from './reading.ts';
import { scryptVariantString } from './scrypt-variant.ts';
import { spellingOf, tagged, untagged } from './recogniser.ts';

export type { HashKind, ParsedArgon2, ParsedBcrypt, ParsedHash, ParsedScryptVariant } from './parsed.ts';
export { refusalOf } from './problem.ts';
export type { HashProblem } from './problem.ts';
export { secretProblem, secretsFor, signerKeyProblem } from './secrets.ts';
export type { HashSecrets } from './secrets.ts';

export type HashResult = { readonly ok: true; readonly parsed: ParsedHash } | HashProblem;

/** Names that other systems use for a kind. */
const aliases: ReadonlyMap<string, HashKind> = new Map([['firebase_scrypt', 'provider_scrypt']]);

const emptyMessage = 'Password hash cannot be an empty string';

/** The kind called `name` in any case, `firebase_scrypt` being an alias; undefined when it is not supported. */
export function hashKindNamed(name: string): HashKind | undefined {
  const kind = name.toLowerCase();
  return isKind(kind) ? kind : aliases.get(kind);
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

/** As parseHash for a hash that this core stored: it was accepted once, and storedForm made it tell its kind. */
export function parseStoredHash(hash: string, limits: HashLimits): HashResult {
  return parseHash(hash, spellingOf(hash)?.kind, limits);
}

/**
 * What to store of `hash`, which was parsed as `parsed`: itself, or tagged with its kind where it does not tell it.
 * The scrypt variant loses the signer key that it may carry: that stays in the configuration.
 */
export function storedForm(hash: string, parsed: ParsedHash): string {
  if (parsed.kind === 'provider_scrypt' && parsed.signerKey !== undefined) return scryptVariantString(parsed);
  const tells = untagged(hash) !== undefined || spellingOf(hash)?.kind === parsed.kind;
  return tells ? hash : tagged(parsed.kind, hash);
}

/** The kind of a hash that this core stored: the name under which an import takes it again. */
export function storedKind(hash: string): HashKind | undefined {
  return (untagged(hash) ?? spellingOf(hash))?.kind;
}

/** What one verification of a hash takes. */
export interface HashCost {
  /** Bytes that it allocates at its peak, as the algorithm defines it. */
  readonly memoryBytes: number;
}

export function costOf(parsed: ParsedHash): HashCost {
  return { memoryBytes: knownRow(parsed).bytes(parsed) };
}

/** Estimated milliseconds of one verification on one core: to compare kinds and costs, not to time anything by. */
export function workOf(parsed: ParsedHash): number {
  return knownRow(parsed).work(parsed);
}

function knownRow(parsed: ParsedHash): KindRow<ParsedHash> {
  // A row of its own kind: what TypeScript cannot see through the union.
  return kinds[parsed.kind] as KindRow<ParsedHash>;
}

/** As parseHash, throwing a Refusal INVALID_PASSWORD_HASH or HASH_OVER_CEILING. */
export function requireHash(hash: string, given: HashKind | undefined, limits: HashLimits): ParsedHash {
  const result = parseHash(hash, given, limits);
  if (result.ok) return result.parsed;
  throw refusalOf(result);
}
