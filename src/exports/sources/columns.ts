/** Columns that apps add to a table of users, as the providers of the exports read them. */

import { folded } from '../fields/declare.ts';
import { deletionFields, restrictionFields } from '../fields/restrictions.ts';
import type { Provider } from '../providers/provider.ts';

/** Whether a user may sign in: `banned_at`, `is_blocked`, `active`. */
export const standingColumns: readonly string[] = [
  ...Object.values(restrictionFields),
  ...Object.values(deletionFields),
].flatMap(({ names }) => names);

export const nameColumns: readonly string[] = ['username', 'name', 'first_name', 'last_name'];

/**
 * What a provider reads of a table, whose rows it takes as they are.
 * @param required columns that the source lists by itself, in any spelling
 * @throws Error for a table that declares no fields
 */
export function furtherColumns(
  { name: system, tables }: Provider,
  table: string,
  required: readonly string[],
): readonly string[] {
  const fields = tables.find(({ name }) => name === table)?.fields;
  if (fields === undefined) throw new Error(`${system} declares no fields of ${table}`);
  const known = new Set(required.map(folded));
  return Object.values(fields)
    .filter(({ purpose }) => purpose !== 'left out')
    .flatMap(({ names }) => names)
    .filter((name) => !known.has(folded(name)));
}
