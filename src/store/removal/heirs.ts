/**
 * Callers know a linked user by the external id of its head. If the head's own login method is removed and others remain, one of
 * those inherits the id, or the caller's rows would refer to no user. An external id of its own is stored in addition
 * (own_external_ids), is still shown for the login method, and finds it.
 */

import { plainArray, textArray } from '../../domain/pg-array.ts';
import type { Parameter, Query } from '../../database/database.ts';

interface Heir {
  /** The user's id, which was that of its head. */
  readonly head: string;
  readonly externalId: string;
  readonly heir: string;
  readonly info: string | null;
}

/**
 * Of the remaining login methods, one without an external id of its own inherits, or else the one that joined first.
 * @param doomed a query of rows of users; $1 is the app
 */
function findHeirs(doomed: string): string {
  return `
  with doomed as materialized (${doomed}),
  bearers as materialized (
    select d.primary_user_id as head, d.user_id, d.external_id
    from doomed d
    where d.external_id is not null and d.primary_user_id is not null and (
      d.primary_user_id = d.user_id or exists (
        select 1 from former_heads f where f.app_no = $1 and f.user_id = d.primary_user_id and f.heir = d.user_id
      )
    )
  )
  select b.head, b.external_id as "externalId", h.user_id as heir, (
      select e.info from external_id_info e where e.app_no = $1 and e.user_id = b.user_id
    ) as info
  from bearers b
  cross join lateral (
    select l.user_id from users l
    where l.app_no = $1 and l.primary_user_id = b.head and l.primary_user_id <> l.user_id
      and not ((l.user_id in (select d.user_id from doomed d)) is true)
    order by l.external_id is not null, l.time_joined, l.user_id
    limit 1
  ) h`;
}

/** $1 the app, $2 the ids of login methods. */
const heirsOfMethods = findHeirs(
  'select u.* from users u where u.app_no = $1 and u.user_id = any($2::uuid[])',
);

/** For login methods that are removed with a tenant: $1 the app, $2 the tenant's number. */
const heirsOfTenant = findHeirs(`
    select u.* from (
      select distinct i.user_id from identities i where i.app_no = $1 and i.tenant_no = $2 and i.tenant_no <> 0
    ) f
    join users u on u.app_no = $1 and u.user_id = f.user_id
    where not exists (select 1 from identities_of($1, u) i where i.tenant_no <> $2)`);

/** With data stored under the id by which the heir was known, as when it is mapped. */
const inherit = `
  with heirs as materialized (
    select w.*, u.external_id as own_id, coalesce(u.external_id, u.user_id::text) as seen_id
    from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[]) as w (head, external_id, heir, info)
    join users u on u.app_no = $1 and u.user_id = w.heir
  ),
  own_kept as (
    insert into own_external_ids (app_no, external_id, user_id, info)
    select $1, h.own_id, h.heir, (select e.info from external_id_info e where e.app_no = $1 and e.user_id = h.heir)
    from heirs h where h.own_id is not null
    on conflict do nothing
  ),
  sessions_kept as (
    update sessions s set user_key = h.heir::text from heirs h where s.app_no = $1 and s.user_key = h.own_id
  ),
  left_behind as (
    delete from verified_emails v using heirs h where v.app_no = $1 and v.user_id = h.seen_id
    returning h.external_id, v.email
  ),
  moved as (
    insert into verified_emails (app_no, user_id, email)
    select $1, l.external_id, l.email from left_behind l on conflict do nothing
  ),
  renamed as (
    update tokens t set user_id = h.external_id from heirs h where t.app_no = $1 and t.user_id = h.seen_id
  ),
  uninformed as (
    delete from external_id_info e using heirs h where e.app_no = $1 and e.user_id = h.heir and h.info is null
  ),
  informed as (
    insert into external_id_info (app_no, user_id, info)
    select $1, h.heir, h.info from heirs h where h.info is not null
    on conflict (app_no, user_id) do update set info = excluded.info
  ),
  noted as (
    insert into former_heads (app_no, user_id, heir) select $1, h.head, h.heir from heirs h
    on conflict (app_no, user_id) do update set heir = excluded.heir
  )
  update users u set external_id = h.external_id from heirs h where u.app_no = $1 and u.user_id = h.heir`;

/**
 * Removes login methods by `remove`, and passes on the external ids of users that keep other login methods. All login methods of those
 * users are locked.
 */
export async function removeWithHeirs(
  query: Query,
  by: 'methods' | 'tenant',
  parameters: readonly [appNo: number, which: Parameter],
  remove: () => Promise<unknown>,
): Promise<void> {
  const heirs = await query<Heir>(by === 'methods' ? heirsOfMethods : heirsOfTenant, parameters);
  await remove();
  if (heirs.length === 0) return;
  await query(inherit, [
    parameters[0],
    plainArray(heirs, ({ head }) => head),
    textArray(heirs, ({ externalId }) => externalId),
    plainArray(heirs, ({ heir }) => heir),
    textArray(heirs, ({ info }) => info ?? undefined),
  ]);
}

/** The login method with the external id of a user whose head's own method was removed: of `head` in the app `app`. */
export function heirOf(app: string, head: string): string {
  return `(select f.heir from former_heads f where f.app_no = ${app} and f.user_id = ${head})`;
}

/**
 * The id that is shown for a login method: its own external id, also while it has its user's, or else the core's.
 * @param app and `method`, a row of users: SQL
 */
export function methodId(app: string, method: string): string {
  return `case when ${method}.external_id is null then ${method}.user_id::text
      else coalesce(${ownIdOf(app, `${method}.user_id`)}, ${method}.external_id) end`;
}

/**
 * The external id that the login method `id` has itself in addition to its user's, or null: SQL. If an import has created another
 * user with that id since, it is that user's.
 */
export function ownIdOf(app: string, id: string): string {
  return `(
    select o.external_id from own_external_ids o
    where o.app_no = ${app} and o.user_id = ${id} and not exists (
      select 1 from users h where h.app_no = o.app_no and h.external_id = o.external_id offset 0
    )
  )`;
}

/**
 * The login method that has an external id itself in addition to its user's, or null: SQL. The order leaves the planner only the
 * index of the whole key.
 */
export function ownerOf(app: string, externalId: string): string {
  return `(
    select o.user_id from (
      select o.external_id, o.user_id from own_external_ids o
      where o.app_no = ${app} and o.external_id >= ${externalId} order by o.external_id limit 1
    ) o where o.external_id = ${externalId}
  )`;
}

/** For a login method ($2) that leaves its user and has no external id any more: it gets its own back, if it has one. */
export const takeOwnId = `
  with left_over as materialized (
    delete from own_external_ids o where o.app_no = $1::int and o.user_id = $2::uuid returning o.*
  ),
  own as materialized (
    select l.* from left_over l
    where not exists (select from users h where h.app_no = l.app_no and h.external_id = l.external_id)
  ),
  informed as (
    insert into external_id_info (app_no, user_id, info)
    select o.app_no, o.user_id, o.info from own o where o.info is not null
    on conflict (app_no, user_id) do update set info = excluded.info
  ),
  left_behind as (
    delete from verified_emails v using own o where v.app_no = $1 and v.user_id = o.user_id::text
    returning o.external_id, v.email
  ),
  moved as (
    insert into verified_emails (app_no, user_id, email)
    select $1, l.external_id, l.email from left_behind l on conflict do nothing
  ),
  renamed as (
    update tokens t set user_id = o.external_id from own o where t.app_no = $1 and t.user_id = o.user_id::text
  )
  update users u set external_id = o.external_id from own o
  where u.app_no = o.app_no and u.user_id = o.user_id`;
