import { isAbsent, unparsable, type Parsed } from './parsed.ts';
import type { SourceRow } from './source-row.ts';

/**
 * Trimmed text; whole numbers as text. A number beyond 2^53 is unparsable: digits of an id may be lost. (The readers hand
 * over numbers that long as texts.)
 */
export function parseText(value: unknown): Parsed<string> {
  if (typeof value === 'string') {
    const text = value.trim();
    return isAbsent(text) ? undefined : text;
  }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : unparsable;
  return isAbsent(value) ? undefined : unparsable;
}

/** A whole number from a number or its decimal text. */
export function parseInteger(value: unknown): Parsed<number> {
  if (isAbsent(value)) return undefined;
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : unparsable;
}

/** An object, or the JSON text of one; SQL editors write jsonb as text. */
export function parseObject(value: unknown): Parsed<SourceRow> {
  if (isAbsent(value)) return undefined;
  const parsed = parseJson(value);
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    ? (parsed as SourceRow)
    : unparsable;
}

/** An array, or the JSON text of one. */
export function parseList(value: unknown): Parsed<readonly unknown[]> {
  if (isAbsent(value)) return undefined;
  const parsed = parseJson(value);
  return Array.isArray(parsed) ? (parsed as readonly unknown[]) : unparsable;
}

/** The objects of an array, or of the JSON text of one. One element that is no object makes all of it unparsable. */
export function parseObjects(value: unknown): Parsed<readonly SourceRow[]> {
  const list = parseList(value);
  if (list === undefined || list === unparsable) return list;
  const objects = list.map(parseObject);
  return objects.includes(unparsable)
    ? unparsable
    : (objects.filter((each) => each !== undefined) as readonly SourceRow[]);
}

function parseJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

const e164 = /^\+[1-9]\d{6,14}$/;

/** A phone number in E.164, from one written with spaces, dots, dashes or parentheses, or with 00 for the plus sign. */
export function parsePhone(value: unknown): Parsed<string> {
  const text = parseText(value);
  if (text === undefined || text === unparsable) return text;
  const digits = text.replaceAll(/[\s()./\u00a0-]/g, '').replace(/^00/, '+');
  return e164.test(digits) ? digits : unparsable;
}
