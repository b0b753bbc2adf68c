import type { JobRef, Reject } from '../../bulk/job.ts';
import type { KnownChunk, RepeatsSoFar, SealedChunk } from '../../bulk/ports.ts';
import type { Query } from '../database.ts';

/** Planned once, but for `standing`: see place.ts. In all texts $1 is the app. */

const seal = `
  insert into import_chunks (app_no, job_id, digest, state, tenant_no, with_external, user_ids, by_kind, rejects, lines)
  select $1::int, $2::uuid, decode($3, 'hex'), decode($4, 'hex'), $5::int, $6::bool, $7::uuid[], $8::text::jsonb,
    $9::text, $10::int
  on conflict do nothing`;

const cells = ['email', 'password_hash', 'third_party_id', 'third_party_user_id', 'phone', 'external_id'];

/**
 * A stored row as `statedText` of bulk/known-chunks.ts has it; what is linked to another user is like no record's. By `||`,
 * not `concat`: the whole statement takes 2.2 µs a user, and took 2.9.
 */
const statedText = `case when u.recipe = 1 then '1' when u.recipe = 2 then '2' else '3' end
          || case when u.email_verified then 't' else 'f' end
          || case when u.primary_user_id is null then 'f' when u.primary_user_id = u.user_id then 't' else 'l' end
          || ${cells.map((each) => `coalesce(octet_length(u.${each}) || ':' || u.${each}, ':')`).join(' || ')}`;

/**
 * The rows come in the order of the ids, as nested loops give them; in another the digests would differ, and the chunk
 * would only not be known. Of several jobs that made the same chunk the last counts: the users of the others are gone.
 */
const find = `
  select k.job_id as "madeBy", cardinality(k.user_ids) as records, k.by_kind as "byKind", k.rejects, k.lines
  from (
    select c.* from import_chunks c
    where c.app_no = $1::int and c.digest = decode($3, 'hex') and c.job_id <> $2::uuid
    order by c.job_id desc limit 1
  ) k
  where exists (select from tenants t where t.app_no = $1 and t.tenant_no = k.tenant_no offset 0)
    and not exists (select from import_repeats r where r.job_id = $2 and r.digest = k.digest offset 0)
    and k.state = (
      select sha256(convert_to(string_agg(u.stated, ''), 'UTF8'))
      from unnest(k.user_ids) w (user_id)
      cross join lateral (
        select ${statedText} as stated from users u where u.app_no = $1 and u.user_id = w.user_id offset 0
      ) u
    )`;

const keepRepeat = `
  insert into import_repeats (job_id, digest, made_by) select $1::uuid, decode($2, 'hex'), $3::uuid
  on conflict do nothing
  returning 1`;

/** About 100,000 users at chunks of 1 MiB: a second or so. */
const claimedAtOnce = 25;

/** As `remembered` of simple-rows.ts does one by one; in front of every line that will be compared with these. */
const claim = `
  with due as materialized (
    select r.digest, r.made_by from import_repeats r
    where r.job_id = $2::uuid and not r.is_claimed
    order by r.digest limit $3::int
    for no key update
  ),
  claimed as (
    insert into import_claims (job_id, kind, key, tenant_no, with_external, line)
    select $2, 6, c.user_id, c.tenant_no, c.with_external, 0
    from due d
    cross join lateral (
      select unnest(c.user_ids) as user_id, c.tenant_no, c.with_external from import_chunks c
      where c.app_no = $1::int and c.digest = d.digest and c.job_id = d.made_by
      offset 0
    ) c
    on conflict do nothing
  ),
  marked as (
    update import_repeats r set is_claimed = true
    where r.job_id = $2 and r.digest = any(array(select d.digest from due d))
  )
  select count(*)::int as count from due`;

const standing = `
  select exists (select from import_chunks c where c.app_no = $1) as "hasKnown",
    count(r.digest)::int as passed, (count(*) filter (where r.is_claimed))::int as claimed
  from import_repeats r where r.job_id = $2`;

export async function sealChunk(query: Query, chunk: SealedChunk): Promise<void> {
  const { job, seal: sealed, userIds, byKind, rejects, lines } = chunk;
  const { digest, state, tenantNo, withExternal } = sealed;
  const told = [JSON.stringify(byKind), JSON.stringify(rejects), lines];
  await query(seal, [job.appNo, job.id, digest, state, tenantNo, withExternal, userIds, ...told]);
}

interface FoundRow extends Omit<KnownChunk, 'digest' | 'rejects'> {
  readonly rejects: string;
}

export async function findKnownChunk(
  query: Query,
  { appNo, id }: JobRef,
  digest: string,
): Promise<KnownChunk | undefined> {
  const [row] = await query<FoundRow>(find, [appNo, id, digest]);
  return row && { ...row, rejects: JSON.parse(row.rejects) as Reject[], digest };
}

export async function passOverChunk(
  query: Query,
  { id }: JobRef,
  { digest, madeBy }: KnownChunk,
): Promise<boolean> {
  return (await query(keepRepeat, [id, digest, madeBy])).length > 0;
}

export async function claimRepeats(query: Query, { appNo, id }: JobRef): Promise<boolean> {
  const [due] = await query<{ count: number }>(claim, [appNo, id, claimedAtOnce]);
  return due?.count === claimedAtOnce;
}

export async function repeatsOf(read: Query, { appNo, id }: JobRef): Promise<RepeatsSoFar> {
  const [row] = await read<RepeatsSoFar>(standing, [appNo, id]);
  if (!row) throw new Error('counting gave no result');
  return row;
}
