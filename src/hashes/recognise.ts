/** From a string to a parsed hash: finds the spelling, holds the caller's word against it, parses, bounds or diagnoses. */

import { Refusal, refusals, type RefusalCode } from '../domain/errors.ts';
import type { HashLimits } from '../domain/model.ts';
import { diagnose, diagnoseKnown, faultOfSurroundings } from './diagnose.ts';
import { malformed, type Fault, type FaultCode, type Outcome } from './kind.ts';
import { hashCharactersLimit } from './limits.ts';
import { rowFor, rowOf, type HashKindName, type ParsedHash } from './registry.ts';
import { spellingOf, tagged, untagged } from './spellings.ts';

export type HashResult = { readonly ok: true; readonly parsed: ParsedHash } | HashProblem;

const emptyMessage = 'Password hash cannot be an empty string';

/**
 * Parses `hash` in full and holds it against `limits`; never throws.
 * @param given the kind that the caller named. Needed for the scrypt variant, whose signer key lies elsewhere.
 */
export function parseHash(hash: string, given: HashKindName | undefined, limits: HashLimits): HashResult {
  if (hash === '') return { ok: false, code: 'no-password', message: emptyMessage };
  const outcome = recognise(hash, given, limits);
  return outcome.ok ? outcome : problemOf(outcome, given);
}

/** As parseHash for a hash that this core stored: it was accepted once, and storedForm made it show its kind. */
export function parseStoredHash(hash: string, limits: HashLimits): HashResult {
  return parseHash(hash, spellingOf(hash)?.kind, limits);
}

/**
 * What to store of `hash`, which was parsed as `parsed`: itself, or tagged with its kind where it does not show it.
 */
export function storedForm(hash: string, parsed: ParsedHash): string {
  const own = rowFor(parsed).storedAs?.(parsed);
  if (own !== undefined) return own;
  const showsKind = untagged(hash) !== undefined || spellingOf(hash)?.kind === parsed.kind;
  return showsKind ? hash : tagged(parsed.kind, hash);
}

/** The kind of a hash that this core stored: the name under which an import takes it again. */
export function storedKind(hash: string): HashKindName | undefined {
  return (untagged(hash) ?? spellingOf(hash))?.kind;
}

/** Parses `hash` in full; never throws. @param given the kind that the caller named */
function recognise(hash: string, given: HashKindName | undefined, limits: HashLimits): Outcome<ParsedHash> {
  if (hash.length > hashCharactersLimit)
    return malformed(`it is longer than ${hashCharactersLimit} characters`);
  const inside = untagged(hash);
  if (inside !== undefined) return parseTagged(inside, given, limits);
  if (given !== undefined && rowOf(given).spellings.length === 0) return parseUnmarked(given, hash, limits);
  const spelling = spellingOf(hash);
  if (spelling === undefined) return parseUnmarked(given, hash, limits);
  const outcome = faultOfName(spelling.kind, given) ?? spelling.parse(hash, limits);
  if (outcome.ok || outcome.code !== 'malformed') return outcome;
  return faultOfSurroundings(hash) ?? outcome;
}

function parseTagged(
  { kind, hash }: { readonly kind: HashKindName | undefined; readonly hash: string },
  given: HashKindName | undefined,
  limits: HashLimits,
): Outcome<ParsedHash> {
  if (kind === undefined) return malformed('its tag names no kind that is stored with a tag');
  if (given !== undefined && given !== kind) return faultOfOtherName(kind);
  return parseUnmarked(kind, hash, limits);
}

function parseUnmarked(
  given: HashKindName | undefined,
  hash: string,
  limits: HashLimits,
): Outcome<ParsedHash> {
  const outcome = given && rowOf(given).parseUnmarked?.(hash, limits);
  if (outcome === undefined) return diagnose(hash);
  return outcome.ok || outcome.code !== 'malformed' ? outcome : (diagnoseKnown(hash) ?? outcome);
}

/** The fault of a caller that named another kind than the hash shows, or none where one is needed. */
function faultOfName(kind: HashKindName, given: HashKindName | undefined): Fault | undefined {
  const { mustBeNamed, partOf } = rowOf(kind);
  if (given !== undefined) return given === kind || given === partOf ? undefined : faultOfOtherName(kind);
  if (mustBeNamed !== true) return undefined;
  return malformed(`hashingAlgorithm is required for this kind: set it to ${kind}`);
}

function faultOfOtherName(kind: HashKindName): Fault {
  return malformed(`it begins like ${kind}: set hashingAlgorithm to ${kind}`);
}

/** Why a hash was refused; `message` is public text and holds nothing of the hash beyond its recognised prefix. */
export interface HashProblem {
  readonly ok: false;
  /** `unknown-name`: the caller named a kind that is not supported. */
  readonly code: FaultCode | 'unknown-name';
  readonly message: string;
}

const refusalCodes: Readonly<Record<HashProblem['code'], RefusalCode>> = {
  malformed: 'INVALID_PASSWORD_HASH',
  'no-password': 'INVALID_PASSWORD_HASH',
  unsupported: 'INVALID_PASSWORD_HASH',
  'out-of-range': 'HASH_OVER_CEILING',
  'signer-key-missing': 'SIGNER_KEY_MISSING',
  'pepper-missing': 'INVALID_PASSWORD_HASH',
  'unknown-name': 'UNSUPPORTED_HASHING_ALGORITHM',
};

/** `fault` as a problem; `given`: the kind that the caller named, for the headline. */
export function problemOf({ code, reason }: Fault, given: HashKindName | undefined): HashProblem {
  if (code === 'signer-key-missing') return { ok: false, code, message: reason };
  const headline =
    code === 'out-of-range'
      ? refusals.HASH_OVER_CEILING.message
      : `Password hash is in invalid ${given === undefined ? '' : `${rowOf(given).label} `}format`;
  return { ok: false, code, message: `${headline}: ${reason}` };
}

/** The refusal that answers a request for `problem`. */
export function refusalOf(problem: HashProblem): Refusal {
  return new Refusal(refusalCodes[problem.code], problem.message);
}
