import type { JobRef } from '../../imports/model.ts';
import type {
  ExternalHolder,
  HeldMethod,
  Holders,
  IdentityHolder,
  SoughtKeys,
} from '../../imports/parse/types.ts';
import { methodColumns, soughtExternalColumns, soughtIdentityColumns } from '../../domain/user-columns.ts';
import type { Query } from '../../database/database.ts';
import { arraysIn, namesOf, readFrom, unnested } from '../../database/relation.ts';

/**
 * Planned once: see place/mixed.ts. `offset 0` in an `exists` makes it a look-up for each row: without it, a plan made on an
 * empty table may read all claims of the job at once. In all texts $1 is the app, $2 the job.
 */

const soughtIdentities = `
  select s.* from ${unnested(soughtIdentityColumns, 3)} as s (${namesOf(soughtIdentityColumns)})`;

const soughtExternals = (first: number): string => `
  select s.* from ${unnested(soughtExternalColumns, first)} as s (${namesOf(soughtExternalColumns)})`;

/** Login methods with a sought key, before anything is locked. */
const holding = `
  select d.user_id from (${soughtIdentities}) s
  cross join lateral (
    select d.user_id from identities d
    where d.app_no = $1::int and d.kind = s.kind and d.key = s.key and d.tenant_no = s.tenant_no
    offset 0
  ) d
  union
  select f.user_id from (${soughtIdentities}) s
  cross join lateral (
    select f.user_id from former_identities f
    where f.app_no = $1::int and f.kind = s.kind and f.key = s.key and f.tenant_no = s.tenant_no
    offset 0
  ) f
  union
  select x.user_id from (${soughtExternals(8)}) s
  cross join lateral (
    select u.user_id from users u where u.app_no = $1 and u.external_id = s.external_id offset 0
  ) x
  where $2::uuid is not null`;

/** Whole users, in the order of their ids as in every statement that locks several users. */
const wholeUsers = (locking: string): string => `
  with heads as materialized (
    select distinct coalesce(u.primary_user_id, u.user_id) as head
    from unnest($2::uuid[]) w (user_id)
    cross join lateral (
      select u.user_id, u.primary_user_id from users u where u.app_no = $1::int and u.user_id = w.user_id offset 0
    ) u
  )
  select u.user_id
  from (
    select h.head as user_id from heads h
    union all
    select l.user_id from heads h
    cross join lateral (
      select l.user_id from users l
      where l.app_no = $1 and l.primary_user_id = h.head and l.primary_user_id <> l.user_id
      offset 0
    ) l
    order by user_id
  ) w
  cross join lateral (
    select u.user_id from users u where u.app_no = $1 and u.user_id = w.user_id ${locking}
  ) u`;
const lockUsers = wholeUsers('for no key update');
const membersOf = wholeUsers('offset 0');

const lockTenants = `
  select t.tenant_no from tenants t
  where t.app_no = $1::int and t.tenant_no = any($2::int[])
  order by t.tenant_no
  for key share`;

/** Keys represented by the claims of kind 6: all keys of that user in that tenant, and its external id if they name it. */
const readIdentities = `
  select s.record, s.method, s.tenant_no as "tenantNo", s.kind, d.user_id as "userId",
    f.user_id as "formerId",
    (exists (
      select 1 from import_claims c
      where c.app_no = $1 and c.job_id = $2::uuid and c.kind = s.kind and c.key = s.key and c.tenant_no = s.tenant_no
      offset 0
    ) or exists (
      select 1 from import_claims c
      where c.app_no = $1 and c.job_id = $2 and c.kind = 6 and c.key = d.user_id and c.tenant_no = s.tenant_no
      offset 0
    ) or exists (
      select 1 from import_claims c
      where c.app_no = $1 and c.job_id = $2 and c.kind = 6 and c.key = f.user_id and c.tenant_no = s.tenant_no
      offset 0
    )) as "isClaimed"
  from (${soughtIdentities}) s
  left join lateral (
    select d.user_id from identities d
    where d.app_no = $1::int and d.kind = s.kind and d.key = s.key and d.tenant_no = s.tenant_no
    offset 0
  ) d on true
  left join lateral (
    select f.user_id from former_identities f
    cross join lateral (
      select 1 from users u where u.app_no = $1 and u.user_id = f.user_id and base_states(u.base, s.kind, s.key) offset 0
    ) u
    where f.app_no = $1 and f.kind = s.kind and f.key = s.key and f.tenant_no = s.tenant_no
    offset 0
  ) f on true`;

const readExternals = `
  select s.record, x.user_id as "userId", o.user_id is not null as "isCoreId",
    (exists (
      select 1 from import_claims c where c.app_no = $1 and c.job_id = $2::uuid and c.kind = 5 and c.key = s.key and c.tenant_no = 0
      offset 0
    ) or exists (
      select 1 from import_claims c where c.app_no = $1 and c.job_id = $2 and c.kind = 6 and c.key = x.user_id and c.with_external
      offset 0
    )) as "isClaimed"
  from (${soughtExternals(3)}) s
  left join lateral (
    select u.user_id from users u where u.app_no = $1::int and u.external_id = s.external_id offset 0
  ) x on true
  left join lateral (
    select u.user_id from users u where u.app_no = $1 and u.user_id = s.core_id offset 0
  ) o on true`;

