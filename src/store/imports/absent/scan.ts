import type { AbsentRefusal } from '../../../domain/jobs/absent-refusals.ts';
import type { Job } from '../../../imports/model.ts';
import type { Database, Query } from '../../../database/database.ts';

/** Rows of users in one statement: `import_job` has no index, so the app is walked along its primary key, as in undo.ts. */
const rowsAtOnce = 5000;
const firstId = '00000000-0000-0000-0000-000000000000';
/** Pages that are searched at the same time: nothing else is left of the import. */
const pagesAtOnce = 2;

const findEnd = `
  select p.user_id as last from (
    select u.user_id from users u
    where u.app_no = $1::int and u.user_id > $2::uuid
    order by u.user_id limit ${rowsAtOnce}
  ) p
  order by p.user_id desc limit 1`;

const claimed = (kind: string, key: string, tenantNo: string): string => `exists (
        select 1 from import_claims c
        where c.app_no = $1 and c.job_id = $2 and c.kind = ${kind} and c.key = ${key} and c.tenant_no = ${tenantNo}
        offset 0
      )`;

const externalKey = 'identity_key(3::smallint, m.external_id, null, null, null)';

/** Whether the file contains the login method `m`: it was created, changed, found unchanged, or a record was rejected for it. */
const isInFile = `(
      m.import_job is not distinct from $2
      or exists (
        select 1 from import_before_images b
        where b.app_no = $1 and b.job_id = $2 and b.user_id = m.user_id
        offset 0
      )
      or exists (
        select 1 from import_claims c
        where c.app_no = $1 and c.job_id = $2 and c.kind = 6 and c.key = m.user_id
        offset 0
      )
      or (m.external_id is not null and (${claimed('5', externalKey, '0')} or ${claimed('15', externalKey, '0')}))
      or exists (
        select 1 from identities_of($1, m) i where ${claimed('i.kind', 'i.key', 'i.tenant_no')}
      )
      or exists (
        select 1 from former_identities f
        where f.app_no = $1 and f.user_id = m.user_id and ${claimed('f.kind', 'f.key', 'f.tenant_no')}
      )
    )`;

interface Origins {
  /** The expression for the origin of a user `p`, as in import_absent; null for a user who is not looked at. */
  readonly of: string;
  /** That of a user `j` who is not in the file. */
  readonly ofAbsent: string;
  /** Whether the file is known to have the user `p`, at a glance. */
  readonly isMet: string;
}

/**
 * An import of the source created the user, or the user was written to it (features/moves) before its last import: then this file was
 * read after the write.
 */
const isOfSource = `((p.import_job in (select s.job_id from sources s)) is true or (p.import_job is null and exists (
        select 1 from sign_ins s
        where s.app_no = $1 and s.user_id = p.user_id and s.written_to = $4 and s.written_at < $5
        offset 0
      )))`;

/** Only users of the source may be disabled or removed. */
const ofSource: Origins = { of: `case when ${isOfSource} then 1 end`, ofAbsent: '1', isMet: 'false' };

/** Also users who were made here. A sign-up that an import has found since belongs to the source. */
const ofAll: Origins = {
  of: `case when ${isOfSource} or (p.import_job is null and p.base is not null) then 1 when p.import_job is null then 2 end`,
  ofAbsent: `case when j.origin = 1 and exists (
        select 1 from user_details t
        where t.app_no = $1 and t.user_id = j.user_id and t.restrictions -> 'isDisabled' = 'true'
        offset 0
      ) then 3 else j.origin end`,
  // Of a comparison nearly each user has such a claim, and it has its tenant: see leaveOthers. A look-up for each user, whatever the
  // planner expects: of a list of them it read the whole for each user.
  isMet: `exists (
        select 1 from import_claims c
        where c.app_no = $1 and c.job_id = $2 and c.kind = 6 and c.key = p.user_id
        offset 0
      )`,
};

