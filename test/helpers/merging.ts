import assert from 'node:assert/strict';
/** The steps of a chunk, without threads. */
import { v7 as uuidv7 } from 'uuid';
import { hashBlock } from '../../src/imports/ledger/block.ts';
import { digestsOfLines } from '../../src/imports/ledger/digests.ts';
import { decide } from '../../src/imports/decide/decide.ts';
import type { Job, JobRef, NewJob } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { parseChunk } from '../../src/imports/parse/parse-chunk.ts';
import type { ChunkStore, ChunkTransaction, Placed } from '../../src/imports/ports.ts';
import type {
  Decided,
  FinishedRows,
  Holders,
  ParsedChunk,
  SimpleRows,
  SingleRecord,
} from '../../src/imports/parse/types.ts';
import { plainPasswords, soughtKeys } from '../../src/imports/parse/sought-keys.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { tallyHashes } from '../../src/hashes/tally.ts';
import type { RowsPool } from '../../src/threads/import-pool.ts';
import { chunkStore } from '../../src/store/imports/chunk.ts';
import { jobStore } from '../../src/store/imports/jobs/jobs.ts';
import { type Database, openDatabase, type Query } from '../../src/database/database.ts';
import type { JobRules, RowsResult, RowsTask } from '../../src/imports/tasks.ts';
import { readBody, readUsers } from '../../workers/bodies.ts';
import { rules } from './bulk-records.ts';
import { textOf } from './imports.ts';
import { createMigratedDatabase } from './postgres.ts';
import { openStoreOn, type TestStore } from './store.ts';

/** The work of threads, done in the calling thread. */
export const inlineThreads: Pick<RowsPool, 'run' | 'close'> = {
  run: <Task extends RowsTask>(task: Task) => Promise.resolve(resultOf(task) as RowsResult<Task>),
  close: () => Promise.resolve(),
};

function resultOf(task: RowsTask): RowsResult<RowsTask> {
  switch (task.type) {
    case 'parse':
      return parseChunk(task);
    case 'keys':
      return soughtKeys(task);
    case 'passwords':
      return plainPasswords(task);
    case 'decide':
      return decide(task);
    case 'digests':
      return digestsOfLines(task);
    case 'block':
      return hashBlock(task);
    case 'body':
      return readBody(task);
    case 'users':
      return readUsers(task);
    case 'tally':
      return tallyHashes(task);
  }
}

export async function newJob(
  database: Database,
  { appNo }: Pick<Tenant, 'appNo'>,
  job: Partial<NewJob> = {},
): Promise<Job> {
  const asked: NewJob = {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    uploadLength: undefined,
    ...job,
  };
  return jobStore(database).create(appNo, uuidv7(), asked, 0);
}

/** @param tenants numbers by name, besides `public` */
export function parsed(users: readonly NativeUser[], tenants: Record<string, number> = {}): ParsedChunk {
  const bytes = Buffer.from(textOf(users));
  return parseChunk({ type: 'parse', bytes, rules: rulesWith(tenants) });
}

/** The rows of a chunk without finished ones. */
export function columnsOf(parsed: ParsedChunk): SimpleRows {
  if (parsed.form !== 'columns') throw new Error('the rows are not all columns');
  return parsed.rows;
}

/** The rows of records in the form for a chunk that is expected to be new. */
export function finished(
  users: readonly NativeUser[],
  job: JobRef,
  tenants: Record<string, number> = {},
): FinishedRows {
  const bytes = Buffer.from(textOf(users));
  const plan = { kind: 'create', job } as const;
  const parsed = parseChunk({ type: 'parse', bytes, rules: rulesWith(tenants), plan });
  if (parsed.form !== 'finished') throw new Error('the rows are not finished');
  return parsed.rows;
}

export function rulesWith(tenants: Record<string, number>, rest: Partial<JobRules> = {}): JobRules {
  return { ...rules, tenants: { public: 0, ...tenants }, ...rest };
}

/** Of the users of a chunk. */
export type Expected = 'new' | 'unchanged' | 'mixed';

export interface PlaceOptions {
  readonly tenants?: Record<string, number>;
  readonly hasClaims?: boolean;
  readonly expected?: Expected;
}

