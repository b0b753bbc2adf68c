import { placeSecretOf, type PlaceSecret } from '../../domain/place.ts';
import { StartupError } from '../../process/startup-error.ts';
import type { Query } from '../database/database.ts';

/** The same for all cores on this database, made with its tables. */
export async function readPlaceSecret(read: Query): Promise<PlaceSecret> {
  const [row] = await read<{ secret: string }>('select secret from decoy_secret limit 1');
  if (!row) throw new StartupError("The database's table 'decoy_secret' is empty: restore it from a backup");
  return placeSecretOf(row.secret);
}
