/** Marks of users who were imported and then removed here: see migrations/0012_rare_keys.sql. */

import type { RemovedMatch, SoughtKeys } from '../../imports/parse/types.ts';
import type { Query } from '../../database/database.ts';

const secret = '(select d.secret from decoy_secret d limit 1)';

/** For a whole user whose login methods are locked and about to be removed: $1 the app, $2 their ids. */
const leave = `
  with doomed as materialized (
    select u.* from users u where u.app_no = $1 and u.user_id = any($2::uuid[])
  ),
  keys as materialized (
    select i.kind::int as kind, i.key, i.tenant_no, 'k' || replace(i.key::text, '-', '') as what
    from doomed d cross join lateral identities_of($1, d) i
    union
    select 5, identity_key(3::smallint, d.external_id, null, null, null), null, 'x' || d.external_id
    from doomed d where d.external_id is not null
    union
    select 5, identity_key(3::smallint, o.external_id, null, null, null), null, 'x' || o.external_id
    from doomed d cross join lateral (
      select o.external_id from own_external_ids o where o.app_no = $1 and o.user_id = d.user_id offset 0
    ) o
  ),
  person as materialized (select gen_random_uuid() as id)
  insert into tombstones (app_no, digest, person, tenant_no, mark)
  select $1, tombstone_digest(${secret}, $1, k.kind, k.key, k.tenant_no), p.id, k.tenant_no,
    rare_mark(${secret}, $1, k.what)
  from keys k cross join person p
  where exists (select 1 from doomed d where d.import_job is not null)
  on conflict do nothing`;

/** A user removed by an undo leaves no tombstone: only requests call this. */
export async function leaveTombstone(query: Query, appNo: number, ids: string): Promise<void> {
  await query(leave, [appNo, ids]);
}

/** Tombstones of people who were in no other tenant are removed with it: $1 the app, $2 the tenant's number. */
export const dropTombstonesOfTenant = `
  with own as materialized (
    select distinct t.person from tombstones t where t.app_no = $1 and t.tenant_no = $2
  ),
  gone as materialized (
    select o.person from own o
    where not exists (
      select 1 from tombstones t where t.app_no = $1 and t.person = o.person and t.tenant_no <> $2
    )
  )
  delete from tombstones t
  where t.app_no = $1 and (t.tenant_no = $2 or t.person in (select g.person from gone g))`;

const findAny = 'select exists (select 1 from tombstones t where t.app_no = $1::int) as found';

/** Hardly any app has tombstones: without them nothing else is looked up. */
export async function hasTombstones(query: Query, appNo: number): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(findAny, [appNo]);
  return row?.found === true;
}

/** Planned once: see imports/place/mixed.ts. */
const find = `
  select distinct s.record, t.person
  from (
    select s.record, tombstone_digest(${secret}, $1::int, s.kind, s.key, s.tenant_no) as digest
    from unnest($2::int[], $3::int[], $4::int[], $5::uuid[]) as s (record, tenant_no, kind, key)
    union all
    select s.record, tombstone_digest(${secret}, $1::int, 5, s.key, null)
    from unnest($6::int[], $7::uuid[]) as s (record, key)
  ) s
  cross join lateral (
    select t.person from tombstones t where t.app_no = $1::int and t.digest = s.digest offset 0
  ) t
  order by s.record, t.person`;

/** @returns the records of people who were removed here, each with the person of its tombstone */
export function findRemoved(
  query: Query,
  appNo: number,
  { identities, externals }: SoughtKeys,
): Promise<RemovedMatch[]> {
  const byIdentity = [identities.record, identities.tenantNo, identities.kind, identities.key];
  return query<RemovedMatch>(find, [appNo, ...byIdentity, externals.record, externals.externalKey]);
}

const lift = 'delete from tombstones t where t.app_no = $1::int and t.person = any($2::uuid[])';

/** These people are imported again. @param people each a `person` of the table */
export async function liftTombstones(query: Query, appNo: number, people: readonly string[]): Promise<void> {
  await query(lift, [appNo, `{${people.join(',')}}`]);
}
