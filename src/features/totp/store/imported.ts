import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { KeptCodes, SealedDevice, StagedFactor } from '../../../operations/ports/ports.ts';
import type { SealedImport, TotpStore } from '../model.ts';
import { codesOf } from './devices.ts';
import type { Database, Query } from '../../../database/database.ts';

/** The whole user, with an import's lock: its devices are neither added nor removed in the meantime. */
const lockUser = `
  select u.user_id from users u
  where u.app_no = $1::int and u.user_id = any(array(
    select as_core_id($2::text)
    union all
    select l.user_id from users l
    where l.app_no = $1 and l.primary_user_id = as_core_id($2) and l.primary_user_id <> l.user_id
  ))
  order by u.user_id
  for no key update`;

const stated = `
  select t.totp_devices as devices, encode(hash_mark(t.totp_devices::text), 'hex') as mark,
    to_json(array(
      select d.name from totp_devices d where d.app_no = $1 and d.user_key = $2 and not d.imported
    )) as taken, (
      select json_build_object('id', c.id, 'sealed', encode(c.sealed_secret, 'hex'))
      from totp_devices c where c.app_no = $1 and c.user_key = $2 and c.name = ''
    ) as codes
  from user_details t
  where t.app_no = $1::int and t.user_id = as_core_id($2::text) and jsonb_typeof(t.totp_devices) = 'array'`;

interface StatedRow {
  readonly devices: readonly StagedFactor[];
  readonly mark: string;
  readonly taken: readonly string[];
  readonly codes: { readonly id: string; readonly sealed: string } | null;
}

const removeFormer =
  'delete from totp_devices d where d.app_no = $1::int and d.user_key = $2::text and d.imported';

const keep = `
  insert into totp_devices (app_no, user_key, name, id, period, skew, verified, imported, created_at, sealed_secret,
    algorithm, digits)
  select $1::int, $2::text, d.name, d.id, d.period, d.skew, true, true, $3::bigint + d.n,
    decode(d.sealed_secret, 'hex'), d.algorithm, d.digits
  from unnest($4::text[], $5::uuid[], $6::int[], $7::int[], $8::text[], $9::text[], $10::int[]) with ordinality
    as d (name, id, period, skew, sealed_secret, algorithm, digits, n)`;

const leaveMark = `
  update user_details t set totp_devices = $3::text::jsonb
  where t.app_no = $1::int and t.user_id = as_core_id($2::text)`;

/** See TotpStore. */
export function sealImported(
  database: Database,
  appNo: number,
  userKey: string,
  seal: Parameters<TotpStore['sealImported']>[2],
): Promise<void> {
  return database.transaction(async (query) => {
    if ((await query(lockUser, [appNo, userKey])).length === 0) return;
    const [row] = await query<StatedRow>(stated, [appNo, userKey]);
    if (row === undefined) return;
    const sealed = seal(row.devices, row.taken, codesOf(row));
    await query(removeFormer, [appNo, userKey]);
    await keepDevices(query, appNo, userKey, sealed);
    const left = JSON.stringify({ mark: row.mark, digest: sealed.digest });
    await query(leaveMark, [appNo, userKey, left]);
  });
}

async function keepDevices(
  query: Query,
  appNo: number,
  userKey: string,
  { devices: stated, backupCodes, createdAt }: SealedImport,
): Promise<void> {
  const devices = backupCodes === undefined ? stated : [...stated, asDevice(backupCodes)];
  await query(keep, [
    appNo,
    userKey,
    createdAt,
    textArray(devices, ({ name }) => name),
    plainArray(devices, ({ id }) => id),
    plainArray(devices, ({ period }) => period),
    plainArray(devices, ({ skew }) => skew),
    plainArray(devices, ({ sealedSecret }) => Buffer.from(sealedSecret).toString('hex')),
    plainArray(devices, ({ algorithm }) => algorithm),
    plainArray(devices, ({ digits }) => digits),
  ]);
}

/** See codesOf. */
function asDevice(codes: KeptCodes): SealedDevice {
  return { ...codes, name: '', isVerified: true, algorithm: 'SHA1', digits: 6, period: 30, skew: 0 };
}

const nextUnsealed = `
  select t.app_no as "appNo", t.user_id::text as "userKey" from user_details t
  where jsonb_typeof(t.totp_devices) = 'array' and (t.app_no, t.user_id) > ($1::int, $2::uuid)
  order by t.app_no, t.user_id limit $3::int`;

export interface UnsealedUser {
  readonly appNo: number;
  readonly userKey: string;
}

const atOnce = 500;

/** Users with devices that have yet to be sealed, some at a time. */
export async function* unsealedUsers({ read }: Pick<Database, 'read'>): AsyncGenerator<UnsealedUser> {
  let last: UnsealedUser = { appNo: -1, userKey: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const found = await read<UnsealedUser>(nextUnsealed, [last.appNo, last.userKey, atOnce]);
    yield* found;
    if (found.length < atOnce) return;
    last = found.at(-1) ?? last;
  }
}
