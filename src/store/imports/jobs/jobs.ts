import type { Job, JobRef, Reject, RejectCode } from '../../../imports/model.ts';
import type { JobStore, Postponed } from '../../../imports/ports.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { JobRow } from '../../../domain/jobs/job-fields.ts';
import { asCoreId } from '../../../domain/identity.ts';
import type { Database } from '../../../database/database.ts';
import { absentOf, settleAbsent } from '../absent/absent.ts';
import { claimedDigests, removeClaims, splitSeenRows } from '../claims.ts';
import { conflictsOf } from '../conflicts.ts';
import { lookAtHolders } from '../holders.ts';
import {
  insertedNames,
  insertedOf,
  insertedValues,
  jobColumns,
  jobColumnsOf,
  jobOf,
  stateNumbers,
} from './rows.ts';
import { countInSeries, type ListedRow, listedOf, listJobs, listSeries } from './series.ts';
import { purgeJob } from '../purge.ts';
import { findRareKeys } from '../rare-keys.ts';

/** Locks the app's own tenant, so that an app that is being removed leaves no job. */
const create = `
  with made as (
    insert into import_jobs (app_no, ${insertedNames})
    select t.app_no, ${insertedValues}
    from tenants t where t.app_no = $1 and t.tenant_no = 0 for key share
    returning *
  ),
  counted as (${countInSeries('made')})
  select ${jobColumnsOf('made')} from made`;

const find = `select ${jobColumns} from import_jobs where app_no = $1 and job_id = $2`;
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The job belongs to its app: guessing an id does not give access to another app's rejects. A row may count many lines: of each
 * no more are listed than fit in a page.
 */
const rejects = `
  select n.line, r.external_user_id, r.code, r.field, r.message, r.other_user_id, r.is_gone
  from (
    select r.*, greatest(r.line - r.lines, $3::bigint) as before
    from import_jobs j join import_rejects r on r.app_no = j.app_no and r.job_id = j.job_id and r.line > $3
    where j.app_no = $1 and j.job_id = $2
    order by r.line limit $4::int
  ) r
  cross join lateral generate_series(r.before + 1, least(r.line, r.before + $4::int)) n (line)
  order by n.line limit $4::int`;

interface RejectRow {
  readonly line: number;
  readonly external_user_id: string | null;
  readonly code: RejectCode;
  readonly field: string;
  readonly message: string;
  readonly other_user_id: string | null;
  readonly is_gone: true | null;
}

/**
 * A chunk's progress updates this row in the same state, so one of the two is first: either the chunk is in the returned counts,
 * or it finds the job finished and is rolled back.
 */
const finish = `
  update import_jobs set state = $3, finished_at = $4
  where app_no = $1 and job_id = $2 and state = ${stateNumbers.receiving}
  returning ${jobColumns}`;

/** The length of an upload is stored once. */
const setUploadLength = `
  update import_jobs set upload_length = $3
  where app_no = $1 and job_id = $2 and state = ${stateNumbers.receiving} and upload_length is null
  returning ${jobColumns}`;

const postponed = `
  select p.line, p.record as text from import_postponed p
  where p.app_no = $1::int and p.job_id = $2::uuid order by p.line`;

const hasImported = `
  select exists (
    select 1 from import_jobs j
    where j.app_no = $1::int and j.state = ${stateNumbers.done} and not j.dry_run
      and j.created + j.updated + j.unchanged > 0
  ) as found`;

/** Import jobs as rows. A text that is not a job's id finds nothing. */
export function jobStore(database: Database): JobStore {
  const { read, write } = database;
  const findJob = async ({ appNo, id }: JobRef): Promise<Job | undefined> =>
    asCoreId(id) === undefined ? undefined : one(await read<JobRow>(find, [appNo, id]));
  return {
    create: async (appNo, id, job, now) => {
      const row = insertedOf({ ...job, id, startedAt: now });
      const created = one(await write<JobRow>(create, [appNo, ...row]));
      if (created === undefined) throw new Refusal('APP_OR_TENANT_NOT_FOUND');
      return created;
    },
    find: (appNo, id) => findJob({ appNo, id }),
    list: async (appNo, { limit, before = lastId }) =>
      asCoreId(before) === undefined
        ? []
        : (await read<ListedRow>(listJobs, [appNo, before, limit])).map((row) => listedOf(row)),
    listSeries: async (appNo, series, { limit, before = lastId }) =>
      asCoreId(before) === undefined
        ? []
        : (await read<JobRow>(listSeries, [appNo, before, limit, series])).map((row) => jobOf(row)),
    rejects: async ({ appNo, id }, after, limit) =>
      (await read<RejectRow>(rejects, [appNo, id, after, limit])).map((row) => rejectOf(row)),
    conflicts: (job, after, limit) => conflictsOf(read, job, after, limit),
    finish: async (job, state, now) =>
      one(await write<JobRow>(finish, [job.appNo, job.id, stateNumbers[state], now])) ?? (await findJob(job)),
    look: (job, keys) => lookAtHolders(read, job, keys),
    settleAbsent: (job) => settleAbsent(database, job, findJob),
    absentUsers: (job, after, limit) => absentOf(read, job, after, limit),
    postponed: ({ appNo, id }) => read<Postponed>(postponed, [appNo, id]),
    forgetClaims: (job) => removeClaims(write, job),
    rareKeys: (appNo) => findRareKeys(read, appNo),
    hasImported: async (appNo) =>
      (await read<{ found: boolean }>(hasImported, [appNo])).some(({ found }) => found),
    claimedDigests: (job) => claimedDigests(read, job),
    splitSeenRows: (job) => splitSeenRows(write, job),
    purge: (job, now) => purgeJob(write, job, now),
    setUploadLength: async (job, bytes) =>
      one(await write<JobRow>(setUploadLength, [job.appNo, job.id, bytes])) ?? (await findJob(job)),
  };
}

function one([row]: readonly JobRow[]): Job | undefined {
  return row && jobOf(row);
}

function rejectOf(row: RejectRow): Reject {
  const { line, external_user_id: id, code, field, message, other_user_id: otherUserId } = row;
  return {
    line,
    ...(id !== null && { externalUserId: id }),
    code,
    field,
    message,
    ...(otherUserId !== null && { otherUserId }),
    ...(row.is_gone !== null && { isGone: row.is_gone }),
  };
}
