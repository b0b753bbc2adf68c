import type { Database } from '../database/database.ts';

/** Few enough that a statement is short and its locks are; skipped locks are somebody redeeming, or another core. */
const removeSome = `
  with expired as materialized (
    select app_no, purpose, token_hash from tokens where expires_at <= $1 limit $2 for update skip locked
  ),
  removed as (
    delete from tokens t using expired e
    where t.app_no = e.app_no and t.purpose = e.purpose and t.token_hash = e.token_hash
    returning 1
  )
  select count(*)::int as count from removed`;

const atOnce = 5000;

/**
 * Removes tokens that nobody can redeem any more, or the table would only grow.
 * @param now ms since the epoch
 * @returns how many there were
 */
export async function removeExpiredTokens({ write }: Pick<Database, 'write'>, now: number): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await write<{ count: number }>(removeSome, [now, atOnce]);
    total += row?.count ?? 0;
    if ((row?.count ?? 0) < atOnce) return total;
  }
}
