/** Notes about a column, in addition to the counts of its values. */

import { type Column, examplesLimit } from './account.ts';
import { countriesOf } from './national-phones.ts';
import { isAbsent } from './parsed.ts';
import { holdsHash, isTokenName, looksLikeHash, suspicionOf } from './suspect.ts';
import { type ColumnOrder, orderShownBy } from './times.ts';

/** Values of an unknown column that are examined for what they may be. */
const valuesLookedAt = 20;

/** Counted as used if there is a value: the column without a field shows that it is not used. */
export function noteUnknown(column: Column, name: string, value: unknown): void {
  if (isAbsent(value)) {
    column.absent += 1;
    return;
  }
  column.used += 1;
  if (column.used > valuesLookedAt) return;
  if (column.used === 1) {
    const suspicion = suspicionOf(name, value);
    if (suspicion !== undefined) column.looksLike = suspicion;
  }
  if (column.looksLike === 'hash') return;
  if (looksLikeHash(value, isTokenName(name))) column.looksLike = 'hash';
  else if (holdsHash(value)) {
    column.looksLike = 'hash';
    column.isWithin = true;
  }
}

/** Whether a text that was read as a list or an object is Python's notation: JSON has no single quotes around its texts. */
export function isPython(text: string): boolean {
  return /^\s*[[{][\s[{]*u?'/.test(text);
}

/** Notes the order by which an ambiguous date was read, and a date that cannot have the order of the others. */
export function noteOrder(column: Column, value: unknown, order: ColumnOrder | 'unknown'): void {
  const shown = orderShownBy(value);
  if (shown === 'either') column.order = order;
  else if (shown !== undefined && shown !== order && (order === 'dmy' || order === 'mdy'))
    column.otherOrder = (column.otherOrder ?? 0) + 1;
}

export function noteCountries(column: Column, value: unknown): void {
  const countries = countriesOf(value);
  if (countries.length > 0) column.countries = countries;
}

export function addExample(column: Column, record: number, value: unknown): void {
  if (column.examples.length < examplesLimit)
    column.examples.push({ record, text: column.purpose === 'hash' ? '(masked)' : shapeOf(value) });
}

const shownCharacters = 32;

/**
 * The shape of a value without its content: `05.01.2023` is 99.99.9999. A single short word is shown, because it is the word of a
 * flag.
 */
export function shapeOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number')
    return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  const text = String(value).trim();
  if (/^\p{L}{1,10}$/u.test(text)) return text;
  const shape = Array.from(text.slice(0, shownCharacters), (each) =>
    each.replace(/\p{L}/u, 'x').replace(/\p{N}/u, '9'),
  );
  return `${shape.join('')}${text.length > shownCharacters ? '…' : ''}`;
}
