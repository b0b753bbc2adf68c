import type { Database } from '../database/database.ts';

/** Few enough that a statement is short and its locks are; skipped locks are a refresh under way, or another core. */
const removeSome = `
  with expired as materialized (
    select app_no, handle from sessions where expires_at <= $1::bigint limit $2::int for update skip locked
  ),
  removed as (
    delete from sessions s using expired e where s.app_no = e.app_no and s.handle = e.handle
    returning 1
  )
  select count(*)::int as count from removed`;

const atOnce = 5000;

/**
 * Removes sessions that no refresh can go on with.
 * @param now ms since the epoch
 * @returns how many there were
 */
export async function removeExpiredSessions(
  { write }: Pick<Database, 'write'>,
  now: number,
): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await write<{ count: number }>(removeSome, [now, atOnce]);
    total += row?.count ?? 0;
    if ((row?.count ?? 0) < atOnce) return total;
  }
}
