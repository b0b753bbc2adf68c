import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewJob } from '../../src/imports/model.ts';
import type { JobStore } from '../../src/imports/ports.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { removeSpentClaims } from '../../src/store/imports/claims.ts';
import { jobStore } from '../../src/store/imports/jobs/jobs.ts';
import { openTestStore, type TestStore } from '../helpers/store.ts';

const now = Date.UTC(2026, 5, 1);
const plain: NewJob = {
  name: 'users.ndjson',
  onConflict: 'update',
  dryRun: false,
  secondFactor: 'flag',
  sameIds: false,
  restoreRemoved: false,
  uploadLength: 1000,
};

let store: TestStore;
let jobs: JobStore;
let tenant: Tenant;
beforeAll(async () => {
  store = await openTestStore();
  jobs = jobStore(store.database);
});
beforeEach(async () => {
  tenant = await store.newApp();
});
afterAll(() => store.dispose());

let clock = now;

async function newJob(job: Partial<NewJob> = {}) {
  const startedAt = clock++;
  return jobs.create(tenant.appNo, uuidv7({ msecs: startedAt }), { ...plain, ...job }, startedAt);
}

const claim = (jobId: string, count: number) =>
  store.sql(
    `insert into import_claims (app_no, job_id, kind, key, tenant_no, line)
     select (select app_no from import_jobs where job_id = $1), $1, 1, gen_random_uuid(), 0, n from generate_series(1, $2::int) n`,
    [jobId, count],
  );
const claimsOf = async (jobId: string) =>
  (
    await store.sql<{ n: number }>('select count(*)::int as n from import_claims where job_id = $1', [jobId])
  )[0]?.n;

describe('a job', () => {
  it('is found as it was made, in its app only', async () => {
    const id = uuidv7({ msecs: now });
    const made = await jobs.create(tenant.appNo, id, plain, now);
    const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };
    const offset = {
      bytes: 0,
      physicalLines: 0,
      byKind: {},
      byFactor: {},
      byState: {},
      oddDates: 0,
      statedRejects: 0,
      undone: 0,
      conflicts: 0,
      postponed: 0,
      source: '',
      compare: false,
      whole: false,
      absentYes: false,
      receipt: false,
      finishedAt: undefined,
      lastCommitAt: undefined,
      pausedMs: 0,
    };
    const beginning = { ...counts, ...offset, state: 'receiving', startedAt: now };
    expect(made).toEqual({ ...plain, ...beginning, id, appNo: tenant.appNo });
    expect(await jobs.find(tenant.appNo, id)).toEqual(made);
    expect(await jobs.find((await store.newApp()).appNo, id)).toBeUndefined();
    for (const unknown of [randomUUID(), 'no id', '']) {
      expect(await jobs.find(tenant.appNo, unknown)).toBeUndefined();
    }
  });

  it.each([
    { onConflict: 'skip' },
    { onConflict: 'reject', dryRun: true },
    { uploadLength: undefined },
    { series: 'follow-1', whole: true },
  ] as const)('keeps what it was asked for: %o', async (job) => {
    const { id } = await newJob(job);
    expect(await jobs.find(tenant.appNo, id)).toMatchObject({ ...plain, ...job });
  });

  it('shows what was committed, large numbers too', async () => {
    const { id } = await newJob();
    await store.sql(
      `update import_jobs set bytes = 9007199254740991, physical_lines = 7, created = 1, updated = 2, unchanged = 3,
         skipped = 4, rejected = 5, by_kind = '{"bcrypt": 2}', last_commit_at = 9
       where job_id = $1`,
      [id],
    );
    expect(await jobs.find(tenant.appNo, id)).toMatchObject({
      bytes: Number.MAX_SAFE_INTEGER,
      physicalLines: 7,
      byKind: { bcrypt: 2 },
      lastCommitAt: 9,
      created: 1,
      updated: 2,
      unchanged: 3,
      skipped: 4,
      rejected: 5,
    });
  });

  it('learns its length once, and only while it receives', async () => {
    const { id } = await newJob({ uploadLength: undefined });
    const ref = { appNo: tenant.appNo, id };
    expect(await jobs.setUploadLength(ref, 5)).toMatchObject({ uploadLength: 5 });
    expect(await jobs.setUploadLength(ref, 6)).toMatchObject({ uploadLength: 5 });
    expect(await jobs.setUploadLength({ ...ref, id: randomUUID() }, 6)).toBeUndefined();
    const ended = await newJob({ uploadLength: undefined });
    await jobs.finish(ended, 'cancelled', now);
    expect(await jobs.setUploadLength(ended, 5)).toMatchObject({ uploadLength: undefined });
  });
});

