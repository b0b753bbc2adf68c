import type { ChunkStore, ChunkTransaction, ComparedChunk, Progress, Standing } from '../../imports/ports.ts';
import { type CancelReason, firstUpdates, rejectsOnlyLimit } from '../../domain/jobs/cancel-reasons.ts';
import { plainArray } from '../../domain/pg-array.ts';
import { noteActivity } from '../users/activity.ts';
import type { Database, Query, Savepoint } from '../../database/database.ts';
import { insertOfJob, rowsOfJob } from '../../database/relation.ts';
import { findRemoved, hasTombstones, liftTombstones } from '../removal/tombstones.ts';
import { withRolesMade } from '../roles/stated.ts';
import { changeRows } from './change.ts';
import { takeReleased } from './claims.ts';
import { keepConflicts } from './conflicts.ts';
import { findHolders } from './holders.ts';
import { stateNumbers } from './jobs/rows.ts';
import { holdPrimaries, infosOfPrimaries, sharedInfos } from './primaries.ts';
import { createRows } from './place/new.ts';
import { recogniseLines } from './place/known.ts';
import { compareRows, placeRows } from './place/place.ts';
import { findRareKeys } from './rare-keys.ts';
import { keepRejects } from './rejects.ts';

/** Two objects of counts as one. */
const sumOf = (kept: string, further: string): string => `(
      select coalesce(jsonb_object_agg(k.kind, k.count), '{}')
      from (
        select e.key as kind, sum(e.value::bigint) as count
        from (select * from jsonb_each_text(${kept}) union all select * from jsonb_each_text(${further}::text::jsonb)) e
        group by e.key
      ) k
    )`;

/** Updates, and records that would have been updates of a user who is another one. */
const updatesBefore = 'j.updated + j.different';
const updatesAfter = `${updatesBefore} + $7 + $16`;

/**
 * Why the job stops with this chunk, of the numbers of `advance`; null while it goes on. Whether the ids are those of other
 * people is judged once: by the chunk with which there are enough updates.
 */
const cancelReason = `(case
  when ${updatesBefore} < ${firstUpdates} and ${updatesAfter} >= ${firstUpdates}
    and 2 * (j.different + $16) > ${updatesAfter}
  then '${'DIFFERENT_PEOPLE' satisfies CancelReason}'
  when j.unusable + $15 >= ${rejectsOnlyLimit} and j.unusable + $15 + j.passed_over + $23
    = j.created + $6 + j.updated + $7 + j.unchanged + $8 + j.skipped + $9 + j.rejected + $10
  then '${'ALL_REJECTED' satisfies CancelReason}' end)`;

/** All lines are there, all of them decided, and nothing else is to be done. */
const isWhole = '($4 = j.upload_length and j.postponed + $21 = 0 and j.absent is null)';

/** Right before the commit, so that the job's row is locked only as long as that takes. */
const advance = `
  update import_jobs j set
    bytes = $4::bigint, physical_lines = j.physical_lines + $5::bigint,
    created = j.created + $6::bigint, updated = j.updated + $7::bigint, unchanged = j.unchanged + $8::bigint,
    skipped = j.skipped + $9::bigint, rejected = j.rejected + $10::bigint,
    by_kind = ${sumOf('j.by_kind', '$11')}, by_factor = ${sumOf('j.by_factor', '$14')},
    by_state = ${sumOf('j.by_state', '$20')},
    last_commit_at = $12::bigint,
    paused_ms = j.paused_ms + greatest($13::bigint - coalesce(j.last_commit_at, j.started_at), 0),
    unusable = j.unusable + $15::bigint, different = j.different + $16::bigint,
    odd_dates = j.odd_dates + $17::bigint,
    conflicts = j.conflicts + $18::bigint, rebased = j.rebased + $19::bigint,
    postponed = j.postponed + $21::bigint, told = j.told + $22::bigint,
    passed_over = j.passed_over + $23::bigint,
    state = case when ${cancelReason} is not null then 3 when ${isWhole} then 2 else 1 end,
    cancel_reason = ${cancelReason},
    finished_at = case when ${cancelReason} is not null or ${isWhole} then $12 end
  where j.app_no = $1::int and j.job_id = $2::uuid and j.bytes = $3::bigint and j.state = 1
    and j.postponed + $21 >= 0
  returning j.state`;

const claimColumns = {
  kind: { name: 'kind', type: 'smallint', isNullable: false },
  key: { name: 'key', type: 'uuid', isNullable: false },
  tenantNo: { name: 'tenant_no', type: 'int', isNullable: false },
  line: { name: 'line', type: 'bigint', isNullable: false },
} as const;
const keepClaims = `${insertOfJob('import_claims', claimColumns)}
  on conflict do nothing`;

const postponedColumns = {
  line: { name: 'line', type: 'bigint', isNullable: false },
  text: { name: 'record', type: 'text', isNullable: false },
} as const;
const keepPostponed = insertOfJob('import_postponed', postponedColumns);
const forgetPostponed = 'delete from import_postponed where app_no = $1::int and job_id = $2::uuid';

