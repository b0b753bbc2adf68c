import type { Database } from '../../database/database.ts';
import { oldestIdOf } from '../../store/audit/ids.ts';

/** Small, so that a statement and its locks stay short. */
const atOnce = 5000;
/** Half a million entries a sweep: stopping the core waits for the sweep under way. */
const mostBatches = 100;

/** Concurrent sweeps of other cores remove other entries: none waits for another, and they do not lock in two orders. */
const removeSome = `
  with old as materialized (
    select id from audit where id < $1::uuid order by id limit ${atOnce} for update skip locked
  )
  delete from audit a using old o where a.id = o.id returning 1`;

/**
 * Removes old entries.
 * @param before ms since the epoch; undefined removes none
 * @param batches the maximum: the next sweep continues
 * @returns their number
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
