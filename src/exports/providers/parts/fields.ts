/** Small readers for values of exports. They never throw: what is not what its source writes is undefined. */

import type { SourceRow } from '../provider.ts';

export { timeOf } from './times.ts';

/** How dumps spell an absent value: MySQL and COPY `\N`; phpMyAdmin and SQL Server `NULL`. */
const absentTexts: ReadonlySet<string> = new Set(['', '\\N', 'NULL']);

/**
 * Trimmed text that is not empty; whole numbers as text. A number beyond 2^53 is undefined: digits of an id may be lost.
 * (The readers hand over numbers that long as texts.)
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return absentTexts.has(text) ? undefined : text;
}

const yes: ReadonlySet<unknown> = new Set([
  true,
  1,
  'true',
  't',
  '1',
  'yes',
  'y',
  'on',
  "b'1'",
  '0x01',
  '\u0001',
]);
const no: ReadonlySet<unknown> = new Set([
  false,
  0,
  'false',
  'f',
  '0',
  'no',
  'n',
  'off',
  "b'0'",
  '0x00',
  '\u0000',
]);

/** A flag as booleans, numbers, words of SQL clients in any case, or MySQL's `bit(1)`. */
export function flagOf(value: unknown): boolean | undefined {
  const known = typeof value === 'string' ? value.replaceAll(' ', '').toLowerCase() : value;
  if (yes.has(known)) return true;
  return no.has(known) ? false : undefined;
}

/** A whole number from a number or its decimal text. */
export function integerOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** An object, or the JSON text of one; SQL editors write jsonb as text. */
export function objectOf(value: unknown): SourceRow | undefined {
  const parsed = parsedOf(value);
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    ? (parsed as SourceRow)
    : undefined;
}

/** The objects of an array, or of the JSON text of one; empty when it is neither. */
export function objectsOf(value: unknown): readonly SourceRow[] {
  return listOf(value)
    .map(objectOf)
    .filter((each) => each !== undefined);
}

/** An array, or the JSON text of one; empty when it is neither. */
export function listOf(value: unknown): readonly unknown[] {
  const parsed = parsedOf(value);
  return Array.isArray(parsed) ? (parsed as readonly unknown[]) : [];
}

function parsedOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/** The first of `names` that has a text: for columns that are spelled in several ways. */
export function firstText(row: SourceRow, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(row[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

const e164 = /^\+[1-9]\d{6,14}$/;

/** A phone number in E.164, from one written with spaces, dots, dashes or parentheses; undefined without its `+`. */
export function phoneOf(value: unknown): string | undefined {
  const digits = textOf(value)?.replaceAll(/[\s().-]/g, '');
  return digits !== undefined && e164.test(digits) ? digits : undefined;
}

/** Keys that would reach into an object's prototype where it is copied carelessly. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Metadata from what there is: without keys that are absent, empty or dangerous; undefined when nothing is left. */
export function metadataOf(
  entries: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const kept = Object.entries(entries).filter(([key, value]) => !forbiddenKeys.has(key) && isSaid(value));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