/** Dry runs import no users. Linked login methods are treated as their head. */
const scanOf = (origins: Origins): string => `
  with page as materialized (
    select u.user_id, u.primary_user_id, u.import_job, u.external_id, u.base from users u
    where u.app_no = $1::int and u.user_id > $3::uuid and u.user_id <= $6::uuid
  ),
  sources as materialized (
    select j.job_id from import_jobs j where j.app_no = $1 and j.source = $4::text and not j.dry_run
  ),
  brought as materialized (
    select p.user_id, p.import_job is distinct from $2 as was_there,
      coalesce(p.external_id, p.user_id::text) as seen_id, p.origin, ${origins.isMet} as is_met
    from (select p.*, ${origins.of} as origin from page p) p
    where coalesce(p.primary_user_id, p.user_id) = p.user_id and p.origin is not null
  ),
  judged as materialized (
    select b.user_id, b.seen_id, b.was_there, b.origin, bool_or(${isInFile}) as is_in_file,
      array_agg(i.tenant_no) filter (where i.tenant_no is not null) as tenants,
      bool_or(coalesce(s.last_at >= $5::bigint, false)) as is_active
    from brought b
    cross join lateral (
      select u.* from users u where u.app_no = $1 and u.user_id = b.user_id
      union all
      select u.* from users u
      where u.app_no = $1 and u.primary_user_id = b.user_id and u.primary_user_id <> u.user_id
    ) m
    left join lateral identities_of($1, m) i on true
    left join lateral (
      select s.last_at from sign_ins s where s.app_no = $1 and s.user_id = m.user_id offset 0
    ) s on true
    where not b.is_met
    group by b.user_id, b.seen_id, b.was_there, b.origin
  ),
  undecided as materialized (
    select j.job_id from import_jobs j
    where j.app_no = $1 and j.job_id = $2 and j.absent_known is null
    for key share
  ),
  kept as (
    insert into import_absent (app_no, job_id, user_id, seen_id, tenants, is_active, origin)
    select $1, $2::uuid, j.user_id, j.seen_id, coalesce(j.tenants, '{}'), j.is_active, ${origins.ofAbsent}
    from judged j where not j.is_in_file and exists (select from undecided)
    order by j.user_id
    on conflict do nothing
  )
  select (
      select count(*) from judged j where j.is_in_file and j.was_there and j.origin = 1
    )::int + (select count(*) from brought b where b.is_met and b.origin = 1)::int as present,
    to_json(array(
      select distinct t.tenant_no from judged j cross join lateral unnest(j.tenants) t (tenant_no) where j.is_in_file
    )) as tenants,
    exists (select from undecided) as "isUndecided"`;
const scan = scanOf(ofSource);
const scanAll = scanOf(ofAll);

interface Scanned {
  /** Of a page, users who existed before. */
  readonly present: number;
  readonly tenants: readonly number[];
  /** false: another core has searched, too, and has decided. */
  readonly isUndecided: boolean;
}

/** The start of the previous import of the source. */
const findLast = `
  select max(j.started_at) as at from import_jobs j
  where j.app_no = $1 and j.source = $3 and not j.dry_run and j.job_id < $2`;

/** Waits for pages that other cores search at the same time; those after it list no user. No row: another core has decided. */
const holdUndecided = `
  select 1 from import_jobs j
  where j.app_no = $1 and j.job_id = $2 and j.absent_known is null
  for update`;

/** A file may contain only some of the tenants: others have separate files. */
const leaveOthers = `
  delete from import_absent a
  where a.app_no = $1 and a.job_id = $2 and not (a.tenants && (
    $3::int[] || array(
      select distinct c.tenant_no from import_claims c
      where c.app_no = $1 and c.job_id = $2 and c.kind in (1, 2, 3, 4, 6)
    )
  ))`;

const tooMany = 'ABSENT_TOO_MANY' satisfies AbsentRefusal;
const uncertain = 'ABSENT_UNCERTAIN' satisfies AbsentRefusal;

/** `unusable`: the users of invalid records are not known. */
const keep = `
  update import_jobs j set
    absent_known = $3::bigint + f.count, absent_count = f.count, absent_active = f.active,
    absent_refused = case
      when j.absent = 1 or j.absent_yes or f.count = 0 then null
      when 2 * f.count >= $3::bigint + f.count then '${tooMany}'
      when j.unusable > 0 then '${uncertain}' end
  from (
    select count(*) as count, count(*) filter (where a.is_active) as active
    from import_absent a where a.app_no = $1 and a.job_id = $2 and a.origin = 1
  ) f
  where j.app_no = $1 and j.job_id = $2 and j.state = 1`;

/**
 * Finds the absent users and decides whether the rule may be applied. Repeated after a crash, the result is the same; of several cores
 * that search at the same time, as requests for the job begin it, the first decides.
 */
export async function scanForAbsent(database: Database, job: Job): Promise<void> {
  const { read, write } = database;
  const { appNo, id, source = '', compare = false } = job;
  const statement = compare ? scanAll : scan;
  const [last] = await read<{ at: number | null }>(findLast, [appNo, id, source]);
  const tenants = new Set<number>();
  let present = 0;
  const pages = pagesOf(read, appNo);
  const search = async (): Promise<boolean> => {
    for await (const { after, end } of pages) {
      const parameters = [appNo, id, after, source, last?.at ?? 0, end];
      const [found] = await write<Scanned>(statement, parameters);
      if (found?.isUndecided !== true) return false;
      present += found.present;
      for (const tenantNo of found.tenants) tenants.add(tenantNo);
    }
    return true;
  };
  const isEachUndecided = await Promise.all(Array.from({ length: pagesAtOnce }, search));
  if (isEachUndecided.includes(false)) return;
  await database.transaction(async (query) => {
    const held = await query(holdUndecided, [appNo, id]);
    if (held.length === 0) return;
    await query(leaveOthers, [appNo, id, `{${[...tenants].join(',')}}`]);
    await query(keep, [appNo, id, present]);
  });
}

interface Page {
  readonly after: string;
  /** Of its last user. */
  readonly end: string;
}

/** Of all users of an app, in the order of their ids. Each goes to the first search that asks for one. */
async function* pagesOf(read: Query, appNo: number): AsyncGenerator<Page> {
  for (let after = firstId; ;) {
    const [row] = await read<{ last: string }>(findEnd, [appNo, after]);
    if (row === undefined) return;
    yield { after, end: row.last };
    after = row.last;
  }
}
