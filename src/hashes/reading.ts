/** From a string to a parsed hash: finds the spelling, holds the caller's word against it, and parses or diagnoses. */

import type { HashLimits } from '../domain/model.ts';
import { hashCharactersLimit } from './ceilings.ts';
import { diagnose, diagnoseKnown, faultOfSurroundings } from './diagnosis.ts';
import { rowOf } from './kinds.ts';
import { malformed } from './outcome.ts';
import type { Fault, HashKind, Outcome } from './outcome.ts';
import type { ParsedHash } from './parsed.ts';
import { spellingOf, untagged } from './recogniser.ts';

/** Parses `hash` in full; never throws. @param given the kind that the caller named */
export function recognise(
  hash: string,
  given: HashKind | undefined,
  limits: HashLimits,
): Outcome<ParsedHash> {
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
  { kind, hash }: { readonly kind: HashKind | undefined; readonly hash: string },
  given: HashKind | undefined,
  limits: HashLimits,
): Outcome<ParsedHash> {
  if (kind === undefined) return malformed('its tag names no kind that is stored with a tag');
  if (given !== undefined && given !== kind) return faultOfOtherName(kind);
  return parseUnmarked(kind, hash, limits);
}

function parseUnmarked(given: HashKind | undefined, hash: string, limits: HashLimits): Outcome<ParsedHash> {
  const outcome = given && rowOf(given).parseUnmarked?.(hash, limits);
  if (outcome === undefined) return diagnose(hash);
  return outcome.ok || outcome.code !== 'malformed' ? outcome : (diagnoseKnown(hash) ?? outcome);
}

/** The fault of a caller that named another kind than the hash tells, or none where one is needed. */
function faultOfName(kind: HashKind, given: HashKind | undefined): Fault | undefined {
  const { mustBeNamed, partOf } = rowOf(kind);
  if (given !== undefined) return given === kind || given === partOf ? undefined : faultOfOtherName(kind);
  if (mustBeNamed !== true) return undefined;
  return malformed(`hashingAlgorithm is required for this kind: set it to ${kind}`);
}

function faultOfOtherName(kind: HashKind): Fault {
  return malformed(`it begins like ${kind}: set hashingAlgorithm to ${kind}`);
}
