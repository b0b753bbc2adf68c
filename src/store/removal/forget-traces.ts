/**
 * Texts with personal data that imports store: ids in rejects, records in the queue. They are found by the person's stored values
 * and by former values in before-images, so these statements run before users and images are removed.
 */

import type { Parameter, Query } from '../../database/database.ts';

/** Texts that identify a person. A record of another person may have any of them as its external id. */
const texts = ['core_id', 'external_id', 'email', 'phone', 'third_party_user_id'];

/** The digests that `imports/queue/traces.ts` gives a record, from a user's columns in `from`. */
function tracesOf(from: string): string {
  const ofText = (column: string) => `(identity_key(1::smallint, ${from}.${column}, null, null, null))`;
  return `${texts.map(ofText).join(', ')},
      (case when ${from}.third_party_id is not null
        then identity_key(2::smallint, null, ${from}.third_party_id, ${from}.third_party_user_id, null) end)`;
}

const columnsOfImage = ['external_id', 'email', 'phone', 'third_party_id', 'third_party_user_id'];

/**
 * Waiting entries of the queue are removed as well as failed ones, or the person would be imported again. `offset 0` keeps each
 * look-up separate: by the app alone all of its entries would be read.
 * @param doomed CTEs that end with `doomed`, rows of users; $1 is the app
 */
function sought(doomed: string): string {
  return `
  with ${doomed},
  known as materialized (
    select d.user_id::text as core_id, d.external_id, d.email, d.phone, d.third_party_id, d.third_party_user_id
    from doomed d
    union
    select d.user_id::text, o.external_id, null, null, null, null
    from doomed d
    cross join lateral (
      select o.external_id from own_external_ids o where o.app_no = $1 and o.user_id = d.user_id offset 0
    ) o
    union
    select d.user_id::text, ${columnsOfImage.map((column) => `s.image ->> '${column}'`).join(', ')}
    from doomed d
    cross join lateral (
      select b.before, b.after from import_before_images b where b.app_no = $1 and b.user_id = d.user_id offset 0
    ) b
    cross join lateral (values (b.before -> 'user'), (b.after -> 'user')) s (image)
  ),
  traces as materialized (
    select distinct t.trace from known k
    cross join lateral (values ${tracesOf('k')}) t (trace)
    where t.trace is not null
  ),
  entries as materialized (
    select distinct q.entry_id from traces t
    cross join lateral (
      select q.app_no, q.entry_id from import_queue q where q.traces @> array[t.trace] offset 0
    ) q
    where q.app_no = $1
  ),
  ids as materialized (
    select distinct t.id from known k
    cross join lateral (values ${texts.map((column) => `(k.${column})`).join(', ')}) t (id)
    where t.id is not null
  ),
  rejected as materialized (
    select r.job_id, r.line
    from ids k
    cross join lateral (
      select r.job_id, r.line from import_rejects r
      where r.app_no = $1 and r.external_user_id = k.id
      offset 0
    ) r
  ),
  missing as materialized (
    select c.place
    from ids k
    cross join lateral (
      select c.ctid as place from import_conflicts c
      where c.app_no = $1 and c.external_user_id = k.id and c.user_id is null
      offset 0
    ) c
  )`;
}

/** Few users have any: without, nothing else is done. */
const anyFound = `
  select exists (select 1 from entries) or exists (select 1 from rejected) or exists (select 1 from missing) as found`;

const forgetFound = `,
  no_entries as (
    delete from import_queue q where q.app_no = $1 and q.entry_id = any(array(select e.entry_id from entries e))
  ),
  no_missing as (
    delete from import_conflicts c where c.ctid = any(array(select m.place from missing m))
  )
  update import_rejects r set external_user_id = null
  from rejected n where r.app_no = $1 and r.job_id = n.job_id and r.line = n.line`;

/** For locked login methods: $1 the app, $2 their ids. */
const ofUsers = sought(`doomed as materialized (
    select u.* from users u where u.app_no = $1 and u.user_id = any($2::uuid[])
  )`);

/** For login methods that are in one tenant only, and in this one: $1 the app, $2 the tenant's number. */
const ofTenant = sought(`doomed as materialized (
    select u.* from (
      select distinct i.user_id from identities i where i.app_no = $1 and i.tenant_no = $2 and i.tenant_no <> 0
    ) f
    join users u on u.app_no = $1 and u.user_id = f.user_id
    where not exists (select 1 from identities_of($1, u) i where i.tenant_no <> $2)
  )`);

