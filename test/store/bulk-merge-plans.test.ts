/**
 * Plans of the statements that write chunks. Their connections plan each statement once, perhaps on empty tables: see
 * plans.test.ts. Whatever the statistics, no such statement may read all of an app, or of a job.
 */
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide } from '../../src/imports/decide/decide.ts';
import { mapColumns } from '../../src/domain/columns.ts';
import { jobCounters } from '../../src/domain/jobs/job-fields.ts';
import type { Job } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { parseChunk } from '../../src/imports/parse/parse-chunk.ts';
import type { ChunkStore, ChunkTransaction } from '../../src/imports/ports.ts';
import type { SingleRecord } from '../../src/imports/parse/types.ts';
import { soughtKeys } from '../../src/imports/parse/sought-keys.ts';
import { chunkStore } from '../../src/store/imports/chunk.ts';
import { jobStore } from '../../src/store/imports/jobs/jobs.ts';
import type { Database, DatabaseOptions, Query } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { rules } from '../helpers/bulk-records.ts';
import { bcryptHash, person, textOf } from '../helpers/imports.ts';
import { columnsOf, type Expected, finished } from '../helpers/merging.ts';
import {
  explain,
  faultsOf,
  largeTables,
  planOf,
  prepare,
  squaresOf,
  type Statement,
} from '../helpers/plans.ts';
import { createDatabase } from '../helpers/postgres.ts';
import { olderPrograms, startOlderPostgres } from '../helpers/store.ts';

/** Records the statements, with the parameters of the first time. */
function recorder(database: Database) {
  const statements = new Map<string, Statement>();
  const recording =
    (query: Query): Query =>
    (text, parameters = []) => {
      const isPlanned = !text.includes('savepoint');
      const name = text.trim().slice(0, 80);
      if (isPlanned && !statements.has(text))
        statements.set(text, { name, planned: 'once', text, parameters });
      return query(text, parameters);
    };
  const recorded: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((query, savepoint) =>
        work(recording(query), (part) => savepoint((inner, ...copies) => part(recording(inner), ...copies))),
      ),
  };
  return { recorded, statements };
}

const people = (from: number, count: number, rest: Partial<NativeUser> = {}): NativeUser[] =>
  Array.from({ length: count }, (_, n) => person(from + n, rest));

async function place(chunks: ChunkStore, job: Job, users: readonly NativeUser[], expected: Expected) {
  const bytes = Buffer.from(textOf(users));
  const rows = columnsOf(parseChunk({ type: 'parse', bytes, rules }));
  const columns = { job, rows, linesBefore: 0, hasClaims: true };
  return chunks.transaction(async (chunk) => {
    const compared = expected === 'unchanged' ? await chunk.compare(columns) : undefined;
    return compared ?? chunk.place({ ...columns, hasNoRareKey: false });
  });
}

/** Finds them by the marks of their lines. */
async function recognise(chunks: ChunkStore, job: Job, users: readonly NativeUser[], seenInOneRow = false) {
  const bytes = Buffer.from(textOf(users));
  const { sketched: lines } = parseChunk({
    type: 'parse',
    bytes,
    rules: { ...rules, compare: job.compare === true },
    plan: { kind: 'compare', byMarks: true },
  });
  if (lines === undefined) throw new Error('the lines are of another form');
  const chunk = { job, linesBefore: 0, tenantNo: 0, lines, seenInOneRow };
  return chunks.transaction((transaction) => transaction.recognise(chunk));
}

/** Decides the records individually and writes the result. */
async function change(chunk: ChunkTransaction, job: Job, users: readonly NativeUser[]): Promise<void> {
  const records: SingleRecord[] = users.map((user, record) => ({
    record,
    line: record + 1,
    text: JSON.stringify(user),
  }));
  const holders = await chunk.find({ job }, soughtKeys({ type: 'keys', records, rules }));
  const decided = decide({ type: 'decide', records, rules, holders });
  expect(await chunk.change({ job }, decided.changes)).toBe(true);
}

