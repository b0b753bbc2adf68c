/** What shows that cores of one database have the same encryption keys, before anything else is sealed there. */
import { sealedPurposes, type Sealer } from '../../process/sealer.ts';
import type { Query } from '../../database/database.ts';
import { cannotOpen } from './sealed-rows.ts';

const place = { purpose: sealedPurposes.check, appNo: 0, row: 'check' };

/**
 * Leaves a value that only these keys open, unless another core has left one, and opens what is there. Of cores that start together
 * with different keys one goes on.
 * @param sealer without a key it leaves nothing
 * @throws StartupError for the keys of others
 */
export async function checkKeysAreOurs(write: Query, sealer: Sealer): Promise<void> {
  if (!sealer.canSeal) return;
  const mine = sealer.seal(place, Buffer.from('carryover')).toString('hex');
  await write(
    `insert into encryption_check (sealed)
     select decode($1, 'hex') where not exists (select from encryption_check) on conflict do nothing`,
    [mine],
  );
  if (!(await isOurs(write, sealer))) throw cannotOpen();
}

/** After a restore: keys that open all else take the place of those that the data came from. */
export async function takeOverKeyCheck(write: Query, sealer: Sealer): Promise<void> {
  if (sealer.canSeal && !(await isOurs(write, sealer))) await write('delete from encryption_check');
}

async function isOurs(query: Query, sealer: Sealer): Promise<boolean> {
  const [row] = await query<{ sealed: string }>(
    `select encode(sealed, 'hex') as sealed from encryption_check`,
  );
  if (row === undefined) return true;
  try {
    sealer.open(place, Buffer.from(row.sealed, 'hex'));
    return true;
  } catch {
    return false;
  }
}
