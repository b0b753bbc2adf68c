import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { KeptCodes, SealedDevice } from '../../../operations/ports/ports.ts';
import type { FoundDevices, NewDevice } from '../model.ts';
import { again } from '../../../store/batch/batcher.ts';
import { isMethodHeld, lockedMethods } from '../../../store/users/locked-methods.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';
import type { Database } from '../../../database/database.ts';
import { isUniqueViolation } from '../../../database/sqlstate.ts';

interface Named {
  readonly appNo: number;
  readonly id: string;
}

interface DevicesRow {
  readonly n: number;
  readonly user_key: string;
  readonly has_unsealed: boolean;
  readonly codes: { readonly id: string; readonly sealed: string } | null;
  readonly devices: readonly (Omit<SealedDevice, 'sealedSecret'> & { readonly sealed: string })[];
}

export const findDevices: BatchedStatement<Named, DevicesRow, FoundDevices> = {
  name: 'find-totp-devices',
  access: 'read',
  text: `
    with wanted as materialized (
      select w.n, w.app_no, totp_key(w.app_no, u, w.id) as user_key
      from unnest($1::int[], $2::text[]) with ordinality as w (app_no, id, n)
      left join lateral user_of(w.app_no, w.id) u on true
    )
    select w.n::int as n, w.user_key, coalesce(t.has_unsealed, false) as has_unsealed, to_json(array(
      select json_build_object(
        'name', d.name, 'id', d.id, 'period', d.period, 'skew', d.skew, 'isVerified', d.verified,
        'algorithm', d.algorithm, 'digits', d.digits, 'sealed', encode(d.sealed_secret, 'hex')
      )
      from totp_devices d where d.app_no = w.app_no and d.user_key = w.user_key and d.name <> ''
      order by d.created_at, d.name
    )) as devices, (
      select json_build_object('id', c.id, 'sealed', encode(c.sealed_secret, 'hex'))
      from totp_devices c where c.app_no = w.app_no and c.user_key = w.user_key and c.name = ''
    ) as codes
    from wanted w
    left join lateral (
      select jsonb_typeof(t.totp_devices) is not distinct from 'array' as has_unsealed from user_details t
      where t.app_no = w.app_no and t.user_id = as_core_id(w.user_key)
      offset 0
    ) t on true`,
  parameters: (named) => [plainArray(named, ({ appNo }) => appNo), textArray(named, ({ id }) => id)],
  outcomeOf: ([row]) => {
    if (row === undefined) throw new Error('looking for devices gave no result');
    const devices = row.devices.map(({ sealed, ...device }) => ({
      ...device,
      sealedSecret: Buffer.from(sealed, 'hex'),
    }));
    return { userKey: row.user_key, devices, backupCodes: codesOf(row), hasUnsealed: row.has_unsealed };
  },
};

/** Backup codes are stored as a device without a name, which no request can name: so they are moved and removed with the devices. */
export function codesOf({ codes }: Pick<DevicesRow, 'codes'>): KeptCodes | undefined {
  return codes === null ? undefined : { id: codes.id, sealedSecret: Buffer.from(codes.sealed, 'hex') };
}

interface PutRow {
  readonly n: number;
  readonly is_first: boolean;
  readonly is_put: boolean;
}

