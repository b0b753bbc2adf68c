import type {
  ByFactor,
  ByState,
  ByKind,
  Job,
  JobRef,
  JobState,
  OnConflict,
  Reject,
  RejectCode,
  SecondFactorRule,
} from '../../bulk/job.ts';
import type { AbsentRefusal } from '../../absent-refusals.ts';
import type { Absence, AbsentRule } from '../../bulk/absence.ts';
import type { JobStore, Postponed } from '../../bulk/ports.ts';
import type { CancelReason } from '../../cancel-reasons.ts';
import { Refusal } from '../../errors.ts';
import { asCoreId } from '../../identity.ts';
import type { Database, Query } from '../database.ts';
import { absentOf, settleAbsent } from './absent.ts';
import { conflictsOf } from './conflicts.ts';
import { lookAtHolders } from './holders.ts';
import { purgeJob } from './purge.ts';

/** The table's numbers for the words of job.ts. */
export const stateNumbers = { receiving: 1, done: 2, cancelled: 3, undone: 4 } as const satisfies Record<
  JobState,
  number
>;
const conflictNumbers = { update: 1, skip: 2, reject: 3, theirs: 4, ours: 5 } as const satisfies Record<
  OnConflict,
  number
>;
const factorRuleNumbers = { refuse: 1, flag: 2, drop: 3 } as const satisfies Record<SecondFactorRule, number>;

const states = byNumber<JobState>(stateNumbers);
const conflictRules = byNumber<OnConflict>(conflictNumbers);
const absentNumbers = { report: 1, disable: 2, remove: 3 } as const satisfies Record<AbsentRule, number>;

const absentRules = byNumber<AbsentRule>(absentNumbers);
const factorRules = byNumber<SecondFactorRule>(factorRuleNumbers);

function byNumber<Word extends string>(numbers: Readonly<Record<Word, number>>): ReadonlyMap<number, Word> {
  return new Map((Object.keys(numbers) as Word[]).map((word) => [numbers[word], word]));
}

/** What {@link jobOf} reads: a list for `select` or `returning`. */
export const jobColumns = `app_no, job_id, name, state, dry_run, on_conflict, upload_length, bytes, physical_lines,
    created, updated, unchanged, skipped, rejected, by_kind, started_at, finished_at, last_commit_at, paused_ms, purged_at,
    second_factor, by_factor, cancel_reason, same_ids, id_prefix, odd_dates, conflicts,
    restore_removed, by_state, postponed, source, absent, absent_yes, absent_known, absent_count, absent_active,
    absent_done, absent_refused`;

/** A row of import_jobs. */
export interface JobRow {
  readonly app_no: number;
  readonly job_id: string;
  readonly name: string;
  readonly state: number;
  readonly dry_run: boolean;
  readonly on_conflict: number;
  readonly upload_length: number | null;
  readonly bytes: number;
  readonly physical_lines: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly by_kind: ByKind;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly last_commit_at: number | null;
  readonly paused_ms: number;
  readonly purged_at: number | null;
  readonly second_factor: number;
  readonly by_factor: ByFactor;
  readonly cancel_reason: CancelReason | null;
  readonly same_ids: boolean;
  readonly id_prefix: string | null;
  readonly odd_dates: number;
  readonly conflicts: number;
  readonly restore_removed: boolean;
  readonly by_state: ByState;
  readonly postponed: number;
  readonly source: string;
  readonly absent: number | null;
  readonly absent_yes: boolean;
  readonly absent_known: number | null;
  readonly absent_count: number | null;
  readonly absent_active: number | null;
  readonly absent_done: number;
  readonly absent_refused: AbsentRefusal | null;
}

export function jobOf(row: JobRow): Job {
  const { created, updated, unchanged, skipped, rejected, conflicts, postponed, name, bytes } = row;
  return {
    ...{ name, bytes, created, updated, unchanged, skipped, rejected, conflicts, postponed },
    appNo: row.app_no,
    id: row.job_id,
    state: known(states.get(row.state)),
    onConflict: known(conflictRules.get(row.on_conflict)),
    dryRun: row.dry_run,
    secondFactor: known(factorRules.get(row.second_factor)),
    sameIds: row.same_ids,
    idPrefix: row.id_prefix ?? undefined,
    restoreRemoved: row.restore_removed,
    uploadLength: row.upload_length ?? undefined,
    physicalLines: row.physical_lines,
    byKind: row.by_kind,
    byFactor: row.by_factor,
    byState: row.by_state,
    oddDates: row.odd_dates,
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? undefined,
    lastCommitAt: row.last_commit_at ?? undefined,
    pausedMs: row.paused_ms,
    purgedAt: row.purged_at ?? undefined,
    cancelReason: row.cancel_reason ?? undefined,
    source: row.source,
    absent: row.absent === null ? undefined : known(absentRules.get(row.absent)),
    absentYes: row.absent_yes,
    absence: absenceOf(row),
  };
}

function absenceOf(row: JobRow): Absence | undefined {
  if (row.absent_known === null) return undefined;
  return {
    known: row.absent_known,
    count: row.absent_count ?? 0,
    active: row.absent_active ?? 0,
    done: row.absent_done,
    refused: row.absent_refused ?? undefined,
  };
}

/** A newer core would have migrated first. */
function known<Word>(word: Word | undefined): Word {
  if (word === undefined) throw new Error('an import job has a number that this core does not know');
  return word;
}

