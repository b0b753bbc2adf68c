/** Checks that no schema expresses: numbers and texts that cannot be stored, depth, keys that occur twice. */

import { duplicateKey } from './duplicate-key.ts';
import { alteredWhy, altersNumbers, fieldPath, placeOfAltered } from '../../domain/json-text.ts';
import { type Problem, invalid } from './problem.ts';

/** Nested objects and lists. PostgreSQL accepts thousands, real metadata has less than ten. */
export const depthLimit = 64;

/** One walk over a record; the path of a fault is built from the inside out. */
interface Walk {
  /** Names in all objects together. */
  names: number;
  /** Without an escape of this form in the line no text can hold U+0000 or a lone surrogate. */
  readonly hasEscapes: boolean;
  /** Whether a number is so large that its value may differ from the line's. */
  hasLarge: boolean;
  readonly path: (string | number)[];
}

const colon = ':';

/**
 * Finds a fault in a value at any depth, also in names, declared or not.
 * @param text the line that `record` was parsed from
 */
export function inspect(text: string, record: Readonly<Record<string, unknown>>): Problem | undefined {
  const walk: Walk = { names: 0, hasEscapes: text.includes('\\u'), hasLarge: false, path: [] };
  const why = faultIn(record, walk, 1);
  if (why !== undefined) return invalid(fieldPath(walk.path.reverse()), why);
  if (walk.hasLarge && altersNumbers(text)) {
    // Of the stored fields, metadata alone accepts any number.
    const place = placeOfAltered(record.userMetadata);
    if (place !== undefined) return invalid(fieldPath(['userMetadata', ...place]), alteredWhy);
  }
  // Each name has its colon, so as many colons as names leave none for a repeated name.
  if (countOf(colon, text) === walk.names) return undefined;
  const path = duplicateKey(text, walk.names);
  return path && duplicate(fieldPath(path));
}

function duplicate(field: string): Problem {
  const message = `The key '${field}' occurs twice in one object: keep the one that is meant`;
  return { code: 'DUPLICATE_KEY', field, message };
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

function faultIn(value: unknown, walk: Walk, depth: number): string | undefined {
  if (typeof value === 'string') return walk.hasEscapes ? faultOfText(value) : undefined;
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) walk.hasLarge = true;
    return Number.isFinite(value) ? undefined : 'must be a number below 1.8e308';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > depthLimit) return `must not be nested deeper than ${depthLimit} levels`;
  return Array.isArray(value) ? faultInList(value, walk, depth) : faultInObject(value, walk, depth);
}

function faultInList(list: readonly unknown[], walk: Walk, depth: number): string | undefined {
  for (let place = 0; place < list.length; place++) {
    const why = faultIn(list[place], walk, depth + 1);
    if (why === undefined) continue;
    walk.path.push(place);
    return why;
  }
  return undefined;
}

function faultInObject(value: object, walk: Walk, depth: number): string | undefined {
  // JSON.parse made it, so all names are own properties; `__proto__` is a name like any other.
  for (const name in value) {
    walk.names++;
    const each = (value as Record<string, unknown>)[name];
    const why = (walk.hasEscapes ? faultOfText(name) : undefined) ?? faultIn(each, walk, depth + 1);
    if (why === undefined) continue;
    walk.path.push(name);
    return why;
  }
  return undefined;
}

function faultOfText(text: string): string | undefined {
  return text.includes('\0') || !text.isWellFormed()
    ? 'must not contain U+0000 or lone surrogates'
    : undefined;
}
