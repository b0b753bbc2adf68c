/** Reads the users that the log names, from the transaction that shows the tables. */

import type { DatabaseUser } from '../../providers/database.ts';
import { type Changed, pagesOf } from '../changes.ts';
import type { Engine, Key } from '../engines/engine.ts';
import { type FoundTable, keysThrough, snapshotOf } from '../statements.ts';
import type { LogChanges, SeenChanges } from './log-changes.ts';
import { type NamingColumn, namingColumns } from './named.ts';

export interface LogReading {
  /** By which rows name users; that of the users first. */
  readonly columns: readonly NamingColumn[];
  /** The changes that the transaction shows. */
  seen(changes: LogChanges): Promise<SeenChanges>;
  /** Users who are gone are not among them. */
  users(seen: SeenChanges): Promise<Changed>;
}

/** Values of one statement. */
const mostValues = 1000;

/** @param tables that of the users first @param read reads users by their keys */
export function logReading(
  engine: Engine,
  tables: readonly FoundTable[],
  read: (keys: readonly Key[]) => Promise<readonly DatabaseUser[]>,
): LogReading {
  return {
    columns: namingColumns(tables),
    async seen(changes) {
      const [found] = await engine.rows(snapshotOf(engine.dialect));
      return changes.visibleIn(String(found?.row.snapshot));
    },
    async users({ named }) {
      const keys = new Set<Key>();
      for (const [{ found, join }, values] of named)
        if (join === undefined) for (const value of values) keys.add(value);
        else for (const key of await keysOf(engine, { found, join }, values)) keys.add(key);
      return { users: keys.size, pages: () => pagesOf([...keys], read) };
    },
  };
}

async function keysOf(
  engine: Engine,
  { found, join }: { readonly found: FoundTable; readonly join: number },
  values: readonly string[],
): Promise<Key[]> {
  const keys: Key[] = [];
  for (let at = 0; at < values.length; at += mostValues) {
    const statement = keysThrough(found, join, values.slice(at, at + mostValues), engine.dialect);
    for (const { key } of await engine.rows(statement)) keys.push(key);
  }
  return keys;
}