/** As the engine does: first as expected. */
export async function place(
  chunk: ChunkTransaction,
  job: Job,
  users: readonly NativeUser[],
  { tenants, hasClaims = false, expected = 'mixed' }: PlaceOptions = {},
): Promise<Omit<Placed, 'users'>> {
  if (expected === 'new' && !hasClaims) {
    const rows = finished(users, job, tenants);
    if (await chunk.create({ job, rows })) return { created: rows.count, unchanged: 0, left: [] };
  }
  const rows = columnsOf(parsed(users, tenants));
  const columns = { job, rows, linesBefore: 0, hasClaims };
  const compared = expected === 'unchanged' ? await chunk.compare(columns) : undefined;
  const { users: ids, ...placed } = compared ?? (await chunk.place({ ...columns, hasNoRareKey: false }));
  assert.equal(ids.length, 16 * placed.unchanged, 'each unchanged user has an id');
  return placed;
}

export interface Looked {
  readonly holders: Holders;
  readonly decided: Decided;
}

/** Locks and reads the users who have a key of the records, and decides about them. */
export async function look(
  chunk: ChunkTransaction,
  job: Job,
  users: readonly NativeUser[],
  of: JobRules = rules,
): Promise<Looked> {
  const records = users.map((user, record): SingleRecord => ({
    record,
    line: record + 1,
    text: JSON.stringify(user),
  }));
  const holders = await chunk.find({ job }, soughtKeys({ type: 'keys', records, rules: of }));
  return { holders, decided: decide({ type: 'decide', records, rules: of, holders }) };
}

/** Everything stored for an app's users that does not differ from run to run, without their ids. */
export async function tablesOf(sql: Query, { appNo }: Pick<Tenant, 'appNo'>): Promise<object> {
  const names = `
    with named as (
      select u.*, concat_ws(' ', u.recipe, u.email, u.third_party_id, u.third_party_user_id, u.phone) as name
      from users u where u.app_no = $1
    )`;
  const users = await sql(
    `${names}
     select n.name, n.email_verified, n.time_joined, n.password_hash, n.external_id, h.name as head,
       n.import_job is not null as imported, t.metadata, roles_of($1, n.user_id::text) as roles,
       case when t.totp_devices -> 0 ? 'digest' then t.totp_devices -> 0 else t.totp_devices end as totp_devices,
       array(
         select case o.tenant_id when 'public' then 'public ' else 'other ' end || i.kind
         from identities i join tenants o using (app_no, tenant_no)
         where i.app_no = $1 and i.user_id = n.user_id order by 1
       ) as identities
     from named n left join named h on h.user_id = n.primary_user_id
     left join user_details t on t.app_no = $1 and t.user_id = n.user_id
     order by n.name, n.external_id, n.time_joined, identities`,
    [appNo],
  );
  const pairs = await sql(
    `${names}
     select coalesce(n.name, v.user_id) as name, v.email
     from verified_emails v left join named n on n.user_id::text = v.user_id
     where v.app_no = $1 order by 1, 2`,
    [appNo],
  );
  const counts = await sql(
    `select (select count(*) from identities where app_no = $1)::int as identities,
       (select count(*) from user_details where app_no = $1)::int as details,
       (select count(*) from import_before_images where app_no = $1)::int as images`,
    [appNo],
  );
  return { users, pairs, counts };
}

export interface TestChunks {
  readonly store: TestStore;
  readonly chunks: ChunkStore;
  dispose(): Promise<void>;
}

/** Chunks over a new database, two at once. Call `dispose()` in `afterAll`. */
export async function openTestChunks(): Promise<TestChunks> {
  const database = await createMigratedDatabase();
  const store = await openStoreOn(database.connection);
  const lanes = openDatabase({ target: database.connection, poolSize: 2, planned: 'once' });
  return {
    store,
    chunks: chunkStore(lanes),
    dispose: async () => {
      await lanes.close(1000);
      await store.dispose();
      await database.drop();
    },
  };
}

/** Resolves once a connection to this database waits for another one's lock. */
export async function someoneWaits(sql: Query): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await sql(waiting)).length === 0);
}
