import type { Database } from '../../database/database.ts';
import type { JobRef } from '../../imports/model.ts';
import type { LedgerRow, ReceiptKeyStore, ReceiptStore, StoredKey, StoredReceipt } from './model.ts';

const find = `
  select r.envelope, r.blocks from import_receipts r where r.app_no = $1::int and r.job_id = $2::uuid`;

const keep = `
  insert into import_receipts (app_no, job_id, envelope, blocks)
  values ($1::int, $2::uuid, $3, decode($4, 'hex'))
  on conflict do nothing`;

const ledger = `
  select l.lines_before as "linesBefore", l.digests, l.outcomes
  from import_ledger l
  where l.app_no = $1::int and l.job_id = $2::uuid and l.lines_before >= coalesce((
    select f.lines_before from import_ledger f
    where f.app_no = $1 and f.job_id = $2 and f.lines_before <= $3::bigint
    order by f.lines_before desc limit 1
  ), 0)
  order by l.lines_before limit $4::int`;

const version = `select current_setting('server_version') as version`;

export function receiptStore({ read, write }: Pick<Database, 'read' | 'write'>): ReceiptStore {
  return {
    find: async ({ appNo, id }) => (await read<StoredReceipt>(find, [appNo, id]))[0],
    keep: async ({ appNo, id }, { envelope, blocks }) => {
      await write(keep, [appNo, id, envelope, hexOf(blocks)]);
    },
    ledger: ({ appNo, id }: JobRef, linesBefore, limit) =>
      read<LedgerRow>(ledger, [appNo, id, linesBefore, limit]),
    postgresqlVersion: async () => (await read<{ version: string }>(version))[0]?.version ?? '',
  };
}

const list = `
  select k.kid, k.created_at as "createdAt", k.public_key as "publicKey", k.sealed_key as "sealedKey"
  from receipt_keys k where k.app_no = $1::int
  order by k.created_at desc, k.kid`;

/** Admits one core at a time for an app; an app that is being removed gets no more keys. */
const lockApp = 'select 1 from tenants where app_no = $1::int and tenant_no = 0 for no key update';

const add = `
  insert into receipt_keys (app_no, kid, created_at, public_key, sealed_key)
  select $1::int, $2, greatest($3::bigint, 1 + max(k.created_at)), decode($4, 'hex'), decode($5, 'hex')
  from (select 1) one left join receipt_keys k on k.app_no = $1::int
  having not $6::bool or count(k.kid) = 0`;

export function receiptKeyStore({
  read,
  transaction,
}: Pick<Database, 'read' | 'transaction'>): ReceiptKeyStore {
  return {
    list: (appNo) => read<StoredKey>(list, [appNo]),
    add: (appNo, { kid, createdAt, publicKey, sealedKey }, isFirst) =>
      transaction(async (query) => {
        if ((await query(lockApp, [appNo])).length === 0) return;
        await query(add, [appNo, kid, createdAt, hexOf(publicKey), hexOf(sealedKey), isFirst]);
      }),
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
