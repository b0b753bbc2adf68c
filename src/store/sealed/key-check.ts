/** A sealed value that shows whether cores of one database have the same encryption keys, before anything else is sealed. */
import { sealedPurposes, type Sealer } from '../../process/sealer.ts';
import type { Query } from '../../database/database.ts';
import { cannotOpen } from './sealed-rows.ts';

const place = { purpose: sealedPurposes.check, appNo: 0, row: 'check' };

/**
 * Stores a value that only these keys open, unless another core has stored one, and opens the stored one. Of cores that start
 * together with different keys, one continues.
 * @param sealer without a key nothing is stored
 * @throws StartupError if the stored value cannot be opened
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

/** After a restore: keys that open everything else replace those that the data came with. */
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
