import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { Tenant } from '../../../domain/model.ts';
import type { DeviceSearch } from '../model.ts';
import type { Database, Query } from '../../../database/database.ts';
import { removeBy } from '../../../store/expired-rows.ts';
import { conditionOf } from './devices.ts';

/** Removes devices with their codes, locked in the order in which every statement locks them. @param which of `d` */
const removing = (which: string): string => `
  with doomed as materialized (
    select d.app_no, d.device_hash from passwordless_devices d where ${which}
    order by d.app_no, d.device_hash
    for update
  )
  delete from passwordless_devices d using doomed x where d.app_no = x.app_no and d.device_hash = x.device_hash`;

export async function removeDevices(
  { write }: Pick<Database, 'write'>,
  { appNo, tenantNo }: Tenant,
  search: DeviceSearch,
): Promise<void> {
  const [condition, value] = conditionOf(search);
  await write(removing(condition), [appNo, tenantNo, value]);
}

/** Two look-ups: a choice of two columns would scan the app. */
const ofContacts = `
  with doomed as materialized (
    select w.device_hash
    from (
      select d.device_hash from passwordless_devices d
      where d.app_no = $1::int and d.email = any($3::text[]) and d.tenant_no = any($2::int[])
      union all
      select d.device_hash from passwordless_devices d
      where d.app_no = $1 and d.phone = any($4::text[]) and d.tenant_no = any($2)
      order by device_hash
    ) w
    cross join lateral (
      select 1 from passwordless_devices d where d.app_no = $1 and d.device_hash = w.device_hash for update
    ) d
  )
  delete from passwordless_devices d using doomed x where d.app_no = $1 and d.device_hash = x.device_hash`;

/** Codes for any of these contacts, in these tenants. */
export async function removeDevicesOf(
  query: Query,
  which: {
    readonly appNo: number;
    readonly tenants: readonly number[];
    readonly emails: readonly (string | null)[];
    readonly phones: readonly (string | null)[];
  },
): Promise<void> {
  const texts = [which.emails, which.phones].map((each) =>
    textArray(each, (contact) => contact ?? undefined),
  );
  await query(ofContacts, [which.appNo, plainArray(which.tenants, (tenant) => tenant), ...texts]);
}

const lockDeviceOfCode = `
  select d.device_hash
  from (
    select c.device_hash from passwordless_codes c where c.app_no = $1 and c.code_id = $3 offset 0
  ) c
  cross join lateral (
    select d.device_hash from passwordless_devices d
    where d.app_no = $1 and d.device_hash = c.device_hash and d.tenant_no = $2
    for update
  ) d`;

const removeLocked = `
  with code as (
    delete from passwordless_codes c where c.app_no = $1 and c.code_id = $2 returning c.device_hash
  )
  delete from passwordless_devices d using code e
  where d.app_no = $1 and d.device_hash = e.device_hash and not exists (
    select 1 from passwordless_codes c
    where c.app_no = $1 and c.device_hash = e.device_hash and c.code_id <> $2
    offset 0
  )`;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A separate statement locks the device, so that of two removals of its last codes the later sees none left. */
export async function removeCode(
  database: Database,
  { appNo, tenantNo }: Tenant,
  codeId: string,
): Promise<void> {
  if (!uuid.test(codeId)) return;
  await database.transaction(async (query) => {
    const locked = await query(lockDeviceOfCode, [appNo, tenantNo, codeId]);
    if (locked.length > 0) await query(removeLocked, [appNo, codeId]);
  });
}

/** Removes devices whose codes have all expired. */
export const removeExpiredDevices = removeBy(`
  with expired as materialized (
    select app_no, device_hash from passwordless_devices where expires_at < $1::bigint limit $2::int
    for update skip locked
  ),
  removed as (
    delete from passwordless_devices d using expired e
    where d.app_no = e.app_no and d.device_hash = e.device_hash
    returning 1
  )
  select count(*)::int as count from removed`);
