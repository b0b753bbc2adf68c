import { StartupError } from '../../process/startup-error.ts';
import type { Sealer } from '../../process/sealer.ts';
import type { Query } from '../database/database.ts';

const keysOfRows = `
  select encode(substring(k.sealed_key from 2 for 4), 'hex') as id from signing_keys k
  union
  select encode(substring(decode(p.provider ->> 'sealed', 'base64') from 2 for 4), 'hex')
  from tenants t cross join lateral jsonb_array_elements(t.providers) p (provider)`;

/**
 * That this core can open what is sealed in the database: a core that cannot would end everybody's session.
 * @throws StartupError
 */
export async function checkSealedRows(read: Query, sealer: Sealer): Promise<void> {
  const rows = await read<{ id: string }>(keysOfRows);
  if (rows.every(({ id }) => sealer.hasKey(Buffer.from(id, 'hex')))) return;
  throw new StartupError(
    "The database holds sealed secrets that this core cannot open: set 'encryption_keys' to the keys of the other cores, or put the file 'encryption-key' back into data_dir",
  );
}