/** Every statement of a chunk, on a database with few users. */
async function askEverything(database: Database, recorded: Database): Promise<void> {
  const options = {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    series: 'follow-1',
    uploadLength: undefined,
  } as const;
  const chunks = chunkStore(recorded);
  const createJob = () => jobStore(database).create(0, uuidv7(), options, 0);
  const first = await createJob();
  const detailed = people(0, 200, { userMetadata: { a: 1 } });
  await database.write(`insert into verified_emails values (0, 'nobody', 'nobody@example.com')`);
  // Some external ids look like core ids, and some emails may have been verified before.
  const doubtful = people(1000, 200).map((_, n) => ({
    externalUserId: n < 100 ? uuidv7() : `doubtful-${n}`,
    loginMethods: [{ recipeId: 'passwordless' as const, email: `doubtful-${n}@example.com` }],
  }));
  const rows = finished([...detailed, ...doubtful], first);
  expect(await chunks.transaction((chunk) => chunk.create({ job: first, rows }))).toBe(true);
  for (const seenInOneRow of [true, false]) {
    const again = await createJob();
    expect(await recognise(chunks, again, detailed, seenInOneRow)).toMatchObject({ count: 200 });
    await jobStore(recorded).splitSeenRows(again);
    const met = await database.read('select from import_claims c where c.job_id = $1', [again.id]);
    expect(met).toHaveLength(200);
  }
  const comparison = async () => ({ ...(await createJob()), compare: true });
  expect(await recognise(chunks, await comparison(), detailed)).toMatchObject({ count: 200 });
  expect(await place(chunks, await comparison(), detailed, 'unchanged')).toMatchObject({ unchanged: 200 });
  const job = await createJob();
  // Data may be stored under users' external ids before.
  await database.write(`insert into text_metadata values (0, 'nobody', '{}')`);
  expect(await place(chunks, job, people(0, 200), 'unchanged')).toMatchObject({ unchanged: 200 });
  expect(await place(chunks, job, people(100, 200), 'mixed')).toMatchObject({ created: 100 });
  const changed = people(0, 200).map((_, n) => ({
    externalUserId: `legacy-${n}`,
    userRoles: [{ role: 'admin' }],
    loginMethods: [
      { recipeId: 'emailpassword' as const, email: `other-${n}@example.com`, passwordHash: bcryptHash(n) },
    ],
  }));
  await chunks.transaction(async (chunk) => {
    await change(chunk, job, [...changed, { loginMethods: [{ recipeId: 'passwordless', email: 'x@y.zz' }] }]);
    const reject = { line: 1, code: 'INVALID_JSON', field: '', message: '' } as const;
    const claim = { kind: 1, key: '0'.repeat(32), tenantNo: 0, line: 1 };
    const progress = {
      job,
      from: 0,
      to: 10,
      physicalLines: 2,
      added: {
        ...mapColumns(jobCounters, () => 0),
        created: 1,
        rejected: 1,
        unusable: 1,
        conflicts: 1,
        rebased: 1,
        postponed: 1,
        byKind: { bcrypt: 1 },
        byFactor: {},
        byState: {},
      },
      since: 1,
      now: 1,
    };
    const conflict = {
      line: 1,
      userId: 'x',
      methodId: uuidv7(),
      field: '',
      here: '',
      source: '',
      ...({ group: 'password', done: 'kept' } as const),
    };
    const lists = {
      rejects: [reject],
      conflicts: [conflict],
      claims: [claim],
      postponed: [{ line: 2, text: '{}' }],
      settled: 0,
    };
    expect(await chunk.progress({ ...progress, ...lists })).toBe('stored');
    await chunk.forget({ ...job, id: uuidv7() });
    await chunk.rareKeysSince(job, '0');
  });
  const primaries = await database.write<{ id: string }>(
    'update users set primary_user_id = user_id where app_no = 0 returning user_id as id',
  );
  const heads = primaries.map(({ id }) => id.replaceAll('-', ''));
  await chunks.transaction((chunk) => askOfPrimaries(chunk, job, heads));
}

async function askOfPrimaries(chunk: ChunkTransaction, job: Job, heads: readonly string[]): Promise<void> {
  await chunk.holdPrimaries(job);
  await chunk.sharedInfos({ ...job, dryRun: true }, heads);
  const infos = await chunk.infosOf(job, heads);
  expect(new Set(infos.map(({ head }) => head)).size).toBe(heads.length);
}

/** Users of this app, and rows of this job and others about users, unknown to the server's statistics. */
async function grow(database: Database): Promise<void> {
  const series = 'generate_series(1, 6000) n';
  await database.write(
    `insert into users (app_no, recipe, email_verified, user_id, time_joined, email, external_id)
     select 0, 1, false, gen_random_uuid(), n, 'user' || n, 'grown-' || n from ${series}`,
  );
  const ofUsers = {
    identities: 'app_no, 0, 1, identity_key(1::smallint, email, null, null, null), user_id',
    tokens: 'app_no, 1, sha256(email::bytea), 0, user_id::text, email, 1',
    verified_emails: 'app_no, external_id, email',
    external_id_info: `app_no, user_id, 'info'`,
    user_details: `app_no, user_id, '{}', null, null`,
    sign_ins: 'app_no, user_id, 0',
    former_identities: 'app_no, 0, 1, gen_random_uuid(), user_id',
  };
  for (const [table, columns] of Object.entries(ofUsers))
    await database.write(`insert into ${table} select ${columns} from users`);
  await database.write(
    `insert into tombstones select 0, gen_random_uuid(), gen_random_uuid(), null, n from ${series}`,
  );
  await database.write(
    `insert into import_series (app_no, series, newest_job, since, jobs) select 0, 's' || n, gen_random_uuid(), n, 1 from ${series}`,
  );
  await database.write(`insert into awaited_ids select 0, n from ${series}`);
  await database.write(
    `insert into import_claims (app_no, job_id, kind, key, tenant_no, line) select 0, j.job_id, 1 + n % 6, gen_random_uuid(), 0, n from import_jobs j, ${series}`,
  );
  await database.write(
    `insert into import_met select 0, j.job_id, n, 0, array[gen_random_uuid()], array[1] from import_jobs j, ${series}`,
  );
  await database.write(
    `insert into import_rejects (app_no, job_id, line, external_user_id, code, field, message) select 0, j.job_id, n, null, '', '', '' from import_jobs j, ${series}`,
  );
  await database.write(
    `insert into import_conflicts (app_no, job_id, line, place, external_user_id, user_id, seen_id, field_group, field, here, source, done) select 0, j.job_id, n, 0, null, gen_random_uuid(), '', '', '', '', '', '' from import_jobs j, ${series}`,
  );
  await database.write(
    `insert into import_before_images select j.job_id, 0, u.user_id, '{}', '{}' from import_jobs j, users u`,
  );
}

