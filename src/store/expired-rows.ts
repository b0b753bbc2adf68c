import type { Database } from '../database/database.ts';

/** Rows in one statement; few, so that locks are short. */
const atOnce = 5000;

/**
 * Removes expired rows.
 * @param now ms since the epoch
 * @returns their number
 */
export type RemoveExpired = (database: Pick<Database, 'write'>, now: number) => Promise<number>;

/**
 * Repeats a statement until it removes less than its maximum.
 * @param removeSome removes at most `$2` rows that have expired at `$1`, ms since the epoch, and returns `count`. It skips locked rows,
 *   which a request or another core holds
 */
export function removeBy(removeSome: string): RemoveExpired {
  return async ({ write }, now) => {
    let total = 0;
    for (;;) {
      const [row] = await write<{ count: number }>(removeSome, [now, atOnce]);
      total += row?.count ?? 0;
      if ((row?.count ?? 0) < atOnce) return total;
    }
  };
}

/** For a table with `expires_at`. @param key the columns of its primary key */
export function remover(table: string, key: readonly string[]): RemoveExpired {
  return removeBy(`
    with expired as materialized (
      select ${key.join(', ')} from ${table} where expires_at <= $1::bigint limit $2::int for update skip locked
    ),
    removed as (
      delete from ${table} t using expired e where ${key.map((name) => `t.${name} = e.${name}`).join(' and ')}
      returning 1
    )
    select count(*)::int as count from removed`);
}

/**
 * For work over all apps of a database, which passes over the rows of an app that is moving: the place that has the app does the
 * same, and its changes follow. See refuse_held_app in migrations/0015_places.sql.
 */
export function passingOverHeld(database: Database): Database {
  const transaction: Database['transaction'] = (work, options) =>
    database.transaction(async (query, savepoint) => {
      await query(`select set_config('carryover.sweep', 'on', true)`);
      return work(query, savepoint);
    }, options);
  return {
    ...database,
    write: (text, parameters, planned) => transaction((query) => query(text, parameters, planned)),
    transaction,
  };
}

/** Removes expired rows in all places. */
export async function removeInAll(
  databases: readonly Database[],
  remove: RemoveExpired,
  now: number,
): Promise<number> {
  const counts = await Promise.all(databases.map((database) => remove(database, now)));
  return counts.reduce((sum, count) => sum + count, 0);
}