/** A claim of another core skips the row while it is locked. */
const holdLease = `
  select 1 from import_queue_leases l where l.app_no = $1::int and l.lease = $2::uuid for share`;

const forgetClaims = 'delete from import_claims where app_no = $1::int and job_id = $2::uuid';
/** A base alone is no activity. */
const forgetImages =
  'delete from import_before_images where app_no = $1::int and job_id = $2::uuid returning app_no, user_id, (own_image(before) is distinct from own_image(after)) as is_changed';
/** An undo of the job that created them will find no image in its way. */
const noteImported = noteActivity(
  'imported_at',
  '(select * from unnest($1::int[], $2::uuid[]) i (app_no, user_id))',
);

/** @param database connections of the imports' own, whose statements are planned once */
export function chunkStore(database: Database): ChunkStore {
  return {
    transaction: (work) =>
      withRolesMade(database, () =>
        database.transaction(async (query, savepoint) => {
          await query('savepoint beginning');
          return work(steps(query, savepoint));
        }),
      ),
  };
}

function steps(query: Query, savepoint: Savepoint): ChunkTransaction {
  return {
    holdLease: async ({ appNo }, leaseId) => (await query(holdLease, [appNo, leaseId])).length > 0,
    rareKeysSince: ({ appNo }, since) => findRareKeys(query, appNo, since),
    hasRemoved: ({ appNo }) => hasTombstones(query, appNo),
    findRemoved: ({ appNo }, keys) => findRemoved(query, appNo, keys),
    restore: ({ appNo }, people) => liftTombstones(query, appNo, people),
    create: (chunk) => createRows(savepoint, chunk),
    recognise: (chunk) => recogniseLines(savepoint, chunk),
    async compare(chunk) {
      await releaseFor(query, chunk);
      return compareRows(savepoint, chunk);
    },
    async place(chunk) {
      await releaseFor(query, chunk);
      return placeRows(savepoint, chunk);
    },
    async find({ job }, keys) {
      if (job.dryRun) await takeReleased(query, job, keys.identities);
      return findHolders(query, job, keys);
    },
    change: ({ job }, changes) => changeRows(savepoint, job, changes),
    holdPrimaries: (job) => holdPrimaries(query, job),
    sharedInfos: (job, heads) => sharedInfos(query, job, heads),
    infosOf: (job, heads) => infosOfPrimaries(query, job, heads),
    async takeBack() {
      await query('rollback to savepoint beginning');
    },
    progress: (progress) => keepProgress(query, progress),
    async forget({ appNo, id }) {
      await query(forgetClaims, [appNo, id]);
      await forgetChanged(query, appNo, id);
    },
  };
}

async function releaseFor(query: Query, { job, rows, hasClaims }: ComparedChunk): Promise<void> {
  if (job.dryRun && hasClaims) await takeReleased(query, job, rows);
}

async function forgetChanged(query: Query, appNo: number, jobId: string): Promise<void> {
  const images = await query<{ app_no: number; user_id: string; is_changed: boolean }>(forgetImages, [
    appNo,
    jobId,
  ]);
  const changed = images.filter((image) => image.is_changed);
  if (changed.length === 0) return;
  const columns = [plainArray(changed, (row) => row.app_no), plainArray(changed, (row) => row.user_id)];
  await query(noteImported, columns);
}

async function keepProgress(query: Query, progress: Progress): Promise<Standing> {
  const {
    job,
    from,
    to,
    physicalLines,
    counts,
    byKind,
    byFactor,
    byState,
    rejects,
    unusable,
    different,
    oddDates,
    conflicts,
    rebased,
    claims,
    postponed,
    settled,
    told,
    passedOver,
    since,
    now,
  } = progress;
  const { created, updated, unchanged, skipped, rejected } = counts;
  const numbers = [from, to, physicalLines, created, updated, unchanged, skipped, rejected];
  const [row] = await query<{ state: number }>(advance, [
    job.appNo,
    job.id,
    ...numbers,
    JSON.stringify(byKind),
    now,
    since,
    JSON.stringify(byFactor),
    unusable,
    different,
    oddDates,
    conflicts.length,
    rebased,
    JSON.stringify(byState),
    postponed.length - settled,
    told,
    passedOver,
  ]);
  if (row === undefined) return 'moved';
  if (settled > 0) await query(forgetPostponed, [job.appNo, job.id]);
  if (postponed.length > 0) await query(keepPostponed, rowsOfJob(job, postponedColumns, postponed));
  if (rejects.length > 0) await keepRejects(query, job, rejects);
  if (conflicts.length > 0) await keepConflicts(query, job, conflicts);
  if (claims.length > 0) await query(keepClaims, rowsOfJob(job, claimColumns, claims));
  return row.state === stateNumbers.cancelled ? 'cancelled' : 'kept';
}
