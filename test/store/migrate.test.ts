import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import type { Database, DatabaseOptions } from '../../src/database/database.ts';
import {
  DatabaseOfDevelopment,
  DatabaseTooNew,
  migrate,
  type Migration,
  readMigrations,
} from '../../src/database/migrate.ts';
import { createDatabase } from '../helpers/postgres.ts';
import { olderPrograms, openStoreOn, passwordUser, startOlderPostgres } from '../helpers/store.ts';
import type { OlderPostgres } from '../helpers/store.ts';

type Target = DatabaseOptions['target'];

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function open(target: Target): Database {
  const database = openDatabase({ target, poolSize: 2 });
  cleanUps.push(() => database.close(1000));
  return database;
}

/** Each test gets an empty database from `make`. */
function migrations(make: () => Promise<Target>) {
  it('are applied once, in order, and are remembered', async () => {
    const target = await make();
    const applied = await migrate(open(target));
    expect(applied.length).toBeGreaterThan(0);
    expect(applied).toEqual(applied.map((_, i) => i + 1));
    expect(await migrate(open(target))).toEqual([]);
    const rows = await open(target).read<{ version: number }>('select version from migrations order by 1');
    expect(rows.map(({ version }) => version)).toEqual(applied);
  });

  it.each([2, 5])('are applied by one of %i cores that start at the same instant', async (cores) => {
    const target = await make();
    const databases = Array.from({ length: cores }, () => open(target));
    const applied = await Promise.all(databases.map((database) => migrate(database)));
    expect(applied.filter((versions) => versions.length > 0)).toHaveLength(1);
    expect(await migrate(open(target))).toEqual([]);
  });

  it('work in a schema that exists, next to tables of others', async () => {
    const target = await make();
    const database = open(target);
    await database.write('create schema carryover');
    await database.write('create table public.users (mine text)');
    await database.write(`insert into public.users values ('untouched')`);
    expect(await migrate(database)).toContain(1);
    expect(await database.read('select mine from public.users')).toEqual([{ mine: 'untouched' }]);
    expect(await database.read('select * from users')).toEqual([]);
  });

  it('give tables that the store works with', async () => {
    const store = await openStoreOn((await make()) as Parameters<typeof openStoreOn>[0]);
    cleanUps.push(() => store.dispose());
    const user = passwordUser(store.tenant, 'a@b.test');
    expect(await store.users.putPasswordUser(user)).toEqual({ outcome: 'created' });
    expect(await store.users.findUser(0, user.userId)).toMatchObject({ emails: ['a@b.test'] });
  });

  it('refuse a newer database and leave it untouched', async () => {
    const target = await make();
    const database = open(target);
    const applied = await migrate(database);
    await database.write(`insert into migrations (version, name) values (999, '0999_future.sql')`);
    await database.write('create table of_the_future ()');
    const before = await contents(database);
    await expect(migrate(open(target))).rejects.toThrow(DatabaseTooNew);
    await expect(migrate(open(target))).rejects.toThrow(`version 999, this core knows ${applied.length}`);
    expect(await contents(database)).toEqual(before);
  });

  it('refuse a newer database also where an older migration is missing', async () => {
    const target = await make();
    const database = open(target);
    await migrate(database);
    await database.write('truncate migrations');
    await database.write(`insert into migrations (version, name) values (999, '0999_future.sql')`);
    const before = await contents(database);
    await expect(migrate(database)).rejects.toThrow(DatabaseTooNew);
    expect(await contents(database)).toEqual(before);
  });

  it.each([
    ['fewer', ['0001_users.sql']],
    ['more', Array.from({ length: 54 }, (_, i) => `${String(i + 1).padStart(4, '0')}_step.sql`)],
  ])('refuse a development database with %s migrations and leave it untouched', async (_, names) => {
    const database = open(await make());
    await database.write('create schema carryover');
    await database.write(
      'create table carryover.migrations (version integer primary key, name text not null)',
    );
    for (const [i, name] of names.entries())
      await database.write('insert into migrations values ($1, $2)', [i + 1, name]);
    const before = await contents(database);
    const refused = migrate(database);
    await expect(refused).rejects.toThrow(DatabaseOfDevelopment);
    await expect(refused).rejects.toThrow(
      /before 0\.1\.0 \(its migration 1 is 0001_.*\): export its users with/,
    );
    expect(await contents(database)).toEqual(before);
  });

  it('bring a database with users from the version before to the next, by one of two cores', async () => {
    const target = await make();
    const store = await openStoreOn(target as Parameters<typeof openStoreOn>[0]);
    cleanUps.push(() => store.dispose());
    const user = passwordUser(store.tenant, 'a@b.test');
    await store.users.putPasswordUser(user);
    const next = await withNext("alter table users add column nickname text not null default 'none'");
    const applied = await Promise.all([1, 2].map(() => migrate(open(target), { migrations: next })));
    expect(applied.toSorted((a, b) => a.length - b.length)).toEqual([[], [next.length]]);
    const rows = await open(target).read('select user_id, nickname from users');
    expect(rows).toEqual([{ user_id: user.userId, nickname: 'none' }]);
    expect(await store.users.findUser(0, user.userId)).toMatchObject({ emails: ['a@b.test'] });
  });

  it('leave a database at the version before when the next fails half-way', async () => {
    const database = open(await make());
    await migrate(database);
    const before = await contents(database);
    const next = await withNext(
      'create table nicknames (user_id uuid); insert into nicknames values (gen_random_uuid()); select 1 / 0',
    );
    await expect(migrate(database, { migrations: next })).rejects.toMatchObject({ code: '22012' });
    expect(await contents(database)).toEqual(before);
    expect(await migrate(database)).toEqual([]);
  });

  it('leave nothing behind when one fails', async () => {
    const target = await make();
    const database = open(target);
    await database.write('create schema carryover');
    await database.write('create table tokens (in_the_way text)');
    const before = await contents(database);
    await expect(migrate(database)).rejects.toMatchObject({ code: '42P07' });
    expect(await contents(database)).toEqual(before);
  });
}

