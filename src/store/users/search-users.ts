import { textArray } from '../../domain/pg-array.ts';
import type { UserSearch } from '../../operations/ports/ports.ts';
import type { Query } from '../../database/database.ts';
import { recipeNumbers } from './load-users.ts';

/**
 * Users by the beginnings of their emails, domains, phone numbers and providers. There is no index for those, which every import
 * would pay for (docs/design/data-model.md, "Searches"). So the app's users, or those of a small tenant, are walked in the order of
 * their join dates, some at a time: no statement is long, others that wait for its connection get their turn, and the walk ends
 * when the caller leaves or enough users are found. A million users without a match take 0.4 s.
 */

/** Users that one statement reads. */
const stride = 50_000;
const mostFound = 1000;

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Scope = 'public' | 'other';
type Order = UserSearch['order'];

/** The last user of a stride. */
function edgeText(scope: Scope, order: Order): string {
  const onwards = order === 'ASC' ? '>=' : '<=';
  const rows =
    scope === 'public'
      ? `users u where u.app_no = $1::int and $2::int = 0 and u.user_id ${onwards} $3::uuid`
      : `identities u
         where u.app_no = $1::int and u.tenant_no = $2::int and u.tenant_no <> 0 and u.user_id ${onwards} $3::uuid`;
  return `select u.user_id as id from ${rows} order by u.user_id ${order} offset ${stride - 1} limit 1`;
}

/** A null array belongs to a criterion that was not given. */
const isMatch = `
  u.recipe = any($5::int[])
  and ($6::text[] is null or u.email like any($6::text[]))
  and ($7::text[] is null or u.phone like any($7::text[]))
  and ($8::text[] is null or u.third_party_id like any($8::text[]))`;

function strideText(scope: Scope): string {
  const isWithin = (table: string) => `${table}.user_id >= $3::uuid and ${table}.user_id <= $4::uuid`;
  return scope === 'public'
    ? `
      select distinct coalesce(u.primary_user_id, u.user_id) as head from users u
      where u.app_no = $1::int and ${isWithin('u')} and ${isMatch}
        and exists (select 1 from identities_of($1, u) i where i.tenant_no = $2::int)`
    : `
      select distinct coalesce(u.primary_user_id, u.user_id) as head
      from identities i join users u on u.app_no = i.app_no and u.user_id = i.user_id
      where i.app_no = $1::int and i.tenant_no = $2::int and i.tenant_no <> 0 and ${isWithin('i')} and ${isMatch}`;
}

const texts = {
  public: { ASC: edgeText('public', 'ASC'), DESC: edgeText('public', 'DESC'), matches: strideText('public') },
  other: { ASC: edgeText('other', 'ASC'), DESC: edgeText('other', 'DESC'), matches: strideText('other') },
} as const;

/**
 * @param signal aborted when the caller has disconnected
 * @returns the core's ids of at most the first 1000
 */
export async function searchHeads(query: Query, search: UserSearch, signal?: AbortSignal): Promise<string[]> {
  const { tenant, order } = search;
  const { [order]: edge, matches } = texts[tenant.tenantNo === 0 ? 'public' : 'other'];
  const [start, end] = order === 'ASC' ? [firstId, lastId] : [lastId, firstId];
  const sought = patternsOf(search);
  const found = new Set<string>();
  for (let from = start, to = start; to !== end && found.size < mostFound; from = to) {
    signal?.throwIfAborted();
    const [last] = await query<{ id: string }>(edge, [tenant.appNo, tenant.tenantNo, from]);
    to = last?.id ?? end;
    const range = order === 'ASC' ? [from, to] : [to, from];
    const parameters = [tenant.appNo, tenant.tenantNo, ...range, ...sought];
    for (const { head } of await query<{ head: string }>(matches, parameters)) found.add(head);
  }
  const heads = [...found].sort();
  return (order === 'ASC' ? heads : heads.reverse()).slice(0, mostFound);
}

function patternsOf({ recipes, emails, phones, providers }: UserSearch): (string | null)[] {
  const starts = (texts: readonly string[] | undefined) => texts?.map((text) => `${escaped(text)}%`);
  const domains = emails?.map((text) => `%@${escaped(text)}%`);
  return [
    `{${recipeNumbers(recipes).join(',')}}`,
    arrayOf(emails && [...(starts(emails) ?? []), ...(domains ?? [])]),
    arrayOf(starts(phones)),
    arrayOf(starts(providers)),
  ];
}

function arrayOf(patterns: readonly string[] | undefined): string | null {
  return patterns === undefined ? null : textArray(patterns, (pattern) => pattern);
}

/** Characters with a meaning in LIKE. */
function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
