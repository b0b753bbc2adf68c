/** The columns by which changed rows name users. */

import type { FoundTable } from '../statements.ts';
import type { NamedColumn } from './pgoutput.ts';

/** A column whose values name users: their keys, or what a join of a found table compares. */
export interface NamingColumn extends NamedColumn {
  readonly schema: string;
  readonly table: string;
  readonly found: FoundTable;
  /** The join's place in the found table; undefined: the values are keys of users. */
  readonly join: number | undefined;
  /** Whether its rows are the users themselves. */
  readonly isUser: boolean;
}

/** @param tables that of the users first */
export function namingColumns(tables: readonly FoundTable[]): readonly NamingColumn[] {
  const [users] = tables;
  return tables.flatMap((found) => {
    const { schema, table, key, joins } = found;
    const own = { schema, table, column: key, found, join: undefined, isUser: found === users };
    const joined = joins.map((each, join) => ({
      schema,
      table: each.table,
      column: each.column,
      found,
      join,
      isUser: false,
    }));
    return [own, ...joined];
  });
}
