/**
 * Plans of the statements of jobs, their undo and the queue, on tables that have grown: see plans.test.ts. Each statement must
 * look up by index, and along the column that leads to few rows.
 */
import { testSeals } from '../helpers/imports.ts';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { QueueStore } from '../../src/imports/queue/ports.ts';
import type { Job, NewJob } from '../../src/imports/model.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { jobStore } from '../../src/store/imports/jobs/jobs.ts';
import { queueStore } from '../../src/store/imports/queue/queue.ts';
import { foreseeUndo, undoJob } from '../../src/store/imports/undo/undo.ts';
import { removeUser } from '../../src/store/removal/remove-user.ts';
import type { Database, Parameter, Query } from '../../src/database/database.ts';
import { openTestStore, passwordUser, type TestStore } from '../helpers/store.ts';

const rows = 20_000;
const large = [
  'users',
  'identities',
  'tokens',
  'verified_emails',
  'external_id_info',
  'user_details',
  'sign_ins',
  'former_identities',
  'import_conflicts',
  'import_jobs',
  'import_rejects',
  'import_claims',
  'import_before_images',
  'import_queue',
];
/** One of these has to be in the condition on an index of the table. */
const narrowing: Readonly<Record<string, readonly string[]>> = {
  users: ['user_id', 'external_id', 'primary_user_id'],
  identities: ['key'],
  tokens: ['user_id', 'token_hash'],
  verified_emails: ['user_id'],
  external_id_info: ['user_id'],
  user_details: ['user_id'],
  sign_ins: ['user_id'],
  import_jobs: ['job_id', 'app_no'], // an app has few
  former_identities: ['key', 'user_id'],
  import_conflicts: ['line', 'user_id'],
  import_rejects: ['line'],
  import_claims: ['job_id'],
  import_before_images: ['user_id'],
  import_queue: ['entry_id'],
};

let store: TestStore;
let tenant: Tenant;
beforeAll(async () => {
  store = await openTestStore();
  tenant = await store.newApp();
});
afterAll(() => store.dispose());

/** The statements, with the parameters of the last time. */
const texts = new Map<string, readonly Parameter[]>();

/** Records the statements, with the parameters of the last time. */
function recorded(database: Database): Database {
  const record =
    (query: Query): Query =>
    (text, parameters = []) => {
      texts.set(text, parameters);
      return query(text, parameters);
    };
  const transaction: Database['transaction'] = (work) =>
    database.transaction((query, savepoint) => work(record(query), savepoint));
  return { ...database, read: record(database.read), write: record(database.write), transaction };
}

async function askEverything(database: Database): Promise<void> {
  const job = await useJobs(database);
  const [created, changed] = [passwordUser(tenant, 'a@b.test'), passwordUser(tenant, 'b@b.test')];
  for (const user of [created, changed]) await store.users.putPasswordUser(user);
  await store.sql('update users set import_job = $2 where user_id = $1', [created.userId, job.id]);
  await store.sql(
    `insert into import_before_images (job_id, app_no, user_id, before, after)
     select $1, $2, $3, jsonb_set(image_of($2, $3), '{user,email_verified}', 'true'), image_of($2, $3)`,
    [job.id, tenant.appNo, changed.userId],
  );
  expect(await undoJob(database, job, { force: false, seals: testSeals })).toEqual({
    removed: 1,
    restored: 1,
    left: [],
  });
  await useQueue(queueStore(database));
}

const asked = {
  name: '',
  onConflict: 'update',
  dryRun: false,
  secondFactor: 'flag',
  uploadLength: undefined,
} as const;

async function useJobs(database: Database): Promise<Job> {
  const jobs = jobStore(database);
  const job = await jobs.create(tenant.appNo, uuidv7(), asked, 0);
  await jobs.create(tenant.appNo, uuidv7(), { ...asked, series: 'follow-1', whole: true }, 0);
  await jobs.list(tenant.appNo, { limit: 10, before: undefined });
  await jobs.listSeries(tenant.appNo, 'follow-1', { limit: 10, before: undefined });
  await jobs.rejects(job, 0, 10);
  await jobs.conflicts(job, { line: 0, place: 0 }, 10);
  await jobs.setUploadLength(job, 5);
  return (await jobs.finish(job, 'done', 0)) ?? job;
}

/** Rows that the plan reads when it runs, those that it then discards included. */
interface Ran {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Ran[];
}

function rowsRead(plan: Ran): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own);
}

