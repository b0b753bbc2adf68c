import type { PlacedChunk } from '../../../imports/ports.ts';
import { methodColumns, storedDetails } from '../../../domain/user-columns.ts';
import type { Query } from '../../../database/database.ts';
import { namesOf, storedFrom } from '../../../database/relation.ts';
import { createStatedRoles } from '../stated-roles.ts';
import { adoptKept } from './adopt.ts';
import { hasCreatedFormer, hasFormer } from './former.ts';
import {
  idsOf,
  inputRows,
  parametersOf,
  type PlacedRow,
  remember,
  sameRows,
  unclaimed,
} from './simple-rows.ts';

/**
 * Creates the new users of a chunk and finds the existing ones, in one statement.
 *
 * It is planned once, perhaps on empty tables, so each look-up is a lateral sub-select over one table, which the planner cannot
 * reorder, and sets are searched by hashed subplans (`in (…) is true`): see password-users.ts.
 *
 * - `known`: the user with the record's external id. A UUIDv7 may also be a user's core id, which no external id may be.
 * - `remembered`: a user who was remembered before is a duplicate, and left instead of `unchanged`.
 * - `claimed`: the unique key of identities decides which records are new. In the order of the keys, so that two imports of the
 *   same people wait for each other instead of deadlocking.
 */
const steps = `
  with ${inputRows},
  held as materialized (
    select t.tenant_no from tenants t
    where t.app_no = $1::int and t.tenant_no = any(array(select distinct i.tenant_no from input i))
    for key share
  ),
  known as materialized (
    select i.*, x.user_id is not null as is_known
    from input i
    left join lateral (
      select u.user_id from users u where u.app_no = $1 and u.external_id = i.external_id
      union all
      select u.user_id from users u
      where octet_length(i.external_id) = 36 and substr(i.external_id, 15, 1) = '7'
        and u.app_no = $1 and u.user_id = as_core_id(i.external_id)
      limit 1
    ) x on i.external_id is not null
  ),
  former as materialized (
    select k.n from known k
    cross join lateral (
      select 1 from former_identities f
      where f.app_no = $1 and f.kind = k.kind and f.key = k.key and f.tenant_no = k.tenant_no
      offset 0
    ) f
    where not k.is_known
  ),
  claimed as (
    insert into identities (app_no, tenant_no, kind, key, user_id)
    select $1, k.tenant_no, k.kind, k.key, k.user_id
    from known k
    where not k.is_known
      and ((k.tenant_no in (select h.tenant_no from held h)) is true)
      and (not $4::bool or ${unclaimed('k')})
      and not ((k.n in (select f.n from former f)) is true)
    order by k.kind, k.key, k.tenant_no
    on conflict do nothing
    returning user_id
  ),
  placed as materialized (
    select k.*, ((k.user_id in (select c.user_id from claimed c)) is true) as is_new from known k
  ),
  created as (
    insert into users (app_no, import_job, ${namesOf(methodColumns)})
    select $1, $2, ${storedFrom('p', methodColumns, {
      recipe: 'least(p.kind, 3)',
      isVerified: `p.email_verified or exists (
        select 1 from verified_emails v
        where v.app_no = $1 and v.user_id = p.external_id and v.email = p.email
        offset 0
      )`,
      primaryUserId: 'case when p.is_primary then p.user_id end',
    })}
    from placed p where p.is_new
  ),
  detailed as (
    insert into user_details (app_no, ${namesOf(storedDetails)})
    select $1, ${storedFrom('d', storedDetails, { restrictions: 'd.kept' })}
    from (select p.*, restrictions_of(p.restrictions::jsonb) as kept from placed p where p.is_new) d
    where d.metadata is not null or d.totp_devices is not null or d.kept is not null
  ),
  ${sameRows('(select * from placed where not is_new)')},
  remembered as (
    ${remember}
    on conflict do nothing
    returning key, tenant_no
  ),
  unchanged as materialized (
    select s.n, s.user_id from same s
    where ((s.user_id, s.tenant_no) in (select r.key, r.tenant_no from remembered r)) is true
  )`;

const placeBy = (listed: string): string => `${steps}
  select
    (select count(*) from placed p where p.is_new)::int as created,
    (select count(*) from unchanged)::int as unchanged,
    ${idsOf('unchanged')} as users,${listed}
    to_json(array(
      select p.n::int from placed p
      where not p.is_new and not ((p.n in (select u.n from unchanged u)) is true)
      order by p.n
    )) as left`;
const place = placeBy('');
/** For jobs that list each line. */
const placeListing = placeBy('\n    to_json(array(select u.n::int from unchanged u)) as same,');

/** A user that records with the key lead to gave the key up at this moment. */
export class FormerIdentity extends Error {
  override readonly name = 'FormerIdentity';
}

/** @throws FormerIdentity when everything has to be rolled back and repeated */
export async function placeMixed(query: Query, chunk: PlacedChunk): Promise<PlacedRow> {
  const statement = chunk.job.receipt === true ? placeListing : place;
  const [row] = await query<PlacedRow>(statement, parametersOf(chunk));
  if (!row) throw new Error('placing rows gave no result');
  const { job, rows, hasNoRareKey } = chunk;
  // Changed after the statement had begun: its next look sees it.
  if (row.created > 0 && (await hasFormer(query, job.appNo)) && (await hasCreatedFormer(query, job, rows)))
    throw new FormerIdentity();
  if (row.created === 0) return row;
  await createStatedRoles(query, { ...job, ...rows });
  if (!hasNoRareKey) await adoptKept(query, job.appNo, rows.externalId);
  return row;
}