/** Holds the app's own tenant, so that no job is left behind by an app that is being removed. */
const create = `
  insert into import_jobs (app_no, job_id, name, dry_run, on_conflict, upload_length, started_at, second_factor,
    same_ids, id_prefix, restore_removed, source, absent, absent_yes)
  select t.app_no, $2::uuid, $3::text, $4::bool, $5::smallint, $6::bigint, $7::bigint, $8::smallint, $9::bool, $10::text,
    $11::bool, $12::text, $13::smallint, $14::bool
  from tenants t where t.app_no = $1 and t.tenant_no = 0 for key share
  returning ${jobColumns}`;

const find = `select ${jobColumns} from import_jobs where app_no = $1 and job_id = $2`;

const list = `
  select ${jobColumns} from import_jobs
  where app_no = $1 and job_id < $2
  order by job_id desc limit $3`;
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The job stands in its app: nobody reads another app's rejects by guessing an id. A row may stand for many lines: of each
 * no more are listed than a page has.
 */
const rejects = `
  select n.line, r.external_user_id, r.code, r.field, r.message
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
}

/**
 * A chunk's progress is an update of this same row in the same state, so one of the two comes first: either the chunk is
 * in the counts that are returned, or it finds the job finished and is rolled back.
 */
const finish = `
  update import_jobs set state = $3, finished_at = $4
  where app_no = $1 and job_id = $2 and state = ${stateNumbers.receiving}
  returning ${jobColumns}`;

/** The length of an upload is told once. */
const setUploadLength = `
  update import_jobs set upload_length = $3
  where app_no = $1 and job_id = $2 and state = ${stateNumbers.receiving} and upload_length is null
  returning ${jobColumns}`;

const postponed = `
  select p.line, p.record as text from import_postponed p
  where p.app_no = $1::int and p.job_id = $2::uuid order by p.line`;

/** Import jobs as rows. A text that is no job's id finds nothing. */
export function jobStore(database: Database): JobStore {
  const { read, write } = database;
  const findJob = async ({ appNo, id }: JobRef): Promise<Job | undefined> =>
    asCoreId(id) === undefined ? undefined : one(await read<JobRow>(find, [appNo, id]));
  return {
    create: async (appNo, id, job, now) => {
      const { name, dryRun, onConflict, secondFactor, uploadLength } = job;
      const { sameIds = false, idPrefix = null, restoreRemoved = false } = job;
      const numbers = [
        conflictNumbers[onConflict],
        uploadLength ?? null,
        now,
        factorRuleNumbers[secondFactor],
      ];
      const { source = '', absent, absentYes = false } = job;
      const rule = absent === undefined ? null : absentNumbers[absent];
      const marks = [sameIds, idPrefix, restoreRemoved, source, rule, absentYes];
      const parameters = [appNo, id, name, dryRun, ...numbers, ...marks];
      const created = one(await write<JobRow>(create, parameters));
      if (created === undefined) throw new Refusal('APP_OR_TENANT_NOT_FOUND');
      return created;
    },
    find: (appNo, id) => findJob({ appNo, id }),
    list: async (appNo, limit, before = lastId) =>
      asCoreId(before) === undefined
        ? []
        : (await read<JobRow>(list, [appNo, before, limit])).map((row) => jobOf(row)),
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
    purge: (job, now) => purgeJob(write, job, now),
    setUploadLength: async (job, bytes) =>
      one(await write<JobRow>(setUploadLength, [job.appNo, job.id, bytes])) ?? (await findJob(job)),
  };
}

function one([row]: readonly JobRow[]): Job | undefined {
  return row && jobOf(row);
}

function rejectOf({ line, external_user_id: id, code, field, message }: RejectRow): Reject {
  return { line, ...(id !== null && { externalUserId: id }), code, field, message };
}

/** Few enough that a statement stays short: a job over known users claims a key for each of its lines. */
const removeSomeClaims = `
  with spent as materialized (
    select app_no, job_id, kind, key, tenant_no from import_claims where app_no = $1 and job_id = $2
    order by kind, key, tenant_no limit $3 for update
  ),
  removed as (
    delete from import_claims c using spent s
    where c.app_no = s.app_no and c.job_id = s.job_id and c.kind = s.kind and c.key = s.key and c.tenant_no = s.tenant_no
    returning 1
  )
  select count(*)::int as count from removed`;
const claimsAtOnce = 10_000;

/** So few that one statement is short. */
const removePostponed = 'delete from import_postponed where app_no = $1::int and job_id = $2::uuid';

/** Only for a job that is not receiving: no chunk can add claims any more. */
async function removeClaims(write: Query, { appNo, id }: JobRef): Promise<void> {
  await write(removePostponed, [appNo, id]);
  let count = claimsAtOnce;
  while (count === claimsAtOnce) {
    const [row] = await write<{ count: number }>(removeSomeClaims, [appNo, id, claimsAtOnce]);
    count = row?.count ?? 0;
  }
}

const withSpentClaims = `
  select j.app_no as "appNo", j.job_id as id from import_jobs j
  where j.state <> ${stateNumbers.receiving} and (
    exists (select 1 from import_claims c where c.app_no = j.app_no and c.job_id = j.job_id)
    or exists (select 1 from import_postponed p where p.app_no = j.app_no and p.job_id = j.job_id)
  )`;

/**
 * Removes what a core left that died between finishing a job and removing its claims. For the sweeper.
 * @returns how many jobs had some
 */
export async function removeSpentClaims({ read, write }: Pick<Database, 'read' | 'write'>): Promise<number> {
  const jobs = await read<JobRef>(withSpentClaims);
  for (const job of jobs) await removeClaims(write, job);
  return jobs.length;
}
