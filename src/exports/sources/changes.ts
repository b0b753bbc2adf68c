/**
 * The users that changed since an earlier look, by the columns in which frameworks keep the time of the last change. Only keys are
 * taken from them: those users are then read as all others are, so no form of a change has to be understood.
 */

import type { DatabaseUser } from '../providers/database.ts';
import type { Engine, Key } from './engines/engine.ts';
import { changedOf, type FoundTable, newestOf, type TimeColumn } from './statements.ts';

/** The last change of each table, by its name, as the server writes a time. */
export type Position = Readonly<Record<string, string>>;

export interface Changed {
  readonly users: number;
  /** Pages in turn. Users who are gone are not among them: they show when all are read. */
  readonly pages: () => AsyncGenerator<readonly DatabaseUser[]>;
}

export interface Changes {
  /** Tables whose changes are not seen, for people: they show when all users are read. */
  readonly unseen: readonly string[];
  /** As of the moment that the source shows. */
  position(): Promise<Position>;
  /** Contains users again that changed shortly before the position. */
  since(position: Position): Promise<Changed>;
}

interface Timed extends FoundTable {
  readonly changed: TimeColumn;
}

const pageUsers = 500;

/** @param tables that of the users first @param read reads users by their keys */
export function changesIn(
  engine: Engine,
  tables: readonly FoundTable[],
  read: (keys: readonly Key[]) => Promise<readonly DatabaseUser[]>,
): Changes | undefined {
  const timed = tables.filter(isTimed);
  if (timed[0] === undefined || timed[0].name !== tables[0]?.name) return undefined;
  const { dialect } = engine;
  return {
    unseen: tables.filter((table) => !isTimed(table)).map(({ table }) => table),
    async position() {
      const newest: [string, string][] = [];
      for (const table of timed) {
        const [found] = await engine.rows(newestOf(table, table.changed, dialect));
        const moment = found?.row.newest;
        if (typeof moment === 'string') newest.push([table.table, moment]);
      }
      return Object.fromEntries(newest);
    },
    async since(position) {
      const within = await changedKeys(position, true);
      // A statement that has touched most rows at once: they were all read, and stay within the overlap.
      const keys = within.size > mostInOverlap ? await changedKeys(position, false) : within;
      return { users: keys.size, pages: () => pagesOf([...keys], read) };
    },
  };

  async function changedKeys(position: Position, overlaps: boolean): Promise<Set<Key>> {
    const keys = new Set<Key>();
    for (const table of timed) {
      // A table that was empty at that time: all of its rows are later.
      const since = position[table.table] ?? firstMoment;
      for (const { key } of await engine.rows(changedOf(table, table.changed, dialect, { since, overlaps })))
        keys.add(key);
    }
    return keys;
  }
}

/** More users than change within the overlap, unless one statement changes them. */
const mostInOverlap = 20_000;
const firstMoment = '1970-01-02 00:00:00';

function isTimed(table: FoundTable): table is Timed {
  return table.changed !== undefined;
}

/** @param read reads users by their keys */
export async function* pagesOf(
  keys: readonly Key[],
  read: (keys: readonly Key[]) => Promise<readonly DatabaseUser[]>,
): AsyncGenerator<readonly DatabaseUser[]> {
  for (let at = 0; at < keys.length; at += pageUsers) yield await read(keys.slice(at, at + pageUsers));
}
