import type { Database } from '../../database/database.ts';
import { oldestIdOf } from '../../store/audit/ids.ts';

/** Few enough that a statement and its locks stay short. */
const atOnce = 5000;
/** Half a million entries a sweep: stopping the core waits for the sweep under way. */
const mostBatches = 100;

/** Another core that sweeps too takes other entries: neither waits for the other, and they do not lock in two orders. */
const removeSome = `
  with old as materialized (
    select id from audit where id < $1::uuid order by id limit ${atOnce} for update skip locked
  )
  delete from audit a using old o where a.id = o.id returning 1`;

/**
 * Removes entries from before.
 * @param before ms since the epoch; undefined keeps all
 * @param batches after which it ends: the next sweep goes on
 * @returns how many were removed
 */
export async function removeOldAudit(
  { write }: Pick<Database, 'write'>,
  before: number | undefined,
  batches = mostBatches,
): Promise<number> {
  if (before === undefined) return 0;
  let total = 0;
  for (let batch = 0; batch < batches; batch++) {
    const { length } = await write(removeSome, [oldestIdOf(before)]);
    total += length;
    if (length < atOnce) break;
  }
  return total;
}
