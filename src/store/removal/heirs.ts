/**
 * Callers know a linked user by the external id of its head. Where the head's own login method goes and others stay, one
 * of those takes the id over, or the caller's rows would point at nobody.
 */

import { plainArray, textArray } from '../../domain/pg-array.ts';
import type { Parameter, Query } from '../database/database.ts';

interface Heir {
  /** The user's id, which was that of its head. */
  readonly head: string;
  readonly externalId: string;
  readonly heir: string;
  readonly info: string | null;
}

/**
 * Of those who stay, whoever has no external id of its own inherits, else the one that joined first: its own is given up
 * then, because that of the user is what callers store.
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

/** Of login methods that go with a tenant: $1 the app, $2 the tenant's number. */
const heirsOfTenant = findHeirs(`
    select u.* from (
      select distinct i.user_id from identities i where i.app_no = $1 and i.tenant_no = $2 and i.tenant_no <> 0
    ) f
    join users u on u.app_no = $1 and u.user_id = f.user_id
    where not exists (select 1 from identities_of($1, u) i where i.tenant_no <> $2)`);

/** With what is kept under the id by which the heir was known, as when it is mapped. */
const inherit = `
  with heirs as materialized (
    select w.*, coalesce(u.external_id, u.user_id::text) as seen_id
    from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[]) as w (head, external_id, heir, info)
    join users u on u.app_no = $1 and u.user_id = w.heir
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
 * Removes login methods by `remove`, and hands on the external ids of users of whom others stay. All login methods of
 * those users are locked.
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

/** The login method that carries the external id of a user whose head's own is gone: of `head` in the app `app`. */
export function heirOf(app: string, head: string): string {
  return `(select f.heir from former_heads f where f.app_no = ${app} and f.user_id = ${head})`;
}
