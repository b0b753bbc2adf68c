/** The rights that the core's role needs in an external PostgreSQL, and `carryover migrate`. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrateDatabase } from '../../src/core/migrate-database.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, knownPassword, newEmail, signIn } from '../helpers/people.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { type Program, runCommand } from '../helpers/process.ts';

/** PostgreSQL preserves it only if it is quoted. */
const role = `Role "of" cores ${randomUUID()}`;
const quoted = `"${role.replaceAll('"', '""')}"`;
let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
  await admin(`create role ${quoted} login nosuperuser nocreatedb nocreaterole password 'of-the-role'`);
});
afterEach(async () => {
  await admin(`drop owned by ${quoted} cascade`, `drop role ${quoted}`);
  await database.drop();
});

const admin = (...statements: readonly string[]) =>
  withSql(database.connection, async (sql) => {
    for (const statement of statements) await sql.unsafe(statement);
  });

/** The owner of the database. */
function ownersUri(): string {
  const { user, password, host, port, database: name } = database.connection;
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgresql://${credentials}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}

const migrate = (grantTo?: string) =>
  migrateDatabase({ environment: { POSTGRESQL_CONNECTION_URI: ownersUri() }, grantTo });

/** `carryover migrate` as a process. */
function command(...args: string[]): Program {
  return runCommand({
    arguments: ['migrate', '--yes', ...args],
    environment: { POSTGRESQL_CONNECTION_URI: ownersUri() },
  });
}

const startAsRole = (): Promise<TestCore> => {
  const connection = { ...database.connection, user: role, password: 'of-the-role' };
  return startTestCore({ database: { ...database, connection } });
};

/** @returns whether this start changed the database */
async function importsAndSignsIn(): Promise<boolean> {
  const core = await startAsRole();
  const email = newEmail();
  await importUser(core, email);
  expect(await signIn(core, email, knownPassword)).toBe('OK');
  await core.close();
  return core.log.some((line) => line.includes('migrated to this version'));
}

const newest = async (): Promise<number> => (await migrate()).version;

describe("a core's role", () => {
  test('needs no right but to the schema that it was given', async () => {
    await admin(`create schema carryover authorization ${quoted}`);
    expect(await importsAndSignsIn()).toBe(true);
    expect(await importsAndSignsIn()).toBe(false);
  });

  test('needs none to make or change a table that "carryover migrate" has made', async () => {
    const made = command('--grant-to', role);
    expect([await made.ended, made.stderr()]).toEqual([[0, null], '']);
    expect(made.stdout()).toMatch(/^The database is at version (\d+): applied 1 to \1\nGranted to Role "of"/);
    expect(await importsAndSignsIn()).toBe(false);
    await expect(
      withSql({ ...database.connection, user: role, password: 'of-the-role' }, (sql) =>
        sql.unsafe('alter table carryover.users add column of_the_role text'),
      ),
    ).rejects.toMatchObject({ code: '42501' });
  });

  test('gets what a later version makes, too', async () => {
    await migrate(role);
    await admin('create table carryover.of_a_later_version (n integer)');
    await expect(startAsRole()).rejects.toThrow(
      /may not read and write all tables .*\(of_a_later_version\): run "carryover migrate --grant-to/,
    );
    expect((await migrate(role)).applied).toEqual([]);
    expect(await importsAndSignsIn()).toBe(false);
  });

  test.each([
    ['a table', 'revoke delete on carryover.users from', 'users'],
    ['a sequence', 'revoke usage on sequence carryover.import_queue_arrivals from', 'import_queue_arrivals'],
  ])('is refused at the start where it may not use %s', async (_what, revoke, name) => {
    await migrate(role);
    await admin(`${revoke} ${quoted}`);
    await expect(startAsRole()).rejects.toThrow(`(${name})`);
  });

  test('may lack rights to other tables in the schema', async () => {
    const other = `other_${randomUUID().replaceAll('-', '')}`;
    await migrate(role);
    await admin(
      `create role ${other} nologin`,
      `grant usage, create on schema carryover to ${other}`,
      `grant ${other} to current_user`,
      'create table carryover.notes (text text)',
      `alter table carryover.notes owner to ${other}`,
    );
    expect(await importsAndSignsIn()).toBe(false);
    await admin(`drop owned by ${other} cascade`, `drop role ${other}`);
  });

  test.each([
    [
      'they are of an older version',
      // So the newest migration has to be applied again, which begins with a statement that only an owner may run.
      ['delete from carryover.migrations'],
      'permission denied for schema carryover',
    ],
    [
      'nothing was granted to it',
      [`revoke usage on schema carryover from ${quoted}`],
      'permission denied for schema',
    ],
  ] as const)('is advised to have them migrated when %s', async (_when, statements, reason) => {
    await migrate(role);
    await admin(...statements);
    const refused = startAsRole();
    await expect(refused).rejects.toThrow(
      /^The database is not at this core's version.*run "carryover migrate --grant-to <its role>" as the role that owns the tables$/,
    );
    await expect(refused).rejects.toThrow(reason);
  });
});

describe('carryover migrate', () => {
  test('gets the first step for a role that may not create the schema, and can then', async () => {
    const connection = { ...database.connection, user: role, password: 'of-the-role' };
    const uri = ownersUri().replace(/\/\/[^@]+@/, `//${encodeURIComponent(role)}:of-the-role@`);
    const environment = { POSTGRESQL_CONNECTION_URI: uri };
    const refused = runCommand({ arguments: ['migrate', '--yes'], environment });
    expect(await refused.ended).toEqual([2, null]);
    const [, cure = ''] = /run "(create schema [^\n]*?)" as the owner/.exec(refused.stderr()) ?? [];
    expect(cure).toBe(`create schema carryover authorization ${quoted}`);
    await admin(cure);
    const made = runCommand({ arguments: ['migrate', '--yes'], environment });
    expect(await made.ended).toEqual([0, null]);
    await withSql(connection, (sql) => sql.unsafe('select count(*) from carryover.users'));
  });

  test('prints the SQL of it, which does the same by another client', async () => {
    const printed = command('--print-sql');
    expect([await printed.ended, printed.stderr()]).toEqual([[0, null], '']);
    const version = (
      await withSql(database.connection, (sql) => sql`select to_regnamespace('carryover') as it`)
    )[0];
    expect(version).toEqual({ it: null });
    await admin(printed.stdout());
    expect((await migrate()).applied).toEqual([]);
    const again = command('--print-sql');
    expect([await again.ended, again.stdout()]).toEqual([[0, null], '']);
    const ofNew = runCommand({ arguments: ['migrate', '--print-sql'], environment: {} });
    expect(await ofNew.ended).toEqual([0, null]);
    expect(ofNew.stdout()).toBe(printed.stdout());
  });

  test.each([[[]], [['--print-sql']]])(
    'refuses a database of a development version in one line, with %j',
    async (args) => {
      await migrate();
      await admin("update carryover.migrations set name = '0001_users.sql' where version = 1");
      const refused = command(...args);
      expect([await refused.ended, refused.stdout()]).toEqual([[2, null], '']);
      expect(refused.stderr()).toMatch(
        /^The database was made by a development version [^\n]*give this core an empty database[^\n]*\n$/,
      );
    },
  );

  test('run again changes nothing, and says so', async () => {
    const version = await newest();
    const again = command();
    expect(await again.ended).toEqual([0, null]);
    expect(again.stdout()).toBe(`The database is at version ${version}: nothing to change\n`);
  });

  test('grants to no role that does not exist, and makes no table then', async () => {
    const refused = command('--grant-to', 'nobody');
    expect(await refused.ended).toEqual([2, null]);
    expect(refused.stderr()).toMatch(
      /^--grant-to: the database has no role of this name: make it first[^\n]*\n$/,
    );
    await expect(startAsRole()).rejects.toThrow('may not create it');
  });

  test.each([
    [{}, /^postgresql_connection_uri: is not set.*POSTGRESQL_CONNECTION_URI/],
    [
      { POSTGRESQL_CONNECTION_URI: 'postgres://me:secret@127.0.0.1:1/db' },
      /^The database cannot be reached: .*ECONNREFUSED/,
    ],
  ])('without a database that it can use, it ends with one line: %o', async (environment, line) => {
    const refused = runCommand({ arguments: ['migrate'], environment });
    expect(await refused.ended).toEqual([2, null]);
    expect(refused.stderr()).toMatch(line);
    expect(refused.stderr()).toMatch(/^[^\n]+\n$/);
    expect(refused.stderr()).not.toContain('secret');
  });
});
