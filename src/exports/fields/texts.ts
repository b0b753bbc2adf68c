import { type CountryCode, nationalPhone } from './national-phones.ts';
import { isAbsent, trimmed, unparsable, type Parsed } from './parsed.ts';
import { parsePython } from './python.ts';
import type { SourceRow } from './source-row.ts';

/**
 * Trimmed text; whole numbers as text. A number beyond 2^53 is unparsable: digits of an id may be lost. (The readers return such
 * numbers as texts.)
 */
export function parseText(value: unknown): Parsed<string> {
  if (typeof value === 'string') {
    const text = trimmed(value);
    return isAbsent(text) ? undefined : text;
  }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : unparsable;
  return isAbsent(value) ? undefined : unparsable;
}

/** A spreadsheet's form of a long number, 9.02157E+17: its last digits are lost, and other ids look the same. */
const rounded = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** As parseText, for values that identify. */
export function parseId(value: unknown): Parsed<string> {
  const text = parseText(value);
  return typeof text === 'string' && rounded.test(text) ? unparsable : text;
}

/** Reads one of the words of `meanings`, in any letter case. */
export function wordParser<T>(meanings: Readonly<Record<string, T>>): (value: unknown) => Parsed<T> {
  const byWord = new Map(Object.entries(meanings).map(([word, meaning]) => [word.toLowerCase(), meaning]));
  return (value) => {
    const text = parseText(value);
    if (text === undefined || text === unparsable) return text;
    const word = text.toLowerCase();
    return byWord.has(word) ? byWord.get(word) : unparsable;
  };
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

/** The objects of an array, or of the JSON text of one. One element that is not an object makes all of it unparsable. */
export function parseObjects(value: unknown): Parsed<readonly SourceRow[]> {
  const list = parseList(value);
  if (list === undefined || list === unparsable) return list;
  const objects: SourceRow[] = [];
  for (const each of list) {
    const object = parseObject(each);
    if (object === unparsable) return unparsable;
    if (object !== undefined) objects.push(object);
  }
  return objects;
}

function parseJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return parsePython(value);
  }
}

/**
 * Texts of an array, of the JSON text of one, or of an array of PostgreSQL (`{a,b}`); texts with bars between them, as Clerk
 * writes lists into a cell; a single text.
 */
export function parseTexts(value: unknown): Parsed<readonly string[]> {
  if (isAbsent(value)) return undefined;
  const list = Array.isArray(value) ? value : itemsIn(value);
  if (list === undefined) return unparsable;
  const texts = list.map(parseText);
  return texts.includes(unparsable) ? unparsable : texts.filter((each) => typeof each === 'string');
}

function itemsIn(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'string') return typeof value === 'number' ? [value] : undefined;
  const text = value.trim();
  if (text.startsWith('[')) {
    const parsed = parseJson(text);
    return Array.isArray(parsed) ? (parsed as readonly unknown[]) : undefined;
  }
  if (text.startsWith('{') && text.endsWith('}')) return itemsOfPostgres(text.slice(1, -1));
  return text.split('|');
}

function itemsOfPostgres(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((each) => each.replace(/^"(.*)"$/, '$1'));
}

const e164 = /^\+[1-9]\d{6,14}$/;

/**
 * A phone number in E.164, from one written with spaces, dots, dashes or parentheses, or with 00 for the plus sign.
 * @param country of numbers without one; left out: these are unparsable
 */
export function parsePhone(value: unknown, country?: CountryCode): Parsed<string> {
  const text = parseText(value);
  if (text === undefined || text === unparsable) return text;
  const digits = text.replaceAll(/[\s()./\u00a0-]/g, '').replace(/^00/, '+');
  if (e164.test(digits)) return digits;
  return (country && nationalPhone(text, country)) ?? unparsable;
}

/** As parseTexts, for phone numbers. An unreadable one makes all of them unparsable. */
export function parsePhones(value: unknown, country?: CountryCode): Parsed<readonly string[]> {
  const texts = parseTexts(value);
  if (texts === undefined || texts === unparsable) return texts;
  const phones = texts.map((each) => parsePhone(each, country));
  return phones.includes(unparsable) ? unparsable : phones.filter((each) => typeof each === 'string');
}