const readMethods = `
  select ${readFrom('u', methodColumns)}, u.import_job is not distinct from $2::uuid as "isOfThisJob",
    to_json(array(
      select distinct i.tenant_no from identities_of($1, u.method) i order by i.tenant_no
    )) as tenants,
    (
      select max(c.line) from import_claims c where c.app_no = $1 and c.job_id = $2 and c.kind = 6 and c.key = u.user_id
    ) as "unchangedAtLine",
    case when s.upgraded_to = hash_mark(u.password_hash) then encode(s.upgraded_from, 'hex') end as "upgradedFrom",
    s.upgraded_at as "upgradedAt", to_json(s.written_marks) as "writtenMarks", v.move_no is not null as "isSetInMove",
    greatest(s.password_changed_at, s.reset_at) as "passwordSetAt",
    case when s.reset_at > coalesce(s.email_changed_at, 0) then s.reset_at end as "resetAt",
    t.metadata,
    t.totp_devices as "totpDevices",
    (
      select r.restrictions from user_details r
      where r.app_no = $1 and r.user_id = coalesce(u.primary_user_id, u.user_id)
      offset 0
    ) as restrictions
  from unnest($3::uuid[]) w (user_id)
  cross join lateral (
    select u.*, u as method from users u where u.app_no = $1::int and u.user_id = w.user_id offset 0
  ) u
  left join lateral (
    select t.* from user_details t
    where t.app_no = $1 and t.user_id = coalesce(u.primary_user_id, u.user_id) and t.user_id = u.user_id
    offset 0
  ) t on true
  left join lateral (
    select s.* from sign_ins s where s.app_no = $1 and s.user_id = u.user_id offset 0
  ) s on true
  left join lateral (
    select p.move_no from moves m
    cross join lateral (
      select p.move_no from move_passwords p
      where p.app_no = $1 and p.move_no = m.move_no and p.mark = hash_mark(u.password_hash)
      offset 0
    ) p
    where m.app_no = $1 and m.second_hash is not null and u.base is null
    offset 0
  ) v on true
  order by u.user_id`;

/** Of users who have any. */
const readRoles = `
  select w.key as "userId", roles_of($1::int, w.key) as roles
  from unnest($2::text[]) w (key)
  cross join lateral (select 1 from user_roles r where r.app_no = $1 and r.user_key = w.key limit 1) r`;

const maxAttempts = 10;

/** Users who have one of the keys, without a lock: for a decision that is repeated under the locks. */
export async function lookAtHolders(query: Query, job: JobRef, keys: SoughtKeys): Promise<Holders> {
  const { byIdentity, byExternal } = columnsOf(keys);
  const found = await query<{ user_id: string }>(holding, [job.appNo, job.id, ...byIdentity, ...byExternal]);
  const identities = await query<IdentityHolder>(readIdentities, [job.appNo, job.id, ...byIdentity]);
  const externals = await query<ExternalHolder>(readExternals, [job.appNo, job.id, ...byExternal]);
  const members =
    found.length === 0
      ? []
      : await query<{ user_id: string }>(membersOf, [job.appNo, idArray(found.map((row) => row.user_id))]);
  const methods = await methodsOf(query, job.appNo, job.id, new Set(members.map((row) => row.user_id)));
  return { tenants: [], identities, externals, methods };
}

function columnsOf({ identities, externals }: SoughtKeys): Record<'byIdentity' | 'byExternal', string[]> {
  return {
    byIdentity: arraysIn(soughtIdentityColumns, identities),
    byExternal: arraysIn(soughtExternalColumns, externals),
  };
}

/**
 * Locks the users who have one of the keys, and reads them as they are then. A user who takes a key in between is locked in
 * another round.
 */
export async function findHolders(
  query: Query,
  { appNo, id }: { readonly appNo: number; readonly id: string },
  keys: SoughtKeys,
): Promise<Holders> {
  const { byIdentity, byExternal } = columnsOf(keys);
  const tenants = await query<{ tenant_no: number }>(lockTenants, [appNo, keys.identities.tenantNo]);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const found = await query<{ user_id: string }>(holding, [appNo, id, ...byIdentity, ...byExternal]);
    const locked = await lock(query, appNo, found);
    const held = await query<IdentityHolder>(readIdentities, [appNo, id, ...byIdentity]);
    const mapped = await query<ExternalHolder>(readExternals, [appNo, id, ...byExternal]);
    const holders = [...held, ...mapped]
      .map(({ userId }) => userId)
      .concat(held.map(({ formerId }) => formerId));
    if (!holders.every((userId) => userId === null || locked.has(userId))) continue;
    return {
      tenants: tenants.map((row) => row.tenant_no),
      identities: held.filter(
        ({ userId, formerId, isClaimed }) => userId !== null || formerId !== null || isClaimed,
      ),
      externals: mapped.filter(({ userId, isClaimed, isCoreId }) => userId !== null || isClaimed || isCoreId),
      methods: await methodsOf(query, appNo, id, locked),
    };
  }
  throw new Error('the users of a chunk kept changing while they were locked');
}

async function lock(
  query: Query,
  appNo: number,
  found: readonly { user_id: string }[],
): Promise<Set<string>> {
  if (found.length === 0) return new Set();
  const rows = await query<{ user_id: string }>(lockUsers, [appNo, idArray(found.map((row) => row.user_id))]);
  return new Set(rows.map((row) => row.user_id));
}

async function methodsOf(
  query: Query,
  appNo: number,
  jobId: string,
  ids: ReadonlySet<string>,
): Promise<HeldMethod[]> {
  if (ids.size === 0) return [];
  const all = idArray([...ids]);
  const methods = await query<Omit<HeldMethod, 'roles'>>(readMethods, [appNo, jobId, all]);
  const rows = await query<{ userId: string; roles: unknown }>(readRoles, [appNo, all]);
  const roles = new Map(rows.map((row) => [row.userId, row.roles]));
  return methods.map((each) => {
    const isHead = (each.primaryUserId ?? each.userId) === each.userId;
    return { ...each, roles: isHead ? (roles.get(each.userId) ?? null) : null };
  });
}

function idArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}
