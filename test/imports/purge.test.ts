/** Personal data of ended jobs is removed: after its time, or on request. With the real engine. */
import { expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { purgeOld } from '../../src/store/imports/purge.ts';
import { undoJob } from '../../src/store/imports/undo/undo.ts';
import { person, type TestImports, testSeals } from '../helpers/imports.ts';
import type { TestStore } from '../helpers/store.ts';
import { useImports } from '../helpers/use-imports.ts';

let store: TestStore;
let imports: TestImports;
let tenant: Tenant;

useImports({
  all: (used) => {
    ({ store, imports } = used);
  },
  each: (own) => {
    tenant = own;
  },
});

/** A job that changed one user and rejected a record with an external id. */
async function endedJob() {
  await imports.run(tenant, [person(1)]);
  const wrong = JSON.stringify({ externalUserId: 'wrong', loginMethods: [{ recipeId: 'no' }] });
  return imports.run(tenant, [person(1, { userMetadata: { a: 1 } }), wrong]);
}

async function kept(jobId: string) {
  const [row] = await store.sql<{ images: number; rejects: number }>(
    `select (select count(*)::int from import_before_images where job_id = $1) as images,
       (select count(*)::int from import_rejects where job_id = $1) as rejects`,
    [jobId],
  );
  return row;
}

it('leaves the counts, says so, and refuses an undo', async () => {
  const job = await endedJob();
  expect(await kept(job.id)).toEqual({ images: 1, rejects: 1 });
  expect(await imports.purge(tenant, job.id)).toMatchObject({ updated: 1, rejected: 1, state: 'done' });
  expect(await kept(job.id)).toEqual({ images: 0, rejects: 0 });
  expect((await imports.find(tenant, job.id))?.purgedAt).toBeGreaterThan(0);
  await expect(imports.undo(tenant, job.id, true)).rejects.toMatchObject({ code: 'JOB_PURGED', http: 410 });
});

it('stops an undo that has begun, rather than let it miss what was replaced', async () => {
  const job = await endedJob();
  await store.sql('update import_jobs set purged_at = 1 where job_id = $1', [job.id]);
  await expect(undoJob(store.database, job, { force: true, seals: testSeals })).rejects.toMatchObject({
    code: 'JOB_PURGED',
  });
  expect(await kept(job.id)).toEqual({ images: 1, rejects: 1 });
});

it('is refused for a job that receives', async () => {
  const asked = {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    uploadLength: 5,
  } as const;
  const { id } = await imports.create(tenant, asked);
  await expect(imports.purge(tenant, id)).rejects.toMatchObject({ code: 'JOB_STILL_RECEIVING', http: 409 });
  expect(await imports.purge(tenant, 'no job')).toBeUndefined();
});

it('comes by itself to what ended before, and to failed entries', async () => {
  const job = await endedJob();
  const ended = job.finishedAt ?? 0;
  const entry = `insert into import_queue (app_no, entry_id, status, record, created_at, updated_at, traces)
    values ($1, '01890000-0000-7000-8000-000000000000', $2, '{}', 1, $3, '{}')`;
  await store.sql(entry, [tenant.appNo, 3, ended]);
  await purgeOld(store.database, undefined, ended);
  await purgeOld(store.database, ended - 1, ended);
  expect(await kept(job.id)).toEqual({ images: 1, rejects: 1 });
  await purgeOld(store.database, ended, ended);
  expect(await kept(job.id)).toEqual({ images: 0, rejects: 0 });
  expect(await store.sql('select 1 from import_queue where app_no = $1', [tenant.appNo])).toEqual([]);
});

it('is finished when it broke off', async () => {
  const job = await endedJob();
  await store.sql('update import_jobs set purged_at = 1 where job_id = $1', [job.id]);
  expect(await purgeOld(store.database, undefined, 2)).toBe(1);
  expect(await kept(job.id)).toEqual({ images: 0, rejects: 0 });
});
