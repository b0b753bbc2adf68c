import type { JobRef, WritingJob } from '../../imports/model.ts';
import type { PrimaryInfo } from '../../imports/parse/primaries.ts';
import type { SharedInfo } from '../../operations/ports/linking.ts';
import { plainArray } from '../../domain/pg-array.ts';
import type { Query } from '../../database/database.ts';
import { lockPrimaries } from '../users/linking/rivals.ts';

/**
 * Finds what primary users that a chunk created or changed share with others: two of them in a common tenant may not have the
 * same email, phone number or provider's identity; see rivals.ts of linking, which enforces this for requests.
 *
 * Planned once: see mixed.ts. $1 is the app, $2 the heads of the users, $3 the job. Emails of social users are not in
 * `identities`, so they are looked up in `users`. Each info is looked up once, however many users of the chunk have it.
 */
const own = `
  own as materialized (
    select w.head, u.*
    from (select distinct w.head from unnest($2::uuid[]) w (head)) w
    cross join lateral (
      select h.user_id, h.email, h.phone, h.third_party_id, h.third_party_user_id, h as method
      from users h where h.app_no = $1::int and h.user_id = w.head and h.primary_user_id = w.head
      union all
      select l.user_id, l.email, l.phone, l.third_party_id, l.third_party_user_id, l
      from users l where l.app_no = $1 and l.primary_user_id = w.head and l.primary_user_id <> l.user_id
      offset 0
    ) u
  ),
  places as materialized (
    select o.head, o.user_id, i.tenant_no
    from own o
    cross join lateral (select i.tenant_no from identities_of($1, o.method) i offset 0) i
  ),
  infos as materialized (
    select distinct o.head, x.place, x.kind, x.key, x.email
    from own o
    cross join lateral (values
      (1, 1::smallint, identity_key(1::smallint, o.email, null, null, null), o.email),
      (1, 3::smallint, identity_key(1::smallint, o.email, null, null, null), null),
      (2, 4::smallint, identity_key(3::smallint, null, null, null, o.phone), null),
      (3, 2::smallint, identity_key(2::smallint, null, o.third_party_id, o.third_party_user_id, null), null)
    ) x (place, kind, key, email)
    where x.key is not null and ((o.user_id in (select p.user_id from places p)) is true)
  )`;

/** Of all login methods of a primary user. */
const tenantsOf = (head: string): string => `
    select distinct i.tenant_no
    from (
      select m as method from users m where m.app_no = $1 and m.user_id = ${head}
      union all
      select m from users m
      where m.app_no = $1 and m.primary_user_id = ${head} and m.primary_user_id <> m.user_id
    ) m
    cross join lateral (select i.tenant_no from identities_of($1, m.method) i offset 0) i
  `;

/** What an earlier line of a dry run would have taken from its user, or given to a primary one. */
const claimed = (kind: string, key: string, tenantNo: string): string => `exists (
        select 1 from import_claims c
        where c.app_no = $1 and c.job_id = $3::uuid and c.kind = ${kind} and c.key = ${key} and c.tenant_no = ${tenantNo}
        offset 0
      )`;

/** All users with an info that more than one has. */
const findShared = `
  with ${own},
  sought as materialized (select distinct i.place, i.kind, i.key, i.email from infos i),
  found as materialized (
    select s.place, s.key, h.user_id from sought s
    cross join lateral (
      select d.user_id from identities d
      where d.app_no = $1 and d.kind = s.kind and d.key = s.key
        and not ${claimed('(d.kind + 10)::smallint', 'd.key', 'd.tenant_no')}
      offset 0
    ) h
    union
    select s.place, s.key, t.user_id from sought s
    cross join lateral (
      select t.user_id from users t where t.app_no = $1 and t.recipe = 2 and t.email = s.email offset 0
    ) t
    where s.email is not null
  ),
  holding as materialized (
    select distinct f.place, f.key, v.primary_user_id as head
    from found f
    cross join lateral (
      select v.primary_user_id, v as method from users v where v.app_no = $1 and v.user_id = f.user_id offset 0
    ) v
    where v.primary_user_id is not null
      and exists (select 1 from identities_of($1, v.method) i offset 0)
  ),
  shared as materialized (
    select h.place, h.key from holding h group by h.place, h.key having count(*) > 1
  )
  select h.place, h.key, h.head, to_json(array(${tenantsOf('h.head')})) as tenants
  from holding h
  where ((h.place, h.key) in (select s.place, s.key from shared s)) is true`;

/** Each info, in each tenant of the user. */
const inTenants = `
  with ${own},
  stated as materialized (
    select distinct i.place, i.key, i.head, t.tenant_no
    from infos i cross join lateral (${tenantsOf('i.head')} offset 0) t
  )`;

const readInfos = `${inTenants}
  select s.place, s.key, s.head, to_json(array_agg(s.tenant_no)) as tenants
  from stated s
  where $3::uuid is not null
  group by s.place, s.key, s.head`;

const claimedInfos = 20;

/** A dry run rolls its users back, so its claims of kinds 21 to 23 decide. Their users are not stored. */
const findClaimed = `${inTenants}
  select s.place, s.key, null as head, to_json(array_agg(distinct s.tenant_no)) as tenants
  from stated s
  where ${claimed(`(s.place + ${claimedInfos})::smallint`, 's.key', 's.tenant_no')}
  group by s.place, s.key`;

const infoNames: readonly SharedInfo[] = ['email', 'phone number', 'third party login'];

interface Row extends Pick<PrimaryInfo, 'key' | 'head' | 'tenants'> {
  /** The index of the info's name. */
  readonly place: number;
}

async function infosBy(query: Query, text: string, { appNo, id }: JobRef, heads: readonly string[]) {
  const rows = await query<Row>(text, [appNo, plainArray(heads, (head) => head), id]);
  return rows.map(({ place, key, head, tenants }): PrimaryInfo => ({
    info: infoNames[place - 1] ?? 'email',
    claimKind: claimedInfos + place,
    tenants,
    key: key.replaceAll('-', ''),
    head: head?.replaceAll('-', '') ?? null,
  }));
}

/** Until the commit no other import, and no request, adds infos to a primary user of the app. */
export async function holdPrimaries(query: Query, { appNo }: JobRef): Promise<void> {
  await query(lockPrimaries.forImports, [appNo]);
}

/** The infos of primary users themselves. */
export function infosOfPrimaries(query: Query, job: JobRef, heads: readonly string[]) {
  return infosBy(query, readInfos, job, heads);
}

/** All users with an info that these share, including themselves. */
export async function sharedInfos(
  query: Query,
  job: WritingJob,
  heads: readonly string[],
): Promise<readonly PrimaryInfo[]> {
  const shared = await infosBy(query, findShared, job, heads);
  const claimed = job.dryRun ? await infosBy(query, findClaimed, job, heads) : [];
  return claimed.length === 0
    ? shared
    : [...shared, ...claimed, ...(await infosOfPrimaries(query, job, heads))];
}
