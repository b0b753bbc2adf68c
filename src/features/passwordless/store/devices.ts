import type {
  Contact,
  DeviceSearch,
  ListedDevice,
  NewSentCode,
  NewCodeDevice,
  StoredDevice,
} from '../model.ts';
import type { Tenant } from '../../../domain/model.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';
import { held, isHeld } from '../../../store/users/password-users.ts';

/** The parameters of the two statements that store a code. */
const codeParameters = (codes: readonly NewSentCode[]) => [
  plainArray(codes, ({ tenant }) => tenant.appNo),
  plainArray(codes, ({ tenant }) => tenant.tenantNo),
  plainArray(codes, ({ deviceHash }) => deviceHash),
  plainArray(codes, ({ codeId }) => codeId),
  plainArray(codes, ({ linkHash }) => linkHash),
  plainArray(codes, ({ createdAt }) => createdAt),
  plainArray(codes, ({ expiresAt }) => expiresAt),
];
const codeArrays = '$1::int[], $2::int[], $3::text[], $4::uuid[], $5::text[], $6::bigint[], $7::bigint[]';
const codeColumns = 'app_no, tenant_no, device, code_id, link, created_at, expires_at';

/** For one contact, including the new one. */
const mostDevices = 20;

/**
 * Devices of a contact beyond the newest, those with wrong codes first: they are a guesser's, and a user who types a code keeps
 * theirs. A device that another statement has locked is skipped: it ends anyway, or counts next time.
 */
const surplus = (contact: 'email' | 'phone'): string => `
      select s.app_no, s.device_hash from input i
      cross join lateral (
        select d.app_no, d.device_hash from passwordless_devices d
        where d.app_no = i.app_no and d.${contact} = i.${contact} and d.tenant_no = i.tenant_no
        order by d.failed > 0, d.expires_at desc
        offset ${mostDevices - 1}
        for update skip locked
      ) s`;

/** Stores a device and its first code, unless the tenant was removed in the meantime. */
export const createDevice: BatchedStatement<
  NewCodeDevice,
  { n: number; held: boolean },
  'created' | 'tenant-gone'
> = {
  name: 'create-passwordless-device',
  access: 'write',
  text: `
    with input as materialized (
      select * from unnest(${codeArrays}, $8::text[], $9::text[], $10::text[])
        with ordinality as i (${codeColumns}, email, phone, salt, n)
    ),
    held as materialized (${held}),
    device as (
      insert into passwordless_devices (app_no, device_hash, tenant_no, email, phone, salt, expires_at)
      select i.app_no, decode(i.device, 'hex'), i.tenant_no, i.email, i.phone, decode(i.salt, 'hex'), i.expires_at
      from input i where ${isHeld}
    ),
    code as (
      insert into passwordless_codes (app_no, code_id, device_hash, link_hash, created_at)
      select i.app_no, i.code_id, decode(i.device, 'hex'), decode(i.link, 'hex'), i.created_at
      from input i where ${isHeld}
    ),
    ended as (
      delete from passwordless_devices d using (${surplus('email')} union all ${surplus('phone')}) e
      where d.app_no = e.app_no and d.device_hash = e.device_hash
    )
    select i.n::int as n, ${isHeld} as held from input i`,
  parameters: (devices) => [
    ...codeParameters(devices),
    textArray(devices, ({ contact }) => contact.email),
    textArray(devices, ({ contact }) => contact.phoneNumber),
    plainArray(devices, ({ salt }) => salt.toString('hex')),
  ],
  outcomeOf: ([row]) => (row?.held === true ? 'created' : 'tenant-gone'),
};

/** The update locks the device until the commit: its removal comes before, or removes the code too. */
export const addCode: BatchedStatement<
  NewSentCode,
  { n: number; added: boolean },
  'added' | 'taken' | 'unknown-device'
> = {
  name: 'add-passwordless-code',
  access: 'write',
  text: `
    with input as materialized (
      select * from unnest(${codeArrays}) with ordinality as i (${codeColumns}, n)
    ),
    locked as materialized (
      select i.*, d.device_hash
      from (select * from input order by app_no, device) i
      cross join lateral (
        select d.device_hash from passwordless_devices d
        where d.app_no = i.app_no and d.device_hash = decode(i.device, 'hex') and d.tenant_no = i.tenant_no
        for no key update
      ) d
    ),
    prolonged as (
      update passwordless_devices d set expires_at = greatest(d.expires_at, l.expires_at)
      from locked l where d.app_no = l.app_no and d.device_hash = l.device_hash
    ),
    code as (
      insert into passwordless_codes (app_no, code_id, device_hash, link_hash, created_at)
      select app_no, code_id, device_hash, decode(link, 'hex'), created_at from locked
      on conflict do nothing
      returning code_id
    )
    select l.n::int as n, (l.code_id in (select c.code_id from code c)) is true as added from locked l`,
  parameters: codeParameters,
  keyOf: ({ tenant, deviceHash }) => `${tenant.appNo} ${deviceHash}`,
  outcomeOf: ([row]) => (row === undefined ? 'unknown-device' : row.added ? 'added' : 'taken'),
};