/** As for a session, storing a device waits for a concurrent removal of its login method, and then uses the text as its key. */
export const putDevice: BatchedStatement<NewDevice, PutRow, boolean> = {
  name: 'put-totp-device',
  access: 'write',
  text: `
    with meant as materialized (
      select i.*, u.user_id as method_id, totp_key(i.app_no, u, i.user_id) as key
      from unnest(
        $1::int[], $2::text[], $3::text[], $4::uuid[], $5::int[], $6::int[], $7::bool[], $8::bigint[], $9::text[],
        $10::text[], $11::int[]
      ) with ordinality as i (
        app_no, user_id, name, id, period, skew, verified, created_at, sealed_secret, algorithm, digits, n
      )
      left join lateral user_of(i.app_no, i.user_id) u on true
    ),
    locked as materialized (${lockedMethods}),
    kept_by as materialized (
      select m.*, case
        when m.method_id is null or ${isMethodHeld}
        then m.key else m.user_id
      end as user_key
      from meant m
    ),
    first as materialized (
      select distinct on (k.app_no, k.user_key, k.name) k.* from kept_by k
      order by k.app_no, k.user_key, k.name, k.n
    ),
    put as (
      insert into totp_devices as d (
        app_no, user_key, name, id, period, skew, verified, imported, created_at, sealed_secret, algorithm, digits
      )
      select f.app_no, f.user_key, f.name, f.id, f.period, f.skew, f.verified, false, f.created_at,
        decode(f.sealed_secret, 'hex'), f.algorithm, f.digits
      from first f order by f.app_no, f.user_key, f.name
      on conflict (app_no, user_key, name) do update set
        id = excluded.id, period = excluded.period, skew = excluded.skew, verified = excluded.verified,
        imported = false, created_at = excluded.created_at, sealed_secret = excluded.sealed_secret,
        algorithm = excluded.algorithm, digits = excluded.digits
      where not d.verified
      returning d.id
    )
    select k.n::int as n, (k.n in (select f.n from first f)) is true as is_first,
      (k.id in (select p.id from put p)) is true as is_put
    from kept_by k`,
  parameters: (devices) => [
    plainArray(devices, ({ appNo }) => appNo),
    textArray(devices, ({ userId }) => userId),
    textArray(devices, ({ name }) => name),
    plainArray(devices, ({ id }) => id),
    plainArray(devices, ({ period }) => period),
    plainArray(devices, ({ skew }) => skew),
    plainArray(devices, ({ isVerified }) => (isVerified ? 't' : 'f')),
    plainArray(devices, ({ createdAt }) => createdAt),
    plainArray(devices, ({ sealedSecret }) => Buffer.from(sealedSecret).toString('hex')),
    plainArray(devices, ({ algorithm }) => algorithm),
    plainArray(devices, ({ digits }) => digits),
  ],
  // One user by two ids may still be in one statement: then the second is repeated.
  keyOf: ({ appNo, userId, name }) => JSON.stringify([appNo, userId, name]),
  outcomeOf: ([row]) => (row?.is_first === true ? row.is_put : again),
};

const meant = `
  meant as materialized (
    select totp_key($1::int, u, $2::text) as user_key
    from (select 1) one left join lateral user_of($1::int, $2::text) u on true
  )`;

/** An imported device that was changed here is not the import's any more. */
const noted = `
  noted as (
    update user_details t set totp_devices = '{"changed": true}'
    where t.app_no = $1 and t.user_id = (select as_core_id(d.user_key) from touched d where d.imported)
      and jsonb_typeof(t.totp_devices) = 'object'
  )`;

const rename = `
  with ${meant},
  touched as (
    update totp_devices d set name = $4
    where d.app_no = $1 and d.user_key = (select m.user_key from meant m) and d.name = $3::text
    returning d.user_key, d.imported
  ),
  ${noted}
  select 1 as done from touched`;

const remove = `
  with ${meant},
  touched as (
    delete from totp_devices d
    where d.app_no = $1 and d.user_key = (select m.user_key from meant m) and d.name = $3::text
    returning d.user_key, d.imported
  ),
  ${noted},
  last as materialized (
    select t.user_key from touched t where not exists (
      select 1 from totp_devices d
      where d.app_no = $1 and d.user_key = t.user_key and d.name <> $3 and d.name <> ''
    )
  ),
  no_codes as (
    delete from totp_codes c where c.app_no = $1 and c.user_key = (select l.user_key from last l)
  ),
  no_backup_codes as (
    delete from totp_devices d
    where d.app_no = $1 and d.user_key = (select l.user_key from last l) and d.name = ''
  )
  select 1 as done from touched`;

export async function renameDevice(
  { write }: Pick<Database, 'write'>,
  appNo: number,
  userId: string,
  from: string,
  to: string,
): Promise<'renamed' | 'unknown' | 'taken'> {
  try {
    return (await write(rename, [appNo, userId, from, to])).length > 0 ? 'renamed' : 'unknown';
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken';
    throw error;
  }
}

export async function removeDevice(
  { write }: Pick<Database, 'write'>,
  appNo: number,
  userId: string,
  name: string,
): Promise<boolean> {
  return (await write(remove, [appNo, userId, name])).length > 0;
}