/** This core's migrations and a later one. */
async function withNext(text: string): Promise<Migration[]> {
  const known = await readMigrations();
  const version = known.length + 1;
  return [...known, { version, name: `${String(version).padStart(4, '0')}_next.sql`, text }];
}

/** Every table and function of the schema, and the applied migrations if recorded. */
async function contents(database: Database): Promise<unknown> {
  const objects = await database.read(
    `select relname as name from pg_class where relnamespace = 'carryover'::regnamespace
     union all select proname from pg_proc where pronamespace = 'carryover'::regnamespace order by 1`,
  );
  const [there] = await database.read(`select to_regclass('migrations') as there`);
  const hasMigrations = there !== undefined && 'there' in there && there.there !== null;
  return { objects, applied: hasMigrations ? await database.read('select * from migrations') : [] };
}

describe('migrations', () => {
  migrations(async () => {
    const fresh = await createDatabase();
    cleanUps.push(() => fresh.drop());
    return fresh.connection;
  });
});

// Runs if the machine has PostgreSQL 15 (Debian 12: the package `postgresql-15`); otherwise it is shown as skipped.
describe.runIf(olderPrograms !== undefined)('migrations on PostgreSQL 15', () => {
  let server: OlderPostgres;
  let made = 0;

  beforeAll(async () => {
    server = await startOlderPostgres(olderPrograms ?? '');
  });
  afterAll(() => server.stop());

  it('is version 15', async () => {
    const [row] = await open(server.target).read<{ version: string }>('select version() as version');
    expect(row?.version).toContain('PostgreSQL 15.');
  });

  migrations(async () => {
    const name = `test_${made++}`;
    await open(server.target).write(`create database ${name}`);
    return { ...server.target, database: name };
  });
});
