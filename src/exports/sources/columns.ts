/** Columns that are read of an old system's tables, as its provider of the exports declares them. */

import { requireProvider } from '../providers/index.ts';
import type { Source, SourceTable } from './source.ts';

/** Their names as the provider calls them; none of a table whose rows `assemble` makes into others. */
export function declaredColumns({ provider }: Source, { name, as = name }: SourceTable): readonly string[] {
  const table = requireProvider(provider).tables.find((each) => each.name === as);
  return Object.values(table?.fields ?? {})
    .filter(({ purpose }) => purpose !== 'left out')
    .flatMap(({ names }) => names);
}
