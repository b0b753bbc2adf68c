/** Roles as records and images state them: `[{ role, tenantIds }]`, for the public tenant if no tenants are named. */
import { textArray } from '../../domain/pg-array.ts';
import type { Database, Query } from '../../database/database.ts';

/** Records state roles that the app does not have: they have to be created, and everything written again. */
export class MissingRoles extends Error {
  override readonly name = 'MissingRoles';
  readonly appNo: number;
  readonly roles: readonly string[];

  constructor(appNo: number, roles: readonly string[]) {
    super('the app has not all roles that records state');
    this.appNo = appNo;
    this.roles = roles;
  }
}

/**
 * Tenants and roles are locked until the commit, so that a tenant or role that is being removed leaves nothing; removed ones are
 * skipped.
 * @param given a query of `user_id` and `roles`, jsonb; $1 is the app
 */
function stated(given: string): string {
  return `
  given as materialized (${given}),
  named as materialized (
    select distinct g.user_id, r.value ->> 'role' as role, n.tenant_id
    from given g
    cross join lateral jsonb_array_elements(case when jsonb_typeof(g.roles) = 'array' then g.roles end) r
    cross join lateral jsonb_array_elements_text(coalesce(r.value -> 'tenantIds', '["public"]')) n (tenant_id)
  ),
  tenants_held as materialized (
    select t.tenant_no, t.tenant_id from tenants t
    where t.app_no = $1::int and t.tenant_id = any(array(select distinct n.tenant_id from named n))
    order by t.tenant_no
    for key share
  ),
  roles_held as materialized (
    select r.role from roles r
    where r.app_no = $1 and r.role = any(array(select distinct n.role from named n))
    order by r.role
    for key share
  ),
  stated as materialized (
    select n.user_id::text as user_key, t.tenant_no, n.role
    from named n join tenants_held t on t.tenant_id = n.tenant_id
    where ((n.role in (select h.role from roles_held h)) is true)
  )`;
}

const assign = `
  insert into user_roles (app_no, user_key, tenant_no, role)
  select $1, s.user_key, s.tenant_no, s.role from stated s
  on conflict do nothing`;

const missing = `
  select distinct n.role from named n where not ((n.role in (select h.role from roles_held h)) is true)`;

/** $2 ids, $3 their stated roles. For rows that may not have been created, only those that were. */
const ofCreated = `
  with ${stated(`
    select w.user_id, w.roles::jsonb as roles from unnest($2::uuid[], $3::text[]) w (user_id, roles)
    cross join lateral (select 1 from users u where u.app_no = $1 and u.user_id = w.user_id offset 0) u
    where w.roles is not null`)},
  assigned as (${assign})
  ${missing}`;

/** The same for existing, locked users: roles that are not stated are removed. */
const ofChanged = `
  with ${stated('select w.user_id, w.roles::jsonb as roles from unnest($2::uuid[], $3::text[]) w (user_id, roles)')},
  removed as (
    delete from user_roles u
    where u.app_no = $1 and u.user_key = any(array(select g.user_id::text from given g))
      and not (((u.user_key, u.tenant_no, u.role) in (select s.user_key, s.tenant_no, s.role from stated s)) is true)
  ),
  assigned as (${assign})
  ${missing}`;

/** A statement that restores the roles of images; those that were removed since are not restored. @param given see `stated` */
export function putBackRoles(given: string): string {
  return `with ${stated(given)} ${assign}`;
}

export const dropRoles = `
  delete from user_roles u
  where u.app_no = $1::int and u.user_key = any(array(select w.user_id::text from unnest($2::uuid[]) w (user_id)))`;

export interface RolesOfRecords {
  readonly appNo: number;
  /** Nothing of a dry run is stored: missing roles are not created. */
  readonly dryRun: boolean;
  /** Array literals: ids, and JSON texts or NULL. */
  readonly userId: string;
  readonly roles: string;
}

/**
 * Stores the roles that records state for users they create, in a separate statement: most chunks have none.
 * @throws MissingRoles
 */
export async function createStatedRoles(query: Query, records: RolesOfRecords): Promise<void> {
  // Each cell that is not NULL has quotes.
  if (records.roles.includes('"')) await keep(query, ofCreated, records);
}

/** The same for existing, locked users. @throws MissingRoles */
export async function replaceStatedRoles(query: Query, records: RolesOfRecords): Promise<void> {
  await keep(query, ofChanged, records);
}

async function keep(
  query: Query,
  text: string,
  { appNo, dryRun, userId, roles }: RolesOfRecords,
): Promise<void> {
  const rows = await query<{ role: string }>(text, [appNo, userId, roles]);
  if (rows.length === 0 || dryRun) return;
  throw new MissingRoles(
    appNo,
    rows.map(({ role }) => role),
  );
}

/** In the order of their names, as in every transaction that creates several. */
const make = `
  insert into roles (app_no, role)
  select a.app_no, r.role from apps a, unnest($2::text[]) r (role) where a.app_no = $1::int order by r.role
  on conflict do nothing`;

/** Another client removes them again; more attempts than this are not chance. */
const maxRaces = 20;

/**
 * Repeats the work once the missing roles exist. They are created outside of its transaction: two chunks of an import that create
 * the same role would wait for each other, the second for its turn and the first for the role.
 */
export async function withRolesMade<Result>(
  { write }: Pick<Database, 'write'>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let races = 1; ; races++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MissingRoles) || races === maxRaces) throw error;
      await write(make, [error.appNo, textArray(error.roles, (role) => role)]);
    }
  }
}
