import { afterAll, beforeAll, expect, it } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { migrateUpTo } from '../helpers/former-version.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';

let made: TestDatabase;
let database: Database;
const [ofPublic, ofOther, gone] = [uuidv7(), uuidv7(), uuidv7()];

/** What jobs of two apps kept while their rows did not say whose they are, and a row whose job is gone. */
beforeAll(async () => {
  made = await createDatabase();
  database = openDatabase({ target: made.connection, poolSize: 1 });
  await migrateUpTo(database, 17);
  const { write } = database;
  await write(
    `insert into import_jobs (app_no, job_id, name, dry_run, on_conflict, started_at)
     values (0, $1, '', false, 1, 1), (7, $2, '', false, 1, 1)`,
    [ofPublic, ofOther],
  );
  for (const jobId of [ofPublic, ofOther, gone]) {
    await write(
      `insert into import_rejects (job_id, line, code, field, message) values ($1, 1, '', '', '')`,
      [jobId],
    );
    await write('insert into import_claims (job_id, kind, key, tenant_no, line) values ($1, 1, $1, 0, 1)', [
      jobId,
    ]);
    await write(
      `insert into import_conflicts values ($1, 1, 0, null, $1, '', 'password', '', '', '', 'kept')`,
      [jobId],
    );
  }
  await migrate(database);
});
afterAll(async () => {
  await database.close(1000);
  await made.drop();
});

it.each(['import_rejects', 'import_conflicts', 'import_claims'])(
  '%s have their app, also those from before',
  async (table) => {
    expect(await database.read(`select app_no, job_id from ${table} order by app_no`)).toEqual([
      { app_no: 0, job_id: ofPublic },
      { app_no: 7, job_id: ofOther },
    ]);
  },
);

it('every key begins with the app', async () => {
  const keys = await database.read<{ table: string; first: string }>(
    `select c.relname as table, a.attname as first
     from pg_index i
     join pg_class c on c.oid = i.indrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relnamespace = 'carryover'::regnamespace and i.indisunique`,
  );
  // The names of apps are all apps' own, and what was done to an app outlives it.
  const others = keys.filter(({ table, first }) => first !== 'app_no' && table !== 'migrations');
  expect(others.toSorted((a, b) => a.table.localeCompare(b.table))).toEqual([
    { table: 'apps', first: 'app_id' },
    { table: 'audit', first: 'id' },
  ]);
  expect(keys.length).toBeGreaterThan(12);
});
