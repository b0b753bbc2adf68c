import type {
  ChunkStore,
  ChunkTransaction,
  ComparedChunk,
  Progress,
  ProgressOutcome,
} from '../../imports/ports.ts';
import { type CancelReason, firstUpdates, rejectsOnlyLimit } from '../../domain/jobs/cancel-reasons.ts';
import { mapColumns } from '../../domain/columns.ts';
import { type JobCounter, jobCounters, jobCountsByKey } from '../../domain/jobs/job-fields.ts';
import { plainArray } from '../../domain/pg-array.ts';
import { noteActivity } from '../users/activity.ts';
import type { Database, Query, Savepoint } from '../../database/database.ts';
import { insertOfJob, rowsOfJob } from '../../database/relation.ts';
import { singleInputs } from '../batch/columns.ts';
import { findRemoved, hasTombstones, liftTombstones } from '../removal/tombstones.ts';
import { withRolesMade } from './stated-roles.ts';
import { changeRows } from './change.ts';
import { takeReleased } from './claims.ts';
import { keepConflicts } from './conflicts.ts';
import { findHolders } from './holders.ts';
import { stateNumbers, sumOfOutcomes } from './jobs/rows.ts';
import { addToSeries, countedInSeries } from './jobs/series.ts';
import { holdPrimaries, infosOfPrimaries, sharedInfos } from './primaries.ts';
import { createRows } from './place/new.ts';
import { recogniseLines } from './place/known.ts';
import { compareRows, placeRows } from './place/place.ts';
import { findRareKeys } from './rare-keys.ts';
import { keepLedger, keepSettled } from './ledger.ts';
import { keepRejects } from './rejects.ts';

const input = singleInputs<Progress>()({
  appNo: ['int', ({ job }) => job.appNo],
  jobId: ['uuid', ({ job }) => job.id],
  from: ['bigint', ({ from }) => from],
  to: ['bigint', ({ to }) => to],
  physicalLines: ['bigint', ({ physicalLines }) => physicalLines],
  since: ['bigint', ({ since }) => since],
  now: ['bigint', ({ now }) => now],
  ...mapColumns(
    jobCounters,
    (_, counter) => ['bigint', (progress: Progress) => addedTo(counter, progress)] as const,
  ),
  ...mapColumns(
    jobCountsByKey,
    (_, counter) => ['text', ({ added }: Progress) => JSON.stringify(added[counter])] as const,
  ),
});
const { $ } = input;

/** Records that were postponed before, and are decided now, no longer wait. */
function addedTo(counter: JobCounter, { added, settled }: Progress): number {
  return counter === 'postponed' ? added.postponed - settled : added[counter];
}

/** A counter after the chunk. */
const after = (counter: JobCounter): string => `j.${jobCounters[counter].name} + ${$[counter]}`;

/** Adds two objects of counts. */
const sumByKey = (kept: string, further: string): string => `(
      select coalesce(jsonb_object_agg(k.kind, k.count), '{}')
      from (
        select e.key as kind, sum(e.value::bigint) as count
        from (select * from jsonb_each_text(${kept}) union all select * from jsonb_each_text(${further}::jsonb)) e
        group by e.key
      ) k
    )`;

const addCounts = [
  ...Object.values(mapColumns(jobCounters, ({ name }, counter) => `${name} = ${after(counter)}`)),
  ...Object.values(
    mapColumns(jobCountsByKey, ({ name }, counter) => `${name} = ${sumByKey(`j.${name}`, $[counter])}`),
  ),
].join(',\n    ');

/** Updates, and records that would have been updates of another person. */
const updatesBefore = 'j.updated + j.different';
const updatesAfter = `${after('updated')} + ${after('different')}`;

/**
 * Why the job stops with this chunk; null while it continues. Whether the ids are those of other people is judged once: by the
 * chunk with which there are enough updates.
 */
const cancelReason = `(case
  when ${updatesBefore} < ${firstUpdates} and ${updatesAfter} >= ${firstUpdates}
    and 2 * (${after('different')}) > ${updatesAfter}
  then '${'DIFFERENT_PEOPLE' satisfies CancelReason}'
  when ${after('unusable')} >= ${rejectsOnlyLimit} and ${after('unusable')} + ${after('passedOver')} = ${sumOfOutcomes(after)}
  then '${'ALL_REJECTED' satisfies CancelReason}' end)`;

