/**
 * The parsers of src/exports/fields for values that no field declares: inside attributes, lookups and metadata. Unreadable values
 * are undefined, so nothing that identifies or guards an account is read by these.
 */

import type { SourceRow } from '../../fields/source-row.ts';
import { parseFlag } from '../../fields/flags.ts';
import { ambiguous, type Parsed, unparsable } from '../../fields/parsed.ts';
import { parseList, parseObject, parsePhone, parseText } from '../../fields/texts.ts';
import { parseMoment, type ParsedDate } from '../../fields/times.ts';

/**
 * Trimmed text that is not empty; whole numbers as text. A number beyond 2^53 is undefined: digits of an id may be lost. (The
 * readers return such numbers as texts.)
 */
export function textOf(value: unknown): string | undefined {
  return readOf(parseText(value));
}

/** A flag as booleans, numbers, words in any case, or MySQL's `bit(1)`. */
export function flagOf(value: unknown): boolean | undefined {
  return readOf(parseFlag(value));
}

/** When something happened, ms since the epoch. */
export function timeOf(value: unknown): number | undefined {
  return readOf(parseMoment(value));
}

/** An object, or the JSON text of one; SQL editors write jsonb as text. */
export function objectOf(value: unknown): SourceRow | undefined {
  return readOf(parseObject(value));
}

/** The objects of an array, or of the JSON text of one; empty when it is neither. */
export function objectsOf(value: unknown): readonly SourceRow[] {
  return listOf(value)
    .map(objectOf)
    .filter((each) => each !== undefined);
}

/** An array, or the JSON text of one; empty when it is neither. */
export function listOf(value: unknown): readonly unknown[] {
  return readOf(parseList(value)) ?? [];
}

function readOf<T>(parsed: Parsed<T> | ParsedDate<T>): T | undefined {
  return parsed === unparsable || parsed === ambiguous ? undefined : parsed;
}

/** A phone number in E.164; undefined without its country. */
export function phoneOf(value: unknown): string | undefined {
  return readOf(parsePhone(value));
}

/** Keys that would reach into an object's prototype if it is copied carelessly. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Metadata without keys that are absent, empty or dangerous; undefined when nothing is left. */
export function metadataOf(
  entries: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const kept: Record<string, unknown> = {};
  let isEmpty = true;
  for (const key of Object.keys(entries)) {
    const value = entries[key];
    if (!isSaid(value) || forbiddenKeys.has(key)) continue;
    kept[key] = value;
    isEmpty = false;
  }
  return isEmpty ? undefined : kept;
}

function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
