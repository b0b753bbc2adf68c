/** Records inside the elements of a list, such as those of GraphQL in its edges: `{"node": {…}, "cursor": …}`. */

import { unwrapped } from '../fields/declare.ts';
import type { SourceRow } from '../providers/provider.ts';

export function objectIn(value: unknown): SourceRow | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as SourceRow)
    : undefined;
}

/** The fields of an element that are neither objects nor lists, such as MongoDB's `_id`: they belong to its record, too. */
export function plainIn(element: SourceRow): SourceRow {
  return Object.fromEntries(
    Object.entries(element).filter(([, value]) => typeof value !== 'object' || unwrapped(value) !== value),
  );
}