interface DeviceRow {
  readonly n: number;
  readonly device: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly salt: string;
}

const deviceColumns = `encode(d.device_hash, 'hex') as device, d.email, d.phone, encode(d.salt, 'hex') as salt`;

interface Lookup {
  readonly tenant: Tenant;
  readonly hash: string;
}

export const findDevice: BatchedStatement<Lookup, DeviceRow, StoredDevice | null> = {
  name: 'find-passwordless-device',
  access: 'read',
  text: `
    select i.n::int as n, ${deviceColumns}
    from unnest($1::int[], $2::int[], $3::text[]) with ordinality as i (app_no, tenant_no, device, n)
    cross join lateral (
      select d.* from passwordless_devices d
      where d.app_no = i.app_no and d.device_hash = decode(i.device, 'hex') and d.tenant_no = i.tenant_no
      offset 0
    ) d`,
  parameters: (lookups) => [
    plainArray(lookups, ({ tenant }) => tenant.appNo),
    plainArray(lookups, ({ tenant }) => tenant.tenantNo),
    plainArray(lookups, ({ hash }) => hash),
  ],
  outcomeOf: ([row]) => (row === undefined ? null : storedDevice(row)),
};

export const findDeviceByLink: BatchedStatement<
  Lookup & { readonly freshFrom: number },
  DeviceRow,
  StoredDevice | null
> = {
  name: 'find-passwordless-link',
  access: 'read',
  text: `
    select i.n::int as n, ${deviceColumns}
    from unnest($1::int[], $2::int[], $3::text[], $4::bigint[])
      with ordinality as i (app_no, tenant_no, link, fresh_from, n)
    cross join lateral (
      select c.device_hash from passwordless_codes c
      where c.app_no = i.app_no and c.link_hash = decode(i.link, 'hex') and c.created_at >= i.fresh_from
      offset 0
    ) c
    cross join lateral (
      select d.* from passwordless_devices d
      where d.app_no = i.app_no and d.device_hash = c.device_hash and d.tenant_no = i.tenant_no
      offset 0
    ) d`,
  parameters: (lookups) => [
    ...findDevice.parameters(lookups),
    plainArray(lookups, ({ freshFrom }) => freshFrom),
  ],
  outcomeOf: ([row]) => (row === undefined ? null : storedDevice(row)),
};

function storedDevice({ device, email, phone, salt }: DeviceRow): StoredDevice {
  return { deviceHash: device, contact: contactOf(email, phone), salt: Buffer.from(salt, 'hex') };
}

function contactOf(email: string | null, phone: string | null): Contact {
  return email === null ? { phoneNumber: phone ?? '' } : { email };
}

/** A condition on devices `d`, and the value of $3 in it; $1 is the app, $2 the tenant. */
export function conditionOf(search: DeviceSearch): readonly [condition: string, value: string] {
  if ('deviceHash' in search) return [ofTenant("d.device_hash = decode($3, 'hex')"), search.deviceHash];
  if (search.email !== undefined) return [ofTenant('d.email = $3'), search.email];
  return [ofTenant('d.phone = $3'), search.phoneNumber];
}

const ofTenant = (which: string): string => `d.app_no = $1::int and d.tenant_no = $2::int and ${which}`;

export interface ListedRow extends Omit<DeviceRow, 'n' | 'salt'> {
  readonly failed: number;
  readonly code_id: string;
  readonly created_at: number;
}

/** A row for each code of the devices, in the order in which they were made. */
export const listCodes = (condition: string): string => `
  select encode(d.device_hash, 'hex') as device, d.email, d.phone, d.failed, c.code_id, c.created_at
  from passwordless_devices d
  cross join lateral (
    select c.code_id, c.created_at from passwordless_codes c
    where c.app_no = d.app_no and c.device_hash = d.device_hash
    offset 0
  ) c
  where ${condition}
  order by c.created_at, c.code_id`;

export function listedDevices(rows: readonly ListedRow[]): ListedDevice[] {
  const byDevice = Map.groupBy(rows, ({ device }) => device);
  return [...byDevice].flatMap(([deviceHash, codes]) =>
    codes.slice(0, 1).map(({ email, phone, failed }) => ({
      deviceHash,
      failed,
      contact: contactOf(email, phone),
      codes: codes.map(({ code_id: codeId, created_at: createdAt }) => ({ codeId, createdAt })),
    })),
  );
}
