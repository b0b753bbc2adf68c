/** Imports whose connections are lost while they copy finished rows. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { NewJob } from '../../../src/imports/model.ts';
import type { Tenant } from '../../../src/domain/model.ts';
import { faultsOf } from '../../helpers/bulk-tables.ts';
import { holdAt, type Holder } from '../../helpers/held-imports.ts';
import { openTestImports, person, type TestImports, textOf } from '../../helpers/imports.ts';
import { createMigratedDatabase, type TestDatabase } from '../../helpers/postgres.ts';
import { openStoreOn, type TestStore } from '../../helpers/store.ts';

const file = Buffer.from(textOf(Array.from({ length: 400 }, (_, n) => person(n))));

let database: TestDatabase;
let store: TestStore;
let imports: TestImports;
let tenant: Tenant;
let holder: Holder;

beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStoreOn(database.connection);
});
beforeEach(async () => {
  tenant = await store.newApp();
  imports = openTestImports(database.connection, { chunkBytes: 20_000, lanes: 2 });
  holder = await holdAt(database.connection, 'users');
});
afterEach(async () => {
  await holder.release();
  await imports.dispose();
});
afterAll(async () => {
  await store.dispose();
  await database.drop();
});

it.each([1, 2])('of %i of them: nothing of these chunks is written, and the job goes on', async (held) => {
  const asked: NewJob = {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    uploadLength: file.length,
  };
  const { id } = await imports.create(tenant, asked);
  const upload = await imports.openUpload(tenant, id, { offset: 0 });
  upload.write(file);
  const failed = expect(upload.end()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  const pids = await holder.held(held);
  const queries = await store.sql<{ query: string }>(
    `select query from pg_stat_activity where pid = any($1::int[]) and query like '%copy users%'`,
    [`{${pids.join(',')}}`],
  );
  expect(queries.length).toBe(pids.length);
  for (const pid of pids) await store.sql('select pg_terminate_backend($1)', [pid]);
  await holder.release();
  await failed;

  const before = await imports.find(tenant, id);
  expect(before).toMatchObject({ state: 'receiving' });
  const again = await imports.openUpload(tenant, id, { offset: before?.bytes ?? -1 });
  again.write(file.subarray(before?.bytes));
  expect(await again.end()).toMatchObject({ state: 'done', created: 400, rejected: 0, unchanged: 0 });
  const [row] = await store.sql('select count(*)::int as n from users where app_no = $1', [tenant.appNo]);
  expect(row).toEqual({ n: 400 });
  expect(await faultsOf(database.connection)).toEqual([]);
});
