import type { RecipeId, Tenant } from '../../domain/model.ts';
import type { UserPage } from '../../operations/ports/ports.ts';
import type { Query } from '../../database/database.ts';
import { recipeNumbers } from './load-users.ts';

/**
 * Users in the order of their core ids, which is that of their join dates: a UUIDv7 begins with its time. A linked user appears
 * once, at its head's position, when any of its login methods matches.
 *
 * Most users of an app are in its public tenant, so for that one the users themselves are walked; any other tenant has a separate
 * index, whatever the app's size.
 */

const isHead = '(u.primary_user_id is null or u.primary_user_id = u.user_id)';

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function pageText(scope: 'public' | 'other', order: 'ASC' | 'DESC'): string {
  const onwards = order === 'ASC' ? '>=' : '<=';
  const heads =
    scope === 'public'
      ? `select u.user_id as head from users u
         where u.app_no = $1 and u.user_id ${onwards} $3 and ${isHead} and u.recipe = any($4::int[])
           and exists (select 1 from identities_of($1, u) i where i.tenant_no = $2)`
      : `select distinct i.user_id as head from identities i
         join users u on u.app_no = i.app_no and u.user_id = i.user_id
         where i.app_no = $1 and i.tenant_no = $2 and i.tenant_no <> 0 and i.user_id ${onwards} $3
           and ${isHead} and u.recipe = any($4::int[])`;
  return `
    (${heads} order by head ${order} limit $5)
    union
    (select distinct u.primary_user_id from users u
     where u.app_no = $1 and u.primary_user_id <> u.user_id and u.primary_user_id ${onwards} $3
       and u.recipe = any($4::int[]) and exists (select 1 from identities_of($1, u) i where i.tenant_no = $2)
     order by 1 ${order} limit $5)
    order by head ${order} limit $5`;
}

const texts = {
  public: { ASC: pageText('public', 'ASC'), DESC: pageText('public', 'DESC') },
  other: { ASC: pageText('other', 'ASC'), DESC: pageText('other', 'DESC') },
} as const;

/** @returns the core's ids of a page's users, and of the first one after it */
export async function listHeads(
  query: Query,
  page: UserPage,
): Promise<{ heads: string[]; next: string | undefined }> {
  const text = texts[page.tenant.tenantNo === 0 ? 'public' : 'other'][page.order];
  const from = page.from ?? (page.order === 'ASC' ? firstId : lastId);
  const recipes = `{${recipeNumbers(page.recipes).join(',')}}`;
  const { appNo, tenantNo } = page.tenant;
  const rows = await query<{ head: string }>(text, [appNo, tenantNo, from, recipes, page.limit + 1]);
  const heads = rows.map((row) => row.head);
  return { heads: heads.slice(0, page.limit), next: heads[page.limit] };
}

/**
 * Counted along the look-up index, with two corrections: a passwordless user with email and phone is in it twice, and the linked
 * login methods beyond a user's first are not further users.
 */
const countOfTenant = `
  with linked as (
    select m.primary_user_id as head, count(*) as members,
      exists (
        select 1 from users h
        where h.app_no = $1 and h.user_id = m.primary_user_id and h.recipe = any($3::int[])
          and exists (select 1 from identities_of($1, h) i where i.tenant_no = $2)
      ) as head_counted
    from users m
    where m.app_no = $1 and m.primary_user_id <> m.user_id and m.recipe = any($3::int[])
      and exists (select 1 from identities_of($1, m) i where i.tenant_no = $2)
    group by m.primary_user_id
  )
  select (
    (select count(*) from identities i where i.app_no = $1 and i.kind = any($3::int[]) and i.tenant_no = $2)
    + (select count(*) from identities i join users u on u.app_no = i.app_no and u.user_id = i.user_id
       where i.app_no = $1 and i.kind = 4 and i.tenant_no = $2 and u.email is null and 3 = any($3::int[]))
    - coalesce((select sum(members - case when head_counted then 0 else 1 end) from linked), 0)
  )::bigint as count`;

const countOfApp = `
  select (
    (select count(*) from users u where u.app_no = $1 and u.primary_user_id is null and u.recipe = any($2::int[]))
    + (select count(distinct u.primary_user_id) from users u
       where u.app_no = $1 and u.primary_user_id is not null and u.recipe = any($2::int[]))
  )::bigint as count`;

export async function countHeads(
  query: Query,
  { appNo, tenantNo }: Tenant,
  recipes: readonly RecipeId[],
  allTenants: boolean,
): Promise<number> {
  const numbers = `{${recipeNumbers(recipes).join(',')}}`;
  const rows = allTenants
    ? await query<{ count: number }>(countOfApp, [appNo, numbers])
    : await query<{ count: number }>(countOfTenant, [appNo, tenantNo, numbers]);
  return rows[0]?.count ?? 0;
}
