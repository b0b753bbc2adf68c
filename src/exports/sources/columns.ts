/** Columns that are read from an old system's tables, as its export provider declares them. */

import { requireProvider } from '../providers/index.ts';
import type { Source, SourceTable } from './source.ts';

/** Their names in the provider's declaration; none for a table whose rows `assemble` converts to others. */
export function declaredColumns({ provider }: Source, { name, as = name }: SourceTable): readonly string[] {
  const table = requireProvider(provider).tables.find((each) => each.name === as);
  return Object.values(table?.fields ?? {})
    .filter(({ purpose }) => purpose !== 'left out')
    .flatMap(({ names }) => names);
}