/** For login methods that are locked and about to be removed. @param ids an array literal */
export async function forgetTracesOfUsers(query: Query, appNo: number, ids: string): Promise<void> {
  await forgetTraces(query, ofUsers, [appNo, ids]);
}

/** For the login methods that are removed with a tenant. */
export async function forgetTracesOfTenant(query: Query, appNo: number, tenantNo: number): Promise<void> {
  await forgetTraces(query, ofTenant, [appNo, tenantNo]);
}

async function forgetTraces(query: Query, those: string, parameters: readonly Parameter[]): Promise<void> {
  const [row] = await query<{ found: boolean }>(`${those}${anyFound}`, parameters);
  if (row?.found === true) await query(`${those}${forgetFound}`, parameters);
}

/** Entries of the queue all of whose login methods are in that tenant: $1 the app, $2 the tenant's name. */
export const forgetEntriesOfTenant = `
  with entries as materialized (
    select q.entry_id from (
      select q.app_no, q.entry_id from import_queue q
      where q.traces @> array[identity_key(1::smallint, 'tenant' || chr(10) || $2::text, null, null, null)]
      offset 0
    ) q
    where q.app_no = $1
  )
  delete from import_queue q where q.app_no = $1 and q.entry_id = any(array(select e.entry_id from entries e))`;

/**
 * Removes the rows of login methods in other tables, as CTEs after `doomed`, rows of users, and `ended`, the `head` of each user
 * who is removed completely, and whose own method may have been removed long before; $1 is the app. Rows that are not found by their
 * key are deleted by their position, which leaves the planner no choice: no transaction changes them without the user's lock.
 */
export const forgetDoomed = `
  own_ids as materialized (
    select o.external_id, o.place from doomed d
    cross join lateral (
      select o.external_id, o.ctid as place from own_external_ids o
      where o.app_no = $1 and o.user_id = d.user_id
      offset 0
    ) o
  ),
  known_as as materialized (
    select user_id::text as id from doomed union all select external_id from doomed where external_id is not null
    union all select e.head::text from ended e
    union all select o.external_id from own_ids o
  ),
  no_own_ids as (delete from own_external_ids o where o.ctid = any(array(select own.place from own_ids own))),
  no_verified as (delete from verified_emails v using known_as k where v.app_no = $1 and v.user_id = k.id),
  no_tokens as (delete from tokens t using known_as k where t.app_no = $1 and t.user_id = k.id),
  no_info as (delete from external_id_info e using doomed d where e.app_no = $1 and e.user_id = d.user_id),
  no_sign_ins as (delete from sign_ins s using doomed d where s.app_no = $1 and s.user_id = d.user_id),
  no_former as (
    delete from former_identities f where f.ctid = any(array(
      select e.place from doomed d
      cross join lateral (
        select e.ctid as place from former_identities e where e.app_no = $1 and e.user_id = d.user_id offset 0
      ) e
    ))
  ),
  no_absent as (
    delete from import_absent a where a.ctid = any(array(
      select e.place from doomed d
      cross join lateral (
        select e.ctid as place from import_absent e
        where e.app_no = $1 and e.user_id = d.user_id and e.done <> 3
        offset 0
      ) e
    ))
  ),
  no_conflicts as (
    delete from import_conflicts c where c.ctid = any(array(
      select e.place from doomed d
      cross join lateral (
        select e.ctid as place from import_conflicts e where e.app_no = $1 and e.user_id = d.user_id offset 0
      ) e
    ))
  ),
  no_images as (
    delete from import_before_images b where b.ctid = any(array(
      select e.place from doomed d
      cross join lateral (
        select e.ctid as place from import_before_images e where e.app_no = $1 and e.user_id = d.user_id offset 0
      ) e
    ))
  )`;

/**
 * For a person that an import has removed because the source no longer had them: nothing is left to restore. $1 is the app, $2
 * the id by which callers knew the user.
 */
export const forgetAbsent = `
  with gone as (
    delete from import_absent a
    where a.app_no = $1 and a.done = 3 and (a.seen_id = $2::text or a.user_id = as_core_id($2::text))
    returning a.job_id, a.members
  )
  delete from import_before_images b
  using gone g cross join lateral unnest(g.members) m (user_id)
  where b.app_no = $1 and b.job_id = g.job_id and b.user_id = m.user_id`;

/** TOTP devices and codes: $1 the app. @param keys a CTE of ids, `user_id`, whose data is removed */
export function forgetTotp(keys: string): string {
  const those = `t.app_no = $1 and t.user_key = any(array(select k.user_id::text from ${keys} k))`;
  return `no_devices as (delete from totp_devices t where ${those}),
  no_codes as (delete from totp_codes t where ${those})`;
}
