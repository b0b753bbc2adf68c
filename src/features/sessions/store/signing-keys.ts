import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { KeyFamily, SigningKeyStore, StoredKey } from '../model.ts';
import type { Database, Query } from '../../../database/database.ts';

const familyNumbers = { static: 1, dynamic: 2, refresh: 3 } as const satisfies Record<KeyFamily, number>;
const families = new Map<number, KeyFamily>(
  (Object.keys(familyNumbers) as KeyFamily[]).map((family) => [familyNumbers[family], family]),
);

interface KeyRow {
  readonly kid: string;
  readonly family: number;
  readonly created_at: number;
  readonly public_key: string | null;
  readonly sealed_key: string;
}

const list = `
  select kid, family, created_at, encode(public_key, 'hex') as public_key, encode(sealed_key, 'hex') as sealed_key
  from signing_keys where app_no = $1::int
  order by created_at desc, kid`;

/** Admits one core at a time for an app; an app that is being removed gets no more keys. */
const lockApp = 'select 1 from tenants where app_no = $1::int and tenant_no = 0 for no key update';

const add = `
  insert into signing_keys (app_no, kid, family, created_at, public_key, sealed_key)
  select $1::int, k.kid, k.family, k.created_at, decode(k.public_key, 'hex'), decode(k.sealed_key, 'hex')
  from unnest($2::text[], $3::smallint[], $4::bigint[], $5::text[], $6::text[])
    k (kid, family, created_at, public_key, sealed_key)
  on conflict do nothing`;

const remove = 'delete from signing_keys where app_no = $1::int and kid = any($2::text[])';

export function signingKeyStore(database: Database): SigningKeyStore {
  return {
    list: (appNo) => keysOf(database.read, appNo),
    change: (appNo, decide) =>
      database.transaction(async (query) => {
        if ((await query(lockApp, [appNo])).length === 0) return [];
        const { added, removed } = decide(await keysOf(query, appNo));
        if (added.length > 0) await query(add, [appNo, ...columnsOf(added)]);
        if (removed.length > 0) await query(remove, [appNo, textArray(removed, (kid) => kid)]);
        return keysOf(query, appNo);
      }),
  };
}

async function keysOf(query: Query, appNo: number): Promise<StoredKey[]> {
  return (await query<KeyRow>(list, [appNo])).map(keyOf);
}

function keyOf(row: KeyRow): StoredKey {
  const family = families.get(row.family);
  if (family === undefined) throw new Error('a signing key has a number that this core does not know');
  return {
    kid: row.kid,
    family,
    createdAt: row.created_at,
    publicKey: row.public_key === null ? null : Buffer.from(row.public_key, 'hex'),
    sealedKey: Buffer.from(row.sealed_key, 'hex'),
  };
}

function columnsOf(keys: readonly StoredKey[]): string[] {
  const hex = (bytes: Uint8Array | null) => (bytes === null ? undefined : Buffer.from(bytes).toString('hex'));
  return [
    textArray(keys, ({ kid }) => kid),
    plainArray(keys, ({ family }) => familyNumbers[family]),
    plainArray(keys, ({ createdAt }) => createdAt),
    textArray(keys, ({ publicKey }) => hex(publicKey)),
    textArray(keys, ({ sealedKey }) => hex(sealedKey)),
  ];
}
