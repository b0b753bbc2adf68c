import type { JobRef } from '../../imports/model.ts';
import type { Database, Query } from '../../database/database.ts';

/**
 * State 1 is `receiving`. This is the first statement: from then on no undo begins that would find only half of its images. It
 * waits for the current batch of a running undo.
 */
const mark = `
  update import_jobs set purged_at = $3, receipt_secret = null
  where app_no = $1 and job_id = $2 and state <> 1 and purged_at is null`;

/** Small, so that a statement and its locks stay short. */
const rowsAtOnce = 5000;

function removeSome(
  table: 'import_absent' | 'import_rejects' | 'import_conflicts' | 'import_before_images' | 'import_ledger',
  key: 'line' | 'user_id' | 'lines_before',
): string {
  return `
    with spent as materialized (
      select t.${key} as key from ${table} t where t.app_no = $1 and t.job_id = $2 order by t.${key} limit ${rowsAtOnce}
    )
    delete from ${table} t where t.app_no = $1 and t.job_id = $2 and t.${key} = any(array(select s.key from spent s)) returning 1`;
}
const removals = [
  removeSome('import_rejects', 'line'),
  removeSome('import_conflicts', 'line'),
  removeSome('import_before_images', 'user_id'),
  removeSome('import_absent', 'user_id'),
  removeSome('import_ledger', 'lines_before'),
];

/**
 * Removes the personal data of an ended job: rejects, conflicts and before-images. Its row remains, with its counts.
 * @param now ms since the epoch
 */
export async function purgeJob(write: Query, { appNo, id }: JobRef, now: number): Promise<void> {
  await write(mark, [appNo, id, now]);
  for (const removal of removals) {
    // A line may have several conflicts.
    while ((await write(removal, [appNo, id])).length >= rowsAtOnce);
  }
}

/** Jobs whose time is over, and those whose purge was interrupted. */
const due = `
  select j.app_no as "appNo", j.job_id as id from import_jobs j
  where j.state <> 1 and case when j.purged_at is null then j.finished_at <= $1 else
    exists (select 1 from import_rejects r where r.app_no = j.app_no and r.job_id = j.job_id)
    or exists (select 1 from import_conflicts c where c.app_no = j.app_no and c.job_id = j.job_id)
    or exists (select 1 from import_before_images b where b.app_no = j.app_no and b.job_id = j.job_id)
    or exists (select 1 from import_absent a where a.app_no = j.app_no and a.job_id = j.job_id)
    or exists (select 1 from import_ledger l where l.app_no = j.app_no and l.job_id = j.job_id)
  end`;

/** Entry ids begin with the time of arrival, and no entry fails before that: so few others are read. */
const removeSomeEntries = `
  with spent as materialized (
    select q.app_no, q.entry_id from apps a
    cross join lateral (
      select q.app_no, q.entry_id from import_queue q
      where q.app_no = a.app_no and q.status = 3 and q.entry_id < $2 and q.updated_at <= $1
      order by q.entry_id limit ${rowsAtOnce}
    ) q
    limit ${rowsAtOnce}
  )
  delete from import_queue q using spent s where q.app_no = s.app_no and q.entry_id = s.entry_id returning 1`;

/**
 * Removes the personal data of jobs that ended before `endedBefore`, and entries of the queue that failed before. For the
 * sweeper.
 * @param endedBefore ms since the epoch; undefined: only interrupted purges are finished
 * @returns the number of jobs and entries
 */
export async function purgeOld(
  { read, write }: Pick<Database, 'read' | 'write'>,
  endedBefore: number | undefined,
  now: number,
): Promise<number> {
  const jobs = await read<JobRef>(due, [endedBefore ?? -1]);
  for (const job of jobs) await purgeJob(write, job, now);
  if (endedBefore === undefined) return jobs.length;
  let entries = 0;
  for (let count = rowsAtOnce; count === rowsAtOnce; entries += count) {
    count = (await write(removeSomeEntries, [endedBefore, firstIdOf(endedBefore)])).length;
  }
  return jobs.length + entries;
}

/** Below every UUIDv7 that is made later. */
function firstIdOf(ms: number): string {
  const digits = Math.max(ms, 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
