/** From a string to a parsed hash: finds the spelling, checks the kind that the caller named, parses, bounds or diagnoses. */

import { Refusal, refusals, type RefusalCode } from '../domain/errors.ts';
import type { HashLimits } from '../domain/model.ts';
import { diagnose, diagnoseKnown, faultOfSurroundings } from './diagnose.ts';
import { plainForm } from './foreign-forms.ts';
import { malformed, type Fault, type FaultCode, type Outcome } from './kind.ts';
import { hashCharactersLimit } from './limits.ts';
import { rowFor, rowOf, type HashKindName, type ParsedHash } from './registry.ts';
import { spellingOf, tagged, untagged, type Spelling } from './spellings.ts';
import { formsText, parseForms, statedIn, stating } from './transforms/transforms.ts';

export type HashResult = { readonly ok: true; readonly parsed: ParsedHash } | HashProblem;

const emptyMessage = 'Password hash cannot be an empty string';

/**
 * Parses `hash` in full and checks it against `limits`; never throws.
 * @param given the kind that the caller named. Needed for the scrypt variant, whose signer key is elsewhere.
 */
export function parseHash(hash: string, given: HashKindName | undefined, limits: HashLimits): HashResult {
  const { forms, hash: bare } = statedIn(hash);
  if (forms !== undefined) return parseStated(forms, bare, given, limits);
  if (hash === '') return { ok: false, code: 'no-password', message: emptyMessage };
  const outcome = recognise(hash, given, limits);
  return outcome.ok ? outcome : problemOf(outcome, given);
}

/** A hash with password forms stated before it. */
function parseStated(
  text: string,
  hash: string,
  given: HashKindName | undefined,
  limits: HashLimits,
): HashResult {
  const passwordAs = parseForms(text);
  if (passwordAs !== undefined && 'message' in passwordAs)
    return problemOf(malformed(`what it states of the password ${passwordAs.message}`), given);
  if (statedIn(hash).forms !== undefined)
    return problemOf(malformed('it states twice what was done to the password'), given);
  const result = parseHash(hash, given, limits);
  if (!result.ok || passwordAs === undefined) return result;
  return { ok: true, parsed: { ...result.parsed, passwordAs } };
}

/** As parseHash for a hash that this core stored: it was accepted once, and storedForm made it show its kind. */
export function parseStoredHash(hash: string, limits: HashLimits): HashResult {
  return parseHash(hash, spellingOf(statedIn(hash).hash)?.kind, limits);
}

/**
 * The stored form of `hash`, which was parsed as `parsed`: itself, or converted from another system's form, or tagged with its
 * kind if it does not show it.
 */
export function storedForm(hash: string, parsed: ParsedHash): string {
  const { passwordAs } = parsed;
  const bare = bareForm(statedIn(hash).hash, parsed);
  return passwordAs === undefined ? bare : stating(formsText(passwordAs), bare);
}

function bareForm(hash: string, parsed: ParsedHash): string {
  const own = rowFor(parsed).storedAs?.(parsed);
  if (own !== undefined) return own;
  const plain = plainForm(hash)?.hash ?? hash;
  const showsKind = untagged(plain) !== undefined || spellingOf(plain)?.kind === parsed.kind;
  return showsKind ? plain : tagged(parsed.kind, plain);
}

/** The kind of a hash that this core stored: the name under which it can be imported again. */
export function storedKind(hash: string): HashKindName | undefined {
  const bare = statedIn(hash).hash;
  return (untagged(bare) ?? spellingOf(bare))?.kind;
}

/** Parses `hash` in full; never throws. @param given the kind that the caller named */
function recognise(hash: string, given: HashKindName | undefined, limits: HashLimits): Outcome<ParsedHash> {
  if (hash.length > hashCharactersLimit)
    return malformed(`it is longer than ${hashCharactersLimit} characters`);
  const inside = untagged(hash);
  if (inside !== undefined) return parseTagged(inside, given, limits);
  const plain = plainForm(hash);
  if (plain === undefined) return parseForm(hash, given, limits);
  const { kind, alsoNamed = [] } = plain;
  return parseForm(plain.hash, given === undefined || alsoNamed.includes(given) ? kind : given, limits);
}

/** Parses a string in a form of this core. */
function parseForm(hash: string, given: HashKindName | undefined, limits: HashLimits): Outcome<ParsedHash> {
  if (given !== undefined && rowOf(given).spellings.length === 0) return parseUnmarked(given, hash, limits);
  const spelling = spellingOf(hash);
  if (spelling === undefined) return parseUnmarked(given, hash, limits);
  const outcome = parseMarked(spelling, hash, given, limits);
  if (outcome.ok || outcome.code !== 'malformed') return outcome;
  return faultOfSurroundings(hash) ?? outcome;
}

function parseMarked(
  { kind, parse }: Spelling,
  hash: string,
  given: HashKindName | undefined,
  limits: HashLimits,
): Outcome<ParsedHash> {
  const { mustBeNamed, partOf } = rowOf(kind);
  if (given === undefined)
    return mustBeNamed === undefined ? parse(hash, limits) : unnamed(kind, parse(hash, limits));
  if (given === kind || given === partOf) return parse(hash, limits);
  // Two kinds may write the same mark: the named one reads it as its own, if it can.
  const own = rowOf(given).parseUnmarked?.(hash, limits);
  return own === undefined || (!own.ok && own.code === 'malformed') ? faultOfOtherName(kind) : own;
}

/** The fault of a hash whose kind must be named and was not; or the hash's own fault if no name would help. */
function unnamed(kind: HashKindName, outcome: Outcome<ParsedHash>): Fault {
  if (!outcome.ok && outcome.code === 'malformed') return outcome;
  return malformed(rowOf(kind).mustBeNamed ?? '');
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
  if (outcome === undefined) return diagnose(hash, limits);
  return outcome.ok || outcome.code !== 'malformed' ? outcome : (diagnoseKnown(hash, limits) ?? outcome);
}

function faultOfOtherName(kind: HashKindName): Fault {
  return malformed(`it begins like ${kind}: set hashingAlgorithm to ${kind}`);
}

/** Why a hash was refused; `message` is public text and contains nothing of the hash beyond its recognised prefix. */
export interface HashProblem {
  readonly ok: false;
  /** `unknown-name`: the caller named a kind that is not supported. */
  readonly code: FaultCode | 'unknown-name';
  readonly message: string;
  /** `message` without its advice, which may hold only for a hash without a salt. */
  readonly ifSalted?: string;
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
export function problemOf({ code, reason, ifSalted }: Fault, given: HashKindName | undefined): HashProblem {
  if (code === 'signer-key-missing') return { ok: false, code, message: reason };
  const headline =
    code === 'out-of-range'
      ? refusals.HASH_OVER_CEILING.message
      : `Password hash is in invalid ${given === undefined ? '' : `${rowOf(given).label} `}format`;
  const message = `${headline}: ${reason}`;
  return {
    ok: false,
    code,
    message,
    ...(ifSalted !== undefined && { ifSalted: `${headline}: ${ifSalted}` }),
  };
}

/** The refusal that answers a request for `problem`. */
export function refusalOf(problem: HashProblem): Refusal {
  return new Refusal(refusalCodes[problem.code], problem.message);
}
