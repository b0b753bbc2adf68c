import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { AssignedRole, RoleOfUser, UserRoleStore } from '../model.ts';
import type { BatchedStatement, Batches } from '../../../store/batch/batches.ts';
import type { Database } from '../../../database/database.ts';
import { noteActivity } from '../../../store/users/activity.ts';
import { methodId } from '../../../store/removal/heirs.ts';

interface AssignRow {
  readonly n: number;
  readonly is_known: boolean;
  readonly is_new: boolean;
}

/**
 * The login method is locked as an import locks users that it changes: neither overwrites what the other has read. One that was
 * removed in the meantime leaves the id as a text. The tenant and the role are locked: nothing is assigned that is being removed.
 */
const assign: BatchedStatement<RoleOfUser, AssignRow, AssignedRole> = {
  name: 'assign-role',
  access: 'write',
  text: `
    with wanted as materialized (
      select i.*, details_key(i.app_no, i.id) as key
      from unnest($1::int[], $2::int[], $3::text[], $4::text[]) with ordinality as i (app_no, tenant_no, id, role, n)
    ),
    found as materialized (
      select w.n, u.app_no, u.user_id from wanted w
      join users u on u.app_no = w.app_no and u.user_id = as_core_id(w.key)
    ),
    locked as materialized (
      select u.app_no, u.user_id
      from (select distinct f.app_no, f.user_id from found f order by f.app_no, f.user_id) f
      cross join lateral (
        select u.app_no, u.user_id from users u where u.app_no = f.app_no and u.user_id = f.user_id for no key update
      ) u
    ),
    gone as materialized (
      select f.n from found f where not (((f.app_no, f.user_id) in (select l.app_no, l.user_id from locked l)) is true)
    ),
    tenants_held as materialized (
      select t.app_no, t.tenant_no
      from (select distinct w.app_no, w.tenant_no from wanted w order by w.app_no, w.tenant_no) w
      cross join lateral (
        select t.app_no, t.tenant_no from tenants t
        where t.app_no = w.app_no and t.tenant_no = w.tenant_no for key share
      ) t
    ),
    roles_held as materialized (
      select r.app_no, r.role
      from (select distinct w.app_no, w.role from wanted w order by w.app_no, w.role) w
      cross join lateral (
        select r.app_no, r.role from roles r where r.app_no = w.app_no and r.role = w.role for key share
      ) r
    ),
    keyed as materialized (
      select w.n, w.app_no, w.tenant_no, w.role,
        case when ((w.n in (select g.n from gone g)) is true) then w.id else w.key end as user_key,
        ((w.app_no, w.role) in (select h.app_no, h.role from roles_held h)) is true as is_known
      from wanted w
    ),
    assigned as (
      insert into user_roles (app_no, user_key, tenant_no, role)
      select distinct k.app_no, k.user_key, k.tenant_no, k.role from keyed k
      where k.is_known and (((k.app_no, k.tenant_no) in (select t.app_no, t.tenant_no from tenants_held t)) is true)
      order by k.app_no, k.user_key, k.tenant_no, k.role
      on conflict do nothing
      returning app_no, user_key, tenant_no, role
    ),
    noted as (${noteActivity('details_changed_at', 'locked')})
    select k.n::int as n, k.is_known,
      ((k.app_no, k.user_key, k.tenant_no, k.role) in (select * from assigned)) is true as is_new
    from keyed k`,
  parameters: (all) => [
    plainArray(all, ({ tenant }) => tenant.appNo),
    plainArray(all, ({ tenant }) => tenant.tenantNo),
    textArray(all, ({ userId }) => userId),
    textArray(all, ({ role }) => role),
  ],
  keyOf: ({ tenant, userId, role }) => `${tenant.appNo} ${tenant.tenantNo} ${role} ${userId}`,
  outcomeOf: ([row]) => (row?.is_known ? (row.is_new ? 'changed' : 'as-before') : 'unknown-role'),
};

/** Locked as above, by being counted: PostgreSQL does not run a CTE that nothing reads. */
const take = `
  with known as materialized (select 1 from roles r where r.app_no = $1::int and r.role = $4::text),
  meant as materialized (select details_key($1, $3::text) as key),
  locked as materialized (
    select u.user_id from users u
    where u.app_no = $1 and u.user_id = any(array(select as_core_id(m.key) from meant m)) for no key update
  ),
  taken as (
    delete from user_roles u using meant m
    where u.app_no = $1 and u.user_key = m.key and u.tenant_no = $2::int and u.role = $4
      and (select count(*) from locked) >= 0
    returning 1
  ),
  noted as (${noteActivity('details_changed_at', '(select $1::int as app_no, l.user_id from locked l)')})
  select exists (select 1 from taken) as had from known`;

/** As callers know them; if the head's own login method was removed, by the id that its heir has. */
const users = `
  select case when k.user_key is not null then coalesce(
      (select ${methodId('$1', 'u')} from users u where u.app_no = $1 and u.user_id = as_core_id(k.user_key)),
      (
        select b.external_id from former_heads f join users b on b.app_no = f.app_no and b.user_id = f.heir
        where f.app_no = $1 and f.user_id = as_core_id(k.user_key)
      ),
      k.user_key
    ) end as user_id
  from roles r
  left join user_roles k on k.app_no = r.app_no and k.role = r.role and k.tenant_no = $2::int
  where r.app_no = $1::int and r.role = $3::text
  order by k.user_key`;

/** The roles of users. */
export function userRoleStore(batches: Batches, { read, write }: Database): UserRoleStore {
  return {
    assign: batches.add(assign),
    take: async ({ tenant, userId, role }) => {
      const [row] = await write<{ had: boolean }>(take, [tenant.appNo, tenant.tenantNo, userId, role]);
      return row ? (row.had ? 'changed' : 'as-before') : 'unknown-role';
    },
    users: async (tenant, role) => {
      const rows = await read<{ user_id: string | null }>(users, [tenant.appNo, tenant.tenantNo, role]);
      return rows.length === 0 ? undefined : rows.flatMap(({ user_id: id }) => id ?? []);
    },
  };
}
