/** Rows whose column names depend on who mapped them: `userId`, `user_id`, `"userId"` and `USERID` are one. */

import { objectOf } from './fields.ts';
import type { Sample, SourceRow } from '../provider.ts';

/** A column's name in lower case without underscores. MongoDB's `_id` is `id`. */
function folded(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** The row by folded names, of two that fold alike the first that says something; MongoDB's wrapped values taken out. */
export function foldedRow(row: SourceRow): SourceRow {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(row)) {
    const key = folded(name);
    if (isAbsent(found.get(key))) found.set(key, unwrapped(value));
  }
  return Object.fromEntries(found);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Of MongoDB Extended JSON (v2), as mongoexport writes ids and dates. */
const wrappers = ['$oid', '$date', '$numberLong', '$uuid'] as const;

function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const wrapper = wrappers.find((name) => Object.hasOwn(value, name));
  // A date before 1970 or after 9999 wraps a number in its turn; nothing wraps deeper.
  if (wrapper === undefined) return value;
  const inner = (value as SourceRow)[wrapper];
  return objectOf(inner)?.$numberLong ?? inner;
}

/** The folded names of a sample's first record: of its header row in CSV. */
export function namesOf({ format, columns, first }: Sample): ReadonlySet<string> {
  return new Set((format === 'csv' ? columns : Object.keys(first)).map(folded));
}

/** Whether `names` has every one of `wanted`. */
export function hasAll(names: ReadonlySet<string>, ...wanted: readonly string[]): boolean {
  return wanted.every((name) => names.has(name));
}