function plans(make: () => Promise<{ target: DatabaseOptions['target']; dispose(): Promise<void> }>) {
  let database: Database;
  let dispose = () => Promise.resolve();
  let statements: Statement[] = [];

  beforeAll(async () => {
    const made = await make();
    const open = () => openDatabase({ target: made.target, poolSize: 1, planned: 'once' });
    const asking = open();
    await migrate(asking);
    const recorder_ = recorder(asking);
    await askEverything(asking, recorder_.recorded);
    statements = [...recorder_.statements.values()];
    await asking.write(`truncate ${largeTables.join(', ')}`);
    for (const table of largeTables)
      await asking.write(`alter table ${table} set (autovacuum_enabled = off)`);
    await asking.close(1000);
    database = open();
    dispose = async () => {
      await database.close(1000);
      await made.dispose();
    };
  });
  afterAll(() => dispose());

  it('look up by index when an empty database, where they were prepared, has grown', async () => {
    expect(statements.length).toBeGreaterThan(18);
    await database.write('analyze'); // knows that the tables are empty: the worst basis for a cached plan
    await prepare(database, statements);
    await grow(database);
    const faults: Record<string, string[]> = {};
    for (const statistics of ['without', 'with']) {
      if (statistics === 'with') await database.write('analyze');
      for (const [n, { name, text }] of statements.entries()) {
        // All rows of a passing job are removed.
        if (
          /^delete from import_\w+ where app_no = \$1::int and job_id = \$2::uuid( returning [\w, ()]+)?$/.test(
            text.trim(),
          )
        )
          continue;
        // Ends at the first row.
        if (/^select exists \(select 1 from \w+ \w where \w\.app_no = \$1::int\) as found$/.test(text))
          continue;
        const plan = await planOf(database, statements, n);
        // A job's counts are one row.
        const isOfChunk = !text.includes('update import_jobs');
        const found = [...faultsOf(plan), ...(isOfChunk ? squaresOf(plan) : [])].filter(
          (fault) => !isFirstRowOf(text, 'text_metadata', fault),
        );
        if (found.length > 0) faults[`${statistics} statistics, ${name}`] = found;
      }
    }
    expect(faults).toEqual({});
  });

  it('would be seen to scan if they did', async () => {
    const scans = [
      'select * from users where app_no = 0',
      `select * from import_claims where app_no = 0 and job_id = '${uuidv7()}' and kind = 6`,
      'select * from import_before_images where app_no = 0',
    ];
    for (const text of scans) expect(faultsOf(await explain(database, text))).toHaveLength(1);
    const squares = [
      `with b as materialized (select n from unnest('{1,2}'::int[]) n)
       select n, (select c.n from b c where c.n = b.n limit 1) from b`,
      `with b as materialized (select n from unnest('{1,2}'::int[]) n) select * from b c join b d using (n)`,
    ];
    for (const text of squares) expect(squaresOf(await explain(database, text))).toHaveLength(1);
    const hashed = `with b as materialized (select n from unnest('{1,2}'::int[]) n)
      select * from b where (n in (select n from b)) is true`;
    expect(squaresOf(await explain(database, hashed))).toEqual([]);
  });
}

/** Whether the fault is in a statement that ends at the first row of the app. */
function isFirstRowOf(text: string, table: string, fault: string): boolean {
  return (
    new RegExp(`exists \\(select 1 from ${table} \\w where \\w\\.app_no = \\$1::int\\)`).test(text) &&
    fault.startsWith(`Index Only Scan by ${table}_pkey `)
  );
}

describe('plans of merging', () => {
  plans(async () => {
    const fresh = await createDatabase();
    return { target: fresh.connection, dispose: () => fresh.drop() };
  });
});

describe.runIf(olderPrograms !== undefined)('plans of merging in PostgreSQL 15', () => {
  plans(async () => {
    const { target, stop } = await startOlderPostgres(olderPrograms ?? '');
    return { target, dispose: stop };
  });
});
