import type { Database } from '../database/database.ts';
import { oldestIdOf } from './ids.ts';

const atOnce = 5000;

const removeSome = `
  with old as materialized (select id from audit where id < $1::uuid order by id limit ${atOnce})
  delete from audit a using old o where a.id = o.id returning 1`;

/** Removes entries from before. @param before ms since the epoch; undefined keeps all. @returns how many there were */
export async function removeOldAudit(
  { write }: Pick<Database, 'write'>,
  before: number | undefined,
): Promise<number> {
  if (before === undefined) return 0;
  for (let total = 0; ;) {
    const { length } = await write(removeSome, [oldestIdOf(before)]);
    total += length;
    if (length < atOnce) return total;
  }
}
