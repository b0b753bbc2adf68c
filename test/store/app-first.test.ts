import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';

let made: TestDatabase;
let database: Database;

beforeAll(async () => {
  made = await createMigratedDatabase();
  database = openDatabase({ target: made.connection, poolSize: 1 });
});
afterAll(async () => {
  await database.close(1000);
  await made.drop();
});

it('every key begins with the app', async () => {
  const keys = await database.read<{ table: string; first: string }>(
    `select c.relname as table, a.attname as first
     from pg_index i
     join pg_class c on c.oid = i.indrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relnamespace = 'carryover'::regnamespace and i.indisunique`,
  );
  // The names of apps belong to all apps, and audit entries outlive an app. Unlogged tables hold rows for minutes, which need not
  // move with an app: wrong guesses begin at 0 elsewhere, and cores use a whole database.
  const others = keys.filter(({ table, first }) => first !== 'app_no' && table !== 'migrations');
  expect(others.toSorted((a, b) => a.table.localeCompare(b.table))).toEqual([
    { table: 'apps', first: 'app_id' },
    { table: 'audit', first: 'id' },
    { table: 'cores', first: 'core_id' },
    { table: 'guess_buckets', first: 'key' },
  ]);
  expect(keys.length).toBeGreaterThan(12);
});
