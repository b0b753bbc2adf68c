import type { Query } from '../../database/database.ts';
import { forgetDoomed, forgetEntriesOfTenant, forgetTotp, forgetTracesOfTenant } from './forget-traces.ts';
import { removeWithHeirs } from './heirs.ts';
import { dropTombstonesOfTenant } from './tombstones.ts';

/** Two tenants of one app are removed one after the other: each would leave the users they share to the other. */
export const lockApp = 'select app_no from apps where app_id = $1 for update';

/** Writers lock their tenant's row until they commit, so after this delete nothing is added to the tenant any more. */
const dropTenant = `
  delete from tenants t using apps a
  where a.app_id = $1 and t.app_no = a.app_no and t.tenant_id = $2 and t.tenant_no <> 0
  returning t.app_no, t.tenant_no`;

/** A concurrent removal of another of their methods waits, or is waited for: see remove-user.ts. */
const lockLinkedOfTenant = `
  select count(*) from (
    select u.user_id from identities i join users u on u.app_no = i.app_no and u.user_id = i.user_id
    where i.app_no = $1 and i.tenant_no = $2 and i.tenant_no <> 0 and u.primary_user_id is not null
    order by u.user_id
    for update of u
  ) locked`;

/**
 * A login method that is also in another tenant remains, without this tenant. A user's details are removed with the last method:
 * `staying` are those elsewhere.
 */
const dropUsersOfTenant = `
  with former as materialized (
    delete from identities where app_no = $1 and tenant_no = $2 and tenant_no <> 0 returning user_id
  ),
  doomed as materialized (
    select distinct u.*
    from former f join users u on u.app_no = $1 and u.user_id = f.user_id
    where not exists (select 1 from identities_of($1, u) i where i.tenant_no <> $2)
  ),
  ended as materialized (
    select d.app_no, d.head
    from (select distinct d.app_no, coalesce(d.primary_user_id, d.user_id) as head from doomed d) d
    where not exists (
      select 1 from (
        select u.* from users u where u.app_no = d.app_no and u.user_id = d.head
        union all
        select l.* from users l
        where l.app_no = d.app_no and l.primary_user_id = d.head and l.primary_user_id <> l.user_id
      ) staying
      where exists (select 1 from identities_of($1, staying) i where i.tenant_no <> $2)
    )
  ),
  ${forgetDoomed.trimStart()},
  no_former_here as (delete from former_identities where app_no = $1 and tenant_no = $2 and tenant_no <> 0),
  no_tokens_here as (delete from tokens where app_no = $1 and tenant_no = $2),
  keys as materialized (
    select e.head as user_id from ended e
    union all
    select d.user_id from doomed d where d.primary_user_id <> d.user_id
  ),
  ${forgetTotp('keys')},
  no_details as (delete from user_details t using keys k where t.app_no = $1 and t.user_id = k.user_id),
  no_roles as (delete from user_roles r using keys k where r.app_no = $1 and r.user_key = k.user_id::text),
  no_heirs as (
    delete from former_heads f using ended e where f.app_no = e.app_no and f.user_id = e.head
  )
  delete from users u using doomed d where u.app_no = d.app_no and u.user_id = d.user_id`;

export async function removeTenant(query: Query, appId: string, tenantId: string): Promise<boolean> {
  await query(lockApp, [appId]);
  const [gone] = await query<{ app_no: number; tenant_no: number }>(dropTenant, [appId, tenantId]);
  if (!gone) return false;
  await query(lockLinkedOfTenant, [gone.app_no, gone.tenant_no]);
  await forgetTracesOfTenant(query, gone.app_no, gone.tenant_no);
  await query(forgetEntriesOfTenant, [gone.app_no, tenantId]);
  const which = [gone.app_no, gone.tenant_no] as const;
  await removeWithHeirs(query, 'tenant', which, () => query(dropUsersOfTenant, which));
  await query(dropTombstonesOfTenant, which);
  await query('delete from user_roles where app_no = $1 and tenant_no = $2', which);
  await query('delete from sessions where app_no = $1 and tenant_no = $2', which);
  await query('delete from opaque_tokens where app_no = $1 and tenant_no = $2', which);
  await query('delete from passwordless_devices where app_no = $1 and tenant_no = $2', which);
  await query('delete from totp_codes where app_no = $1 and tenant_no = $2', which);
  return true;
}

const tablesOfApp = [
  'identities',
  'former_identities',
  'users',
  'verified_emails',
  'tokens',
  'external_id_info',
  'own_external_ids',
  'user_details',
  'text_metadata',
  'user_roles',
  'roles',
  'former_heads',
  'tombstones',
  'sign_ins',
  'sessions',
  'carried_sessions',
  'opaque_tokens',
  'signing_keys',
  'passwordless_devices',
  'dashboard_users',
  'totp_devices',
  'totp_codes',
  'awaited_ids',
  'import_queue',
  'import_queue_leases',
  'import_rejects',
  'import_absent',
  'import_conflicts',
  'import_postponed',
  'import_ledger',
  'import_receipts',
  'receipt_keys',
  'import_claims',
  'import_met',
  'import_before_images',
  'import_jobs',
  'import_series',
  'move_changes',
  'move_written',
  'move_receipts',
  'move_passwords',
  'move_outcomes',
  'move_rounds',
  'move_leases',
  'move_events',
  'moves',
] as const;

export async function removeApp(query: Query, appId: string): Promise<boolean> {
  const [app] = await query<{ app_no: number }>(
    'select app_no from apps where app_id = $1 and app_no <> 0 for update',
    [appId],
  );
  if (!app) return false;
  await query('delete from tenants where app_no = $1', [app.app_no]);
  for (const table of tablesOfApp) await query(`delete from ${table} where app_no = $1`, [app.app_no]);
  await query('delete from apps where app_no = $1', [app.app_no]);
  return true;
}