async function useQueue(queue: QueueStore): Promise<void> {
  const { appNo } = tenant;
  const page = { appNo, limit: 10, before: undefined };
  const lease = { id: uuidv7(), now: 0, until: 1 };
  await queue.add(appNo, [{ id: uuidv7(), record: '{}', traces: [] }], { now: 0, maxEntries: 1000 });
  await queue.list({ ...page, status: undefined });
  await queue.list({ ...page, status: 'FAILED' });
  const entries = await queue.claim(lease, { entries: 10, bytes: 1000 });
  await queue.renew(lease, entries);
  await queue.settle(lease, [{ appNo, id: uuidv7(), outcome: 'released' }]);
  await queue.remove(appNo, [uuidv7()]);
}

/** Rows in every table, in the given app and job, unknown to the server's statistics. */
async function grow(): Promise<void> {
  const { appNo } = tenant;
  const series = `generate_series(1, ${rows}) n`;
  await store.sql(
    `insert into users (app_no, recipe, email_verified, user_id, time_joined, email)
     select $1, 1, false, gen_random_uuid(), n, 'user' || n from ${series}`,
    [appNo],
  );
  const ofUsers = {
    identities: `app_no, 0, 1, identity_key(1::smallint, email, null, null, null), user_id`,
    tokens: `app_no, 1, sha256(email::bytea), 0, user_id::text, email, 1`,
    verified_emails: 'app_no, user_id::text, email',
    external_id_info: `app_no, user_id, 'info'`,
    user_details: `app_no, user_id, '{}', null, null`,
    sign_ins: 'app_no, user_id, 0',
    former_identities: 'app_no, 0, 1, gen_random_uuid(), user_id',
    import_before_images: `(select job_id from import_jobs limit 1), app_no, user_id, '{}', '{}'`,
  };
  for (const [table, columns] of Object.entries(ofUsers)) {
    await store.sql(`insert into ${table} select ${columns} from users where email like 'user%'`);
  }
  await store.sql(
    `insert into import_rejects (app_no, job_id, line, external_user_id, code, field, message) select (select app_no from import_jobs limit 1), (select job_id from import_jobs limit 1), n, null, '', '', '' from ${series}`,
  );
  await store.sql(
    `insert into import_conflicts (app_no, job_id, line, place, external_user_id, user_id, seen_id, field_group, field, here, source, done) select (select app_no from import_jobs limit 1), (select job_id from import_jobs limit 1), n, 0, null, gen_random_uuid(), '', '', '', '', '', '' from ${series}`,
  );
  await store.sql(
    `insert into import_claims (app_no, job_id, kind, key, tenant_no, line)
     select (select app_no from import_jobs limit 1), (select job_id from import_jobs limit 1), 1, gen_random_uuid(), 0, n from ${series}`,
  );
  await store.sql(
    `insert into import_queue (app_no, entry_id, status, record, traces, created_at, updated_at)
     select $1, gen_random_uuid(), 1 + n % 3, '{}', '{}', 0, 0 from ${series}`,
    [appNo],
  );
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

async function planOf(text: string, parameters: readonly Parameter[]): Promise<Plan> {
  return store.database.transaction(async (query) => {
    await query(`prepare asked as ${text}`);
    const literals = parameters.map((value) =>
      typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
    );
    const values = literals.length > 0 ? `(${literals.join(', ')})` : '';
    const [row] = await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (format json) execute asked ${values}`,
    );
    await query('deallocate asked');
    if (!row) throw new Error('no plan');
    return row['QUERY PLAN'][0].Plan;
  });
}

function faultsOf(plan: Plan, wanted = narrowing): string[] {
  const relation = plan['Relation Name'] ?? '';
  const own = large.includes(relation) ? faultOf(plan, wanted[relation] ?? []) : undefined;
  return [
    ...(own === undefined ? [] : [own]),
    ...(plan.Plans ?? []).flatMap((each) => faultsOf(each, wanted)),
  ];
}

function faultOf(plan: Plan, columns: readonly string[]): string | undefined {
  if (plan['Node Type'] === 'ModifyTable') return undefined;
  if (plan['Node Type'] === 'Seq Scan') return `sequential scan of ${plan['Relation Name'] ?? ''}`;
  const index = plan['Index Name'];
  if (index === undefined || index === 'import_queue_in_order') return undefined; // the oldest of it, as far as needed
  const condition = plan['Index Cond'] ?? 'nothing';
  const isNarrow = columns.some((column) => new RegExp(`\\b${column} (=|<|>)`).test(condition));
  return isNarrow ? undefined : `${index} along ${condition}`;
}

it('what jobs, their undo and the queue ask is looked up by index', async () => {
  await store.sql('analyze');
  await askEverything(recorded(store.database));
  expect(texts.size).toBeGreaterThan(25);
  await store.sql(`alter table users set (autovacuum_enabled = off)`);
  await grow();
  const faults: Record<string, string[]> = {};
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') await store.sql('analyze');
    for (const [text, parameters] of texts) {
      // The length of the queue has to be counted, up to its bound.
      const counted = text.includes('count(*) as entries') ? ['app_no'] : [];
      const wanted = { ...narrowing, import_queue: [...counted, 'entry_id'] };
      const found = faultsOf(await planOf(text, parameters), wanted);
      if (found.length > 0) faults[`${statistics} statistics: ${text.trim().slice(0, 90)}`] = found;
    }
  }
  expect(faults).toEqual({});
});

it.each([
  ['a series', `'follow-1'`],
  ['none', 'null'],
])('a page of jobs reads a page, whether 100,000 are in %s', async (_where, series) => {
  const { appNo } = await store.newApp();
  const jobs = jobStore(store.database);
  const create = (rest: Partial<NewJob>) => jobs.create(appNo, uuidv7(), { ...asked, ...rest }, 0);
  await create({});
  await create({ series: 'follow-1', whole: true });
  await store.sql(
    `insert into import_jobs (app_no, job_id, name, dry_run, on_conflict, started_at, series, state)
     select $1, ('0190' || lpad(to_hex(n), 4, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '', false, 1, n, ${series}, 2
     from generate_series(1, 100000) n`,
    [appNo],
  );
  const seen = new Map<string, readonly Parameter[]>();
  const asking = jobStore({
    ...store.database,
    read: (text, parameters = []) => {
      seen.set(text, parameters);
      return store.database.read(text, parameters);
    },
  });
  for (const before of [undefined, 'f0000000-0000-7000-8000-000000000000']) {
    await asking.list(appNo, { limit: 10, before });
    await asking.listSeries(appNo, 'follow-1', { limit: 10, before });
  }
  const read: number[] = [];
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') await store.sql('analyze import_jobs');
    for (const [text, parameters] of seen) read.push(await rowsWhenRun(text, parameters));
  }
  expect(read.filter((rows) => rows > 200)).toEqual([]);
});

/** What the statement changes is rolled back. */
async function rowsWhenRun(text: string, parameters: readonly Parameter[]): Promise<number> {
  return store.database.transaction(async (query) => {
    await query('savepoint before');
    const [row] = await query<{ 'QUERY PLAN': [{ Plan: Ran }] }>(
      `explain (analyze, format json) ${text}`,
      parameters,
    );
    await query('rollback to savepoint before');
    if (!row) throw new Error('no plan');
    return rowsRead(row['QUERY PLAN'][0].Plan);
  });
}

it('an undo and a removal read a few rows, whether 20,000 jobs have changed other users since', async () => {
  const { appNo } = await store.newApp();
  const of = { ...tenant, appNo };
  const created = await jobStore(store.database).create(appNo, uuidv7(), asked, 0);
  const [undone, removed, next] = ['a', 'b', 'c'].map((name) => passwordUser(of, `${name}@b.test`));
  if (!undone || !removed || !next) throw new Error('no users');
  for (const user of [undone, removed, next]) await store.users.putPasswordUser(user);
  await store.sql('update users set import_job = $2 where user_id = $1', [undone.userId, created.id]);
  await store.sql(
    `with later as (
       insert into import_jobs (app_no, job_id, name, dry_run, on_conflict, started_at, last_commit_at, state, updated, rebased)
       select $1, ('ffff' || lpad(to_hex(n), 4, '0') || '-0000-7000-8000-000000000000')::uuid, '', false, 1, 1, 1e15, 2, 1, 1
       from generate_series(1, 20000) n
       returning job_id
     )
     insert into import_before_images (app_no, job_id, user_id, before, after)
     select $1, l.job_id, gen_random_uuid(), '{}', '{}' from later l`,
    [appNo],
  );
  texts.clear();
  const job = { ...created, state: 'done' } as const;
  const foreseen = await foreseeUndo(recorded(store.database), job, { force: false });
  expect(foreseen).toMatchObject({ removed: 1, restored: 0 });
  await removeUser(recorded(store.database), appNo, removed.userId, true);
  const read: Record<string, number> = {};
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') await store.sql('analyze import_jobs, import_before_images');
    for (const [text, parameters] of texts) {
      const ofNext = parameters.map((value) =>
        typeof value === 'string' ? value.replace(removed.userId, next.userId) : value,
      );
      const rows = await rowsWhenRun(text, ofNext);
      if (rows > 200) read[`${statistics} statistics: ${text.trim().slice(0, 90)}`] = rows;
    }
  }
  expect(read).toEqual({});
});

it('a scan would be seen', async () => {
  const faults = async (text: string) => faultsOf(await planOf(text, []));
  expect(await faults('select * from import_before_images where app_no = 0')).toHaveLength(1);
  expect(await faults('select * from users where app_no = 0')).toHaveLength(1);
  expect(await faults('select * from sign_ins where last_at = 0')).toHaveLength(1);
});
