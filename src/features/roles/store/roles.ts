import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { NewRole, RoleStore } from '../model.ts';
import type { BatchedStatement, Batches } from '../../../store/batch/batches.ts';
import type { Database } from '../../../database/database.ts';

/**
 * The update changes nothing: it locks an existing role until its permissions are added. Only a new row has no xmax. The app is
 * locked, so that one that is being removed leaves no role.
 */
const put = `
  with app as materialized (select a.app_no from apps a where a.app_no = $1::int for key share),
  made as (
    insert into roles (app_no, role) select a.app_no, $2::text from app a
    on conflict (app_no, role) do update set role = excluded.role
    returning app_no, role, xmax = 0 as is_new
  ),
  permitted as (
    insert into role_permissions (app_no, role, permission)
    select m.app_no, m.role, p.permission from made m, (select distinct * from unnest($3::text[])) p (permission)
    order by p.permission
    on conflict do nothing
  )
  select m.is_new from made m`;

/** Its permissions and assignments are removed with it, by their foreign keys. */
const remove = 'delete from roles r where r.app_no = $1::int and r.role = $2::text returning 1';

const list = 'select r.role from roles r where r.app_no = $1::int order by r.role';

const removePermissions = `
  with known as materialized (select 1 from roles r where r.app_no = $1::int and r.role = $2::text),
  removed as (
    delete from role_permissions p
    where p.app_no = $1 and p.role = $2 and ($3::text[] is null or p.permission = any($3::text[]))
  )
  select 1 from known`;

const rolesWith = `
  select p.role from role_permissions p where p.app_no = $1::int and p.permission = $2::text order by p.role`;

interface RoleRef {
  readonly appNo: number;
  readonly role: string;
}

/** Called for each role of a user at sign-in. */
const findPermissions: BatchedStatement<
  RoleRef,
  { n: number; permissions: readonly string[] },
  readonly string[] | null
> = {
  name: 'find-permissions',
  access: 'read',
  text: `
    select i.n::int as n, to_json(array(
      select p.permission from role_permissions p where p.app_no = i.app_no and p.role = i.role order by p.permission
    )) as permissions
    from unnest($1::int[], $2::text[]) with ordinality as i (app_no, role, n)
    join roles r on r.app_no = i.app_no and r.role = i.role`,
  parameters: (refs) => [plainArray(refs, ({ appNo }) => appNo), textArray(refs, ({ role }) => role)],
  outcomeOf: ([row]) => row?.permissions ?? null,
};

const listOf = (texts: readonly string[]): string => textArray(texts, (text) => text);

/** Roles of apps, and their permissions. */
export function roleStore(batches: Batches, { read, write }: Database): RoleStore {
  const permissions = batches.add(findPermissions);
  const rolesOf = async (text: string, parameters: (string | number)[]): Promise<string[]> =>
    (await read<{ role: string }>(text, parameters)).map(({ role }) => role);
  return {
    put: async ({ appNo, role, permissions: given }: NewRole) => {
      const [row] = await write<{ is_new: boolean }>(put, [appNo, role, listOf(given)]);
      return row?.is_new ?? false;
    },
    remove: async (appNo, role) => (await write(remove, [appNo, role])).length > 0,
    list: (appNo) => rolesOf(list, [appNo]),
    permissions: async (appNo, role) => (await permissions({ appNo, role })) ?? undefined,
    removePermissions: async (appNo, role, given) =>
      (await write(removePermissions, [appNo, role, given === undefined ? null : listOf(given)])).length > 0,
    rolesWith: (appNo, permission) => rolesOf(rolesWith, [appNo, permission]),
  };
}
