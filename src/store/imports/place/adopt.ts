import type { Query } from '../../../database/database.ts';

/**
 * Roles, metadata and TOTP devices may be stored for an external id before an import creates its user: then they become the
 * user's, as when the id is mapped (mappings.ts). Hardly any app has some, so that is checked first.
 *
 * Planned once: see mixed.ts. $1 is the app.
 */

const isBare = (key: string): string => `(length(${key}) <> 36 or substr(${key}, 15, 1) <> '7')`;

const findAny = `
  select exists (select 1 from text_metadata t where t.app_no = $1::int)
    or exists (select 1 from user_roles r where r.app_no = $1 and ${isBare('r.user_key')})
    or exists (select 1 from totp_devices d where d.app_no = $1 and ${isBare('d.user_key')}) as found`;

/** Data stored under external ids of the users, with the ids of these users. */
const keptIn = (table: string, columns: string): string => `
    select m.core_id, k.* from mapped m
    cross join lateral (
      select k.ctid as place, ${columns} from ${table} k where k.app_no = $1 and k.user_key = m.external_id offset 0
    ) k`;

const taken = (name: string, of: string): string =>
  `delete from ${name} k where k.ctid = any(array(select w.place from ${of} w))`;

/** $2 external ids. Existing data of the user is not replaced; codes of devices are not moved. */
const adopt = `
  with mapped as materialized (
    select i.external_id, u.user_id as core_id
    from (select distinct e.external_id from unnest($2::text[]) e (external_id)) i
    cross join lateral (
      select u.user_id from users u where u.app_no = $1::int and u.external_id = i.external_id offset 0
    ) u
  ),
  roles_kept as materialized (${keptIn('user_roles', 'k.tenant_no, k.role')}),
  roles_left as (${taken('user_roles', 'roles_kept')}),
  roles_adopted as (
    insert into user_roles (app_no, user_key, tenant_no, role)
    select $1, w.core_id::text, w.tenant_no, w.role from roles_kept w
    on conflict do nothing
  ),
  metadata_kept as materialized (${keptIn('text_metadata', 'k.metadata')}),
  metadata_left as (${taken('text_metadata', 'metadata_kept')}),
  metadata_adopted as (
    insert into user_details as d (app_no, user_id, metadata)
    select $1, w.core_id, w.metadata from metadata_kept w
    on conflict (app_no, user_id) do update set metadata = coalesce(d.metadata, excluded.metadata)
  ),
  devices_kept as materialized (
    ${keptIn('totp_devices', 'k.name, k.id, k.period, k.skew, k.verified, k.imported, k.created_at, k.sealed_secret, k.algorithm, k.digits')}
  ),
  devices_left as (${taken('totp_devices', 'devices_kept')}),
  devices_adopted as (
    insert into totp_devices (
      app_no, user_key, name, id, period, skew, verified, imported, created_at, sealed_secret, algorithm, digits
    )
    select $1, w.core_id::text, w.name, w.id, w.period, w.skew, w.verified, w.imported, w.created_at, w.sealed_secret,
      w.algorithm, w.digits
    from devices_kept w
    on conflict do nothing
  ),
  awaited as materialized (
    select a.place from (
      select rare_mark((select d.secret from decoy_secret d limit 1), $1, 'x' || m.external_id) as mark from mapped m
    ) w
    cross join lateral (
      select a.ctid as place from awaited_ids a where a.app_no = $1 and a.mark = w.mark offset 0
    ) a
  ),
  no_more_awaited as (${taken('awaited_ids', 'awaited')}),
  codes_kept as materialized (${keptIn('totp_codes', 'k.seq')}),
  codes_left as (${taken('totp_codes', 'codes_kept')})
  select 1`;

/** Whether the app stores anything for ids that may have no user. */
export async function keepsForBareIds(query: Query, appNo: number): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(findAny, [appNo]);
  return row?.found ?? true;
}

/** Gives users the data stored for their external ids. @param externalIds array literals */
export async function adoptKept(
  query: Query,
  appNo: number,
  ...externalIds: readonly string[]
): Promise<void> {
  if (!(await keepsForBareIds(query, appNo))) return;
  for (const ids of externalIds) await query(adopt, [appNo, ids]);
}
