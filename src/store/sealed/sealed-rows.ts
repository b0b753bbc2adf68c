import { textArray, plainArray } from '../../domain/pg-array.ts';
import type { Resealed, Resealing, SealedStore } from '../../operations/ports/sealed.ts';
import { resealRecords } from '../imports/queue/reseal-records.ts';
import { resealImages } from '../imports/undo/reseal-images.ts';
import { resealProviders } from '../tenants/reseal-providers.ts';
import { keysOfConfigs, resealConfigs } from '../tenants/sealed-config.ts';
import { StartupError } from '../../process/startup-error.ts';
import { sealedPurposes, type Sealer } from '../../process/sealer.ts';
import type { Database, Query } from '../../database/database.ts';

interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The row's name in the context that it is sealed for, as SQL. */
  readonly row: string;
  readonly purpose: string;
}

/** All sealed columns; providers, factors of imports and settings are sealed inside JSON. */
const sealedColumns: Readonly<Record<'signingKeys' | 'receiptKeys' | 'totpDevices' | 'check', SealedColumn>> =
  {
    signingKeys: {
      table: 'signing_keys',
      column: 'sealed_key',
      row: 'kid',
      purpose: sealedPurposes.signingKey,
    },
    receiptKeys: {
      table: 'receipt_keys',
      column: 'sealed_key',
      row: 'kid',
      purpose: sealedPurposes.signingKey,
    },
    totpDevices: {
      table: 'totp_devices',
      column: 'sealed_secret',
      row: 'id::text',
      purpose: sealedPurposes.totpSecret,
    },
    check: { table: 'encryption_check', column: 'sealed', row: `'check'`, purpose: sealedPurposes.check },
  };

const keyIdOf = (column: string) => `encode(substring(${column} from 2 for 4), 'hex')`;

const keysOfRows = Object.values(sealedColumns)
  .map(({ table, column }) => `select distinct ${keyIdOf(column)} as id from ${table}`)
  .concat(
    `select encode(substring(decode(p.provider ->> 'sealed', 'base64') from 2 for 4), 'hex')
     from tenants t cross join lateral jsonb_array_elements(t.providers) p (provider)`,
    `select distinct encode(substring(decode(coalesce(e.factor ->> 'sealed', e.factor ->> 'codes'), 'base64') from 2 for 4), 'hex')
     from user_details d cross join lateral jsonb_array_elements(d.totp_devices) e (factor)
     where jsonb_typeof(d.totp_devices) = 'array' and e.factor ?| array['sealed', 'codes']`,
    keysOfConfigs,
  )
  .join(' union ');

/** @returns false if a value in the database is sealed with a key that this core does not have */
export async function opensSealedRows(read: Query, sealer: Sealer): Promise<boolean> {
  const rows = await read<{ id: string }>(keysOfRows);
  return rows.every(({ id }) => sealer.hasKey(Buffer.from(id, 'hex')));
}

/**
 * Checks that this core can open the sealed values of the database: a core that cannot would end every session.
 * @throws StartupError
 */
export async function checkSealedRows(read: Query, sealer: Sealer): Promise<void> {
  if (!(await opensSealedRows(read, sealer))) throw cannotOpen();
}

export function cannotOpen(cause?: unknown): StartupError {
  return new StartupError(
    "The database holds sealed secrets that this core cannot open: set 'encryption_keys' to the keys of the other cores, or put the file 'encryption-key' back into data_dir",
    { cause },
  );
}

/** There may be millions of rows. */
const resealing = { statementTimeoutMs: 1_800_000 };
const atOnce = 1000;

export function sealedStore(database: Database): SealedStore {
  return {
    reseal: (by) =>
      database.transaction(async (query) => {
        // Adding signing keys locks the tenant first.
        const providers = await resealProviders(query, by);
        const settings = await resealConfigs(query, by);
        const signingKeys =
          (await resealColumn(query, sealedColumns.signingKeys, by)) +
          (await resealColumn(query, sealedColumns.receiptKeys, by));
        await resealColumn(query, sealedColumns.check, by);
        return {
          signingKeys,
          providers,
          totpDevices: await resealColumn(query, sealedColumns.totpDevices, by),
          images: await resealImages(query, by),
          records: await resealRecords(query, by),
          settings,
        };
      }, resealing),
  };
}

/** Sums the counts of several places. */
export function totalOf(counts: readonly Resealed[]): Resealed {
  const sum = (name: keyof Resealed) => counts.reduce((total, each) => total + each[name], 0);
  return {
    signingKeys: sum('signingKeys'),
    providers: sum('providers'),
    totpDevices: sum('totpDevices'),
    images: sum('images'),
    records: sum('records'),
    settings: sum('settings'),
  };
}

interface FetchedRow {
  readonly place: string;
  readonly appNo: number;
  readonly row: string;
  readonly sealed: string;
}

/** Uses a cursor: rows are locked as they are fetched, and the table is read once. */
async function resealColumn(
  query: Query,
  { table, column, row, purpose }: SealedColumn,
  { keyId, again }: Resealing,
): Promise<number> {
  // A cursor takes no parameters.
  if (!/^[0-9a-f]{8}$/.test(keyId)) throw new Error('a key has an invalid id');
  await query(`
    declare sealed_rows no scroll cursor for
    select ctid::text as place, app_no as "appNo", ${row} as row, encode(${column}, 'hex') as sealed
    from ${table} where ${keyIdOf(column)} <> '${keyId}' for update`);
  let count = 0;
  for (;;) {
    const rows = await query<FetchedRow>(`fetch ${atOnce} from sealed_rows`);
    if (rows.length === 0) break;
    const sealed = rows.map(({ sealed: former, ...each }) =>
      Buffer.from(again({ ...each, purpose, sealed: Buffer.from(former, 'hex') })).toString('hex'),
    );
    await query(
      `update ${table} t set ${column} = decode(n.sealed, 'hex')
       from unnest($1::tid[], $2::text[]) n (place, sealed) where t.ctid = n.place`,
      [textArray(rows, ({ place }) => place), plainArray(sealed, (each) => each)],
    );
    count += rows.length;
  }
  await query('close sealed_rows');
  return count;
}