/** All lines are there and decided, and no other work is left. */
const isWhole = `(${$.to} = j.upload_length and ${after('postponed')} = 0 and j.absent is null)`;

interface Advanced {
  readonly state: number;
  readonly series: string | null;
}

/** Directly before the commit, so that the job's row is locked only for that time. */
const advance = `
  update import_jobs j set
    bytes = ${$.to}, physical_lines = j.physical_lines + ${$.physicalLines},
    ${addCounts},
    last_commit_at = ${$.now},
    paused_ms = j.paused_ms + greatest(${$.since} - coalesce(j.last_commit_at, j.started_at), 0),
    state = case when ${cancelReason} is not null then ${stateNumbers.cancelled}
      when ${isWhole} then ${stateNumbers.done} else ${stateNumbers.receiving} end,
    cancel_reason = ${cancelReason},
    finished_at = case when ${cancelReason} is not null or ${isWhole} then ${$.now} end
  where j.app_no = ${$.appNo} and j.job_id = ${$.jobId} and j.bytes = ${$.from} and j.state = ${stateNumbers.receiving}
    and ${after('postponed')} >= 0
  returning j.state, j.series`;

const claimColumns = {
  kind: { name: 'kind', type: 'smallint', isNullable: false },
  key: { name: 'key', type: 'uuid', isNullable: false },
  tenantNo: { name: 'tenant_no', type: 'int', isNullable: false },
  line: { name: 'line', type: 'bigint', isNullable: false },
  digest: { name: 'digest', type: 'bigint', isNullable: true },
} as const;
const keepClaims = `${insertOfJob('import_claims', claimColumns)}
  on conflict do nothing`;

const postponedColumns = {
  line: { name: 'line', type: 'bigint', isNullable: false },
  text: { name: 'record', type: 'text', isNullable: false },
} as const;
const keepPostponed = insertOfJob('import_postponed', postponedColumns);
const forgetPostponed = 'delete from import_postponed where app_no = $1::int and job_id = $2::uuid';

/** While the row is locked, a claim by another core skips it. */
const holdLease = `
  select 1 from import_queue_leases l where l.app_no = $1::int and l.lease = $2::uuid for share`;

const forgetClaims = 'delete from import_claims where app_no = $1::int and job_id = $2::uuid';
/** A change of the base alone is not an activity. */
const forgetImages =
  'delete from import_before_images where app_no = $1::int and job_id = $2::uuid returning app_no, user_id, (own_image(before) is distinct from own_image(after)) as is_changed';
/** The undo of the job that created them finds no image. */
const noteImported = noteActivity(
  'imported_at',
  '(select * from unnest($1::int[], $2::uuid[]) i (app_no, user_id))',
);

/** @param database connections used only by imports, whose statements are planned once */
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
    async rollBack() {
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

async function keepProgress(query: Query, progress: Progress): Promise<ProgressOutcome> {
  const { job, rejects, conflicts, claims, postponed, settled, ledger, settledOutcomes } = progress;
  const [row] = await query<Advanced>(advance, input.parameters(progress));
  if (row === undefined) return 'moved';
  if (row.series !== null) await query(addToSeries, countedInSeries(job, row.series, progress.added));
  if (settled > 0) await query(forgetPostponed, [job.appNo, job.id]);
  if (postponed.length > 0) await query(keepPostponed, rowsOfJob(job, postponedColumns, postponed));
  if (ledger !== undefined) await keepLedger(query, job, ledger);
  if (settledOutcomes !== undefined) await keepSettled(query, job, settledOutcomes);
  if (rejects.length > 0) await keepRejects(query, job, rejects);
  if (conflicts.length > 0) await keepConflicts(query, job, conflicts);
  if (claims.length > 0) await query(keepClaims, rowsOfJob(job, claimColumns, claims));
  return row.state === stateNumbers.cancelled ? 'stopped' : 'stored';
}
