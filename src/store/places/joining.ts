import { placeSecretOf, type PlaceSecret } from '../../domain/place.ts';
import { StartupError } from '../../process/startup-error.ts';
import type { Database, Query } from '../../database/database.ts';

/** Created with the tables, so all cores on the database have the same. */
export async function readPlaceSecret(read: Query): Promise<PlaceSecret> {
  return placeSecretOf(await readSecret(read));
}

async function readSecret(read: Query): Promise<string> {
  const [row] = await read<{ secret: string }>('select secret from decoy_secret limit 1');
  if (!row) throw new StartupError("The database's table 'decoy_secret' is empty: restore it from a backup");
  return row.secret;
}

async function ownNameOf(read: Query): Promise<string | undefined> {
  const [row] = await read<{ name: string }>('select name from place');
  return row?.name;
}

/** @throws StartupError if the database is another place than the first one */
export async function requireFirstPlace(read: Query): Promise<void> {
  const name = await ownNameOf(read);
  if (name === undefined) return;
  throw new StartupError(
    `The database of 'postgresql_connection_uri' is the place '${name}': give the address of the first place, and this one under 'places'`,
  );
}

/** @throws StartupError if an app's home is not listed: its people could not sign in */
export async function requireHomes(read: Query, names: readonly string[]): Promise<void> {
  const [missing] = await read<{ app_id: string; home: string }>(
    'select app_id, home from apps where home is not null and home <> all(string_to_array($1, chr(44))) order by app_no limit 1',
    [names.join(',')],
  );
  if (missing === undefined) return;
  throw new StartupError(
    `The app '${missing.app_id}' is in the place '${missing.home}', which the setting 'places' lacks: add it`,
  );
}

const hasPeople = `
  select exists (select from users) or exists (select from apps where app_no <> 0)
    or exists (select from tenants where tenant_no <> 0) as found`;

/**
 * Makes an empty database a place, with the first one's secret, or checks that it is this place.
 * @param first reads the first place
 * @throws StartupError if it is another place, or has users of another installation
 */
export async function joinPlace(
  database: Pick<Database, 'transaction'>,
  name: string,
  first: Query,
): Promise<void> {
  const secret = await readSecret(first);
  await database.transaction(async (query) => {
    await query('lock table place in exclusive mode');
    const present = await ownNameOf(query);
    const isSame = (await readSecret(query)) === secret;
    if (present === name && isSame) return;
    if (present !== undefined)
      throw new StartupError(
        isSame
          ? `places: the address of '${name}' is that of the place '${present}': correct one of the two`
          : `places: the database of '${name}' belongs to another installation: give an empty database`,
      );
    const [users] = await query<{ found: boolean }>(hasPeople);
    if (isSame || users?.found !== false)
      throw new StartupError(
        isSame
          ? `places: '${name}' has the address of the first place, or of a copy of it: give an empty database`
          : `places: the database of '${name}' already has apps or users of its own: give an empty database`,
      );
    await query('update decoy_secret set secret = $1', [secret]);
    await query('insert into place (name) values ($1)', [name]);
  });
}