describe('jobs', () => {
  it('are listed newest first, page by page', async () => {
    const ids = [await newJob(), await newJob(), await newJob()].map(({ id }) => id).reverse();
    const page = async (limit: number, before?: string) =>
      (await jobs.list(tenant.appNo, { limit, before })).map(({ id }) => id);
    expect(await page(10)).toEqual(ids);
    expect(await page(2)).toEqual(ids.slice(0, 2));
    expect(await page(2, ids[1])).toEqual(ids.slice(2));
    expect(await page(2, ids[2])).toEqual([]);
    expect(await page(2, 'no id')).toEqual([]);
  });

  it('of a series are one entry, of the newest, also when several cores begin them at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => newJob({ series: 'follow-1' })));
    const ids = made.map(({ id }) => id).sort();
    const alone = await newJob();
    const [first, second, ...rest] = await jobs.list(tenant.appNo, { limit: 10, before: undefined });
    expect([first?.id, second?.id, rest]).toEqual([alone.id, ids.at(-1), []]);
    expect(first?.seriesCounts).toBeUndefined();
    const since = Math.min(...made.map(({ startedAt }) => startedAt));
    expect(second?.seriesCounts).toMatchObject({ jobs: 20, since, lastWhole: undefined });
    const each = await jobs.listSeries(tenant.appNo, 'follow-1', { limit: 100, before: undefined });
    expect(each.map(({ id }) => id)).toEqual(ids.toReversed());
  });
});

describe('the end of a job', () => {
  it('is noted once, and takes the claims along', async () => {
    const [job, other] = [await newJob(), await newJob()];
    await claim(job.id, 12_345);
    await claim(other.id, 1);
    const done = await jobs.finish(job, 'done', now + 5);
    await jobs.forgetClaims(job);
    expect(done).toMatchObject({ state: 'done', finishedAt: now + 5 });
    expect([await claimsOf(job.id), await claimsOf(other.id)]).toEqual([0, 1]);
    expect(await jobs.finish(job, 'cancelled', now + 6)).toEqual(done);
    expect(await jobs.finish({ ...job, id: randomUUID() }, 'done', now)).toBeUndefined();
  });

  it('has one winner among many at the same instant, and all get the same answer', async () => {
    const job = await newJob();
    const ends = Array.from({ length: 20 }, (_, i) =>
      jobs.finish(job, i % 2 === 0 ? 'done' : 'cancelled', now + i),
    );
    const states = new Set((await Promise.all(ends)).map((each) => `${each?.state} ${each?.finishedAt}`));
    expect(states.size).toBe(1);
  });

  it('waits for a chunk that is being committed, and has its counts and its claims', async () => {
    const job = await newJob();
    const [updated, committed] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const chunk = store.database.transaction(async (query) => {
      await query(
        `insert into import_claims (app_no, job_id, kind, key, tenant_no, line) values ($1, $2, 1, $2, 0, 1)`,
        [job.appNo, job.id],
      );
      await query('update import_jobs set bytes = 10, created = 1 where job_id = $1 and state = 1', [job.id]);
      updated.resolve(null);
      await committed.promise;
    });
    await updated.promise;
    const finished = jobs.finish(job, 'cancelled', now);
    await waitForALock();
    committed.resolve(null);
    await chunk;
    expect(await finished).toMatchObject({ state: 'cancelled', bytes: 10, created: 1 });
    await jobs.forgetClaims(job);
    expect(await claimsOf(job.id)).toBe(0);
  });

  it('leaves nothing for good when the core dies before the claims are gone', async () => {
    const [dead, receiving] = [await newJob(), await newJob()];
    await claim(dead.id, 3);
    await claim(receiving.id, 3);
    await store.sql('update import_jobs set state = 2 where job_id = $1', [dead.id]);
    expect(await removeSpentClaims(store.database)).toBe(1);
    expect(await removeSpentClaims(store.database)).toBe(0);
    expect([await claimsOf(dead.id), await claimsOf(receiving.id)]).toEqual([0, 3]);
  });
});

/** Until a statement of this database waits for a lock. */
async function waitForALock(): Promise<void> {
  const waiting = `
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await store.sql(waiting)).length === 0);
}

describe('rejects', () => {
  it('are read in the order of their lines, page by page, by their app only', async () => {
    const job = await newJob();
    await store.sql(
      `insert into import_rejects (app_no, job_id, line, external_user_id, code, field, message)
       select $1, $2, n, case when n = 2 then 'ext' end, 'INVALID_FIELD', 'loginMethods.0.email', 'wrong'
       from unnest(array[3, 1, 2]) n`,
      [job.appNo, job.id],
    );
    const reject = (line: number) => ({
      line,
      code: 'INVALID_FIELD',
      field: 'loginMethods.0.email',
      message: 'wrong',
    });
    expect(await jobs.rejects(job, 0, 2)).toEqual([reject(1), { ...reject(2), externalUserId: 'ext' }]);
    expect(await jobs.rejects(job, 2, 2)).toEqual([reject(3)]);
    expect(await jobs.rejects({ ...job, appNo: (await store.newApp()).appNo }, 0, 2)).toEqual([]);
  });
});
