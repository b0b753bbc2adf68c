import { identityKeyColumns } from '../../domain/user-columns.ts';
import type { JobRef } from '../../imports/model.ts';
import type { IdentityColumns } from '../../imports/parse/types.ts';
import type { Claim } from '../../imports/ports.ts';
import type { Database, Query } from '../../database/database.ts';
import { arraysIn, namesOf, unnested } from '../../database/relation.ts';
import { stateNumbers } from './jobs/rows.ts';

/**
 * Small, so that a statement stays short: a job over known users claims a key for each of its lines. Each statement continues
 * where the previous one ended, or it would skip all rows that those removed: 1.7 µs a claim, and 8 among 500,000.
 */
const removeSomeClaims = `
  with spent as materialized (
    select c.ctid, c.kind, c.key, c.tenant_no from import_claims c
    where c.app_no = $1::int and c.job_id = $2::uuid and (c.kind, c.key, c.tenant_no) > ($3::smallint, $4::uuid, $5::int)
    order by c.kind, c.key, c.tenant_no limit $6::int
  ),
  removed as (
    delete from import_claims c where c.ctid = any(array(select s.ctid from spent s))
  )
  select kind, key, tenant_no as "tenantNo" from spent order by kind desc, key desc, tenant_no desc limit 1`;
const claimsAtOnce = 10_000;

type ClaimKey = Pick<Claim, 'kind' | 'key' | 'tenantNo'>;
const beforeAll: ClaimKey = { kind: 0, key: '00000000-0000-0000-0000-000000000000', tenantNo: 0 };

/** Few enough for one short statement. */
const removePostponed = 'delete from import_postponed where app_no = $1::int and job_id = $2::uuid';
const removeMet = 'delete from import_met where app_no = $1::int and job_id = $2::uuid';

/** Chunks in one statement: about 40,000 users. In the order of their lines: if two of them saw a user, the earlier one counts. */
const chunksAtOnce = 10;
const spreadSome = `
  with next as materialized (
    select m.lines_before from import_met m
    where m.app_no = $1::int and m.job_id = $2::uuid order by m.lines_before limit ${chunksAtOnce}
  ),
  spread as (
    delete from import_met m
    where m.app_no = $1 and m.job_id = $2 and m.lines_before = any(array(select n.lines_before from next n))
    returning m.*
  ),
  kept as (
    insert into import_claims (app_no, job_id, kind, key, tenant_no, with_external, line)
    select $1, $2, 6, m.user_id, s.tenant_no, true, s.lines_before + m.line
    from spread s
    cross join lateral unnest(s.user_ids, s.lines) m (user_id, line)
    order by m.user_id, s.tenant_no, s.lines_before
    on conflict do nothing
  )
  select count(*)::int as chunks from spread`;

/** From now on each user that the job has seen has a row. Repeated after a crash, the result is the same. */
export async function splitSeenRows(write: Query, { appNo, id }: JobRef): Promise<void> {
  for (let isLeft = true; isLeft;) {
    const [row] = await write<{ chunks: number }>(spreadSome, [appNo, id]);
    isLeft = row?.chunks === chunksAtOnce;
  }
}

/** Kinds of keys that chunks look for among their own: see import_claims. */
const claimed = `
  select c.digest from import_claims c
  where c.app_no = $1::int and c.job_id = $2::uuid and c.kind = any('{1,2,3,4,5,11,12,13,14}'::smallint[])
  limit $3::int`;
/** Read in a few milliseconds. A clean file claims none, and a dry run one for each line. */
const mostClaimed = 50_000;

/** @returns undefined if a digest is unknown, or if there are too many */
export async function claimedDigests(
  read: Query,
  { appNo, id }: JobRef,
): Promise<readonly number[] | undefined> {
  const rows = await read<{ digest: number | null }>(claimed, [appNo, id, mostClaimed + 1]);
  const digests = rows.flatMap(({ digest }) => digest ?? []);
  return digests.length < rows.length || rows.length > mostClaimed ? undefined : digests;
}

/** Only for a job that is not receiving: no chunk can add claims any more. */
export async function removeClaims(write: Query, { appNo, id }: JobRef): Promise<void> {
  for (const remove of [removePostponed, removeMet]) await write(remove, [appNo, id]);
  for (let last: ClaimKey | undefined = beforeAll; last !== undefined;) {
    const { kind, key, tenantNo }: ClaimKey = last;
    [last] = await write<ClaimKey>(removeSomeClaims, [appNo, id, kind, key, tenantNo, claimsAtOnce]);
  }
}

const withSpentClaims = `
  select j.app_no as "appNo", j.job_id as id from import_jobs j
  where j.state <> ${stateNumbers.receiving} and (
    exists (select 1 from import_claims c where c.app_no = j.app_no and c.job_id = j.job_id)
    or exists (select 1 from import_postponed p where p.app_no = j.app_no and p.job_id = j.job_id)
    or exists (select 1 from import_met m where m.app_no = j.app_no and m.job_id = j.job_id)
  )`;

/**
 * Removes the claims of jobs whose core died between finishing the job and removing them. For the sweeper.
 * @returns the number of jobs that had some
 */
export async function removeSpentClaims({ read, write }: Pick<Database, 'read' | 'write'>): Promise<number> {
  const jobs = await read<JobRef>(withSpentClaims);
  for (const job of jobs) await removeClaims(write, job);
  return jobs.length;
}

/**
 * Takes from users what earlier lines of a dry run would have taken, as far as these keys go: shown by claims of kinds 11 to 14.
 * It is rolled back with the rest of the chunk.
 */
const take = `
  with released as materialized (
    select s.tenant_no, s.kind, s.key
    from ${unnested(identityKeyColumns, 3)} s (${namesOf(identityKeyColumns)})
    cross join lateral (
      select 1 from import_claims c
      where c.app_no = $1 and c.job_id = $2::uuid and c.kind = (s.kind + 10)::smallint and c.key = s.key and c.tenant_no = s.tenant_no
      offset 0
    ) c
  )
  delete from identities i
  where i.app_no = $1::int and i.kind = any(array[1, 2, 3, 4]::smallint[])
    and i.key = any(array(select r.key from released r))
    and (((i.tenant_no, i.kind, i.key) in (select r.tenant_no, r.kind, r.key from released r)) is true)`;

export async function takeReleased(
  query: Query,
  { appNo, id }: JobRef,
  keys: Pick<IdentityColumns, 'tenantNo' | 'kind' | 'key'>,
): Promise<void> {
  await query(take, [appNo, id, ...arraysIn(identityKeyColumns, keys)]);
}
