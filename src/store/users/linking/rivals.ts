/**
 * Keeps primary users apart: no two of them in a common tenant have the same email, phone number or provider's identity. A login
 * method in no tenant has nothing to share.
 *
 * A transaction that could violate this first locks its users' rows, then the infos that they are to get, and looks then: of two
 * that give the same info to two users the later sees what the earlier has committed.
 */

import type { SharedInfo } from '../../../operations/ports/linking.ts';
import { plainArray } from '../../../domain/pg-array.ts';
import type { Parameter, Query } from '../../../database/database.ts';

export interface Rival {
  /** The id that callers know. */
  readonly primaryUserId: string;
  readonly info: SharedInfo;
}

/** In the order in which they are reported. */
const infoNames: readonly SharedInfo[] = ['email', 'phone number', 'third party login'];

/** $1 the app, $2 the heads of the users that are to be one, and of the user who is to join them. */
const own = `
  own as materialized (
    select u.* from users u where u.app_no = $1::int and u.user_id = any($2::uuid[])
    union all
    select l.* from users l
    where l.app_no = $1 and l.primary_user_id = any($2) and l.primary_user_id <> l.user_id
  ),
  places as materialized (
    select o.user_id, i.tenant_no from own o cross join lateral identities_of($1, o) i
  )`;

/** A row for each occurrence that an info may have in `identities`, which does not contain emails of social users. */
const infosOf = (methods: string): string => `
    select distinct x.place, x.kind, x.key, x.email from ${methods} m
    cross join lateral (values
      (1, 1::smallint, identity_key(1::smallint, m.email, null, null, null), m.email),
      (1, 3::smallint, identity_key(1::smallint, m.email, null, null, null), null),
      (2, 4::smallint, identity_key(3::smallint, null, null, null, m.phone), null),
      (3, 2::smallint, identity_key(2::smallint, null, m.third_party_id, m.third_party_user_id, null), null)
    ) x (place, kind, key, email)
    where x.key is not null`;

/** $3 is a login method that is to be added to a tenant, or null. */
const ownInfos = infosOf(`(
      select o.* from own o where o.user_id = $3::uuid or o.user_id = any(array(select p.user_id from places p))
    )`);

/** $3 is an email or phone number that one of the login methods is to get. */
const newInfos = (column: 'email' | 'phone'): string =>
  infosOf(`(
      select ${column === 'email' ? '$3' : 'null'}::text as email, ${column === 'phone' ? '$3' : 'null'}::text as phone,
        null::text as third_party_id, null::text as third_party_user_id
    )`);

/** Not by the app alone: a digest of 64 bits, whose collisions only make a transaction wait. */
const lockInfos = (infos: string): string => `
  with ${own},
  infos as materialized (${infos})
  select pg_advisory_xact_lock(k.lock) from (
    select distinct hashtextextended('primary ' || $1 || ' ' || i.place || ' ' || i.key, 0) as lock from infos i
    order by 1 offset 0
  ) k`;

/**
 * An import adds the infos of many users at once: more than the lock table has room for. So it keeps all others out, from its
 * last look to its commit. Requests take this lock, shared, before the locks of infos.
 */
const ofPrimaries = `(hashtextextended('primaries ' || $1::int, 0))`;
export const lockPrimaries = {
  forRequests: `select pg_advisory_xact_lock_shared${ofPrimaries}`,
  forImports: `select pg_advisory_xact_lock${ofPrimaries}`,
} as const;

/** $4 the tenant that one of them is to be added to; null: all that they are in. */
const findRival = (infos: string): string => `
  with ${own},
  infos as materialized (${infos}),
  found as materialized (
    select i.place, h.user_id from infos i
    cross join lateral (
      select d.user_id from identities d where d.app_no = $1 and d.kind = i.kind and d.key = i.key offset 0
    ) h
    union
    select i.place, t.user_id from infos i
    cross join lateral (
      select t.user_id from users t where t.app_no = $1 and t.recipe = 2 and t.email = i.email offset 0
    ) t
    where i.email is not null
  )
  select f.place, seen_user_id($1, v) as "primaryUserId"
  from found f
  cross join lateral (select v.* from users v where v.app_no = $1 and v.user_id = f.user_id offset 0) v
  where v.primary_user_id <> all($2) and exists (select 1 from identities_of($1, v)) and exists (
    select 1
    from (
      select h.* from users h where h.app_no = $1 and h.user_id = v.primary_user_id
      union all
      select l.* from users l
      where l.app_no = $1 and l.primary_user_id = v.primary_user_id and l.primary_user_id <> l.user_id
    ) w
    cross join lateral identities_of($1, w) i
    where case when $4::int is null then i.tenant_no = any(array(select p.tenant_no from places p)) else i.tenant_no = $4 end
  )
  order by f.place
  limit 1`;

const texts = {
  own: { lock: lockInfos(ownInfos), find: findRival(ownInfos) },
  email: { lock: lockInfos(newInfos('email')), find: findRival(newInfos('email')) },
  phone: { lock: lockInfos(newInfos('phone')), find: findRival(newInfos('phone')) },
} as const;

export interface Union {
  readonly appNo: number;
  /** Of the users that are to be one. */
  readonly heads: readonly string[];
  /** A login method that is to be added to a tenant. */
  readonly joining?: { readonly methodId: string; readonly tenantNo: number };
  /** An email that a login method is to get; present infos are not looked at then. */
  readonly newEmail?: string;
  /** As `newEmail`; not both. */
  readonly newPhone?: string;
  /** Without locks: the answer may be outdated. */
  readonly withoutLock?: boolean;
}

/** Another primary user with one of the infos in one of the tenants. The users' rows must be locked. */
export async function rivalOf(query: Query, union: Union): Promise<Rival | undefined> {
  const { appNo, heads, joining, newEmail, newPhone, withoutLock } = union;
  const { lock, find } = texts[newEmail !== undefined ? 'email' : newPhone !== undefined ? 'phone' : 'own'];
  const parameters: Parameter[] = [
    appNo,
    plainArray(heads, (head) => head),
    newEmail ?? newPhone ?? joining?.methodId ?? null,
  ];
  if (withoutLock !== true) {
    await query(lockPrimaries.forRequests, [appNo]);
    await query(lock, parameters);
  }
  const [row] = await query<{ place: number; primaryUserId: string }>(find, [
    ...parameters,
    joining?.tenantNo ?? null,
  ]);
  return row && { primaryUserId: row.primaryUserId, info: infoNames[row.place - 1] ?? 'email' };
}
