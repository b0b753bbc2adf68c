/** /hello, /livez, /readyz and /health, which need no key: their reports on a database, and their cost. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Probe } from '../../src/core/probe.ts';
import { openDatabase, type Query } from '../../src/database/database.ts';
import { DiskSpace } from '../../src/database/disk-space.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { type DatabaseDoor, openDoor, withSql } from '../helpers/database-door.ts';
import { importUser, newEmail, refusalOf } from '../helpers/people.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { superuser } from '../helpers/superuser.ts';

let database: TestDatabase;
let door: DatabaseDoor;
let core: TestCore;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  door = await openDoor(database.connection);
  core = await startTestCore({
    database: { ...database, connection: door.connection },
    overrides: { statementTimeoutMs: 1500 },
  });
});
afterEach(async () => {
  door.resume();
  await core.stop();
  await door.remove();
});
afterAll(() => database.drop());

const admin = (...statements: readonly string[]) =>
  withSql({ ...database.connection, ...superuser }, async (sql) => {
    for (const statement of statements) await sql.unsafe(statement);
  });
const health = async () => {
  const { http, body } = await core.get('/health');
  return [http, body.status, body.live, body.database];
};

describe('many probes at once', () => {
  test('are one statement, whose answer holds for those a moment later', async () => {
    const connection = openDatabase({ target: database.connection, poolSize: 2 });
    let statements = 0;
    const read: Query = (...statement) => {
      statements++;
      return connection.read(...statement);
    };
    const counted = { ...connection, read };
    const probe = new Probe({
      database: counted,
      live: connection,
      diskSpace: new DiskSpace(),
      isReached: () => true,
    });
    const answers = await Promise.all(Array.from({ length: 1000 }, () => probe.state()));
    expect([new Set(answers), await probe.state(), statements]).toEqual([new Set(['up']), 'up', 1]);
    await expect.poll(() => probe.state().then(() => statements)).toBe(2);
    await connection.close(1000);
  });

  test('are one statement, too, while the database does not answer it', async () => {
    let statements = 0;
    const never = new Promise<never>(() => undefined);
    const read: Query = () => {
      statements++;
      return never;
    };
    const connection = openDatabase({ target: database.connection, poolSize: 1 });
    const probe = new Probe({
      database: { ...connection, read },
      live: connection,
      diskSpace: new DiskSpace(),
      isReached: () => true,
      timeoutMs: 10,
    });
    for (let turn = 0; turn < 3; turn++) {
      const answer = probe.state();
      expect(await answer).toBe('down');
      while (probe.state() === answer) await nextTurn();
    }
    expect(statements).toBe(1);
    await connection.close(0);
  });

  test('do not take the place of work, however many there are', async () => {
    door.stall();
    const probes = Array.from({ length: 1100 }, () => fetch(`${core.url}/hello`));
    await fetch(`${core.url}/apiversion`);
    expect(refusalOf(await core.get('/users'))[1]).toBe('DATABASE_UNAVAILABLE');
    const answers = await Promise.all(probes);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  });
});

describe('a database that stops answering', () => {
  test('leaves the core live, and no change without an answer', async () => {
    const { id: userId } = await importUser(core, newEmail());
    door.stall();
    expect(await health()).toEqual([503, 'NOT_READY', true, 'down']);
    expect((await core.get('/livez')).http).toBe(200);
    expect((await core.get('/readyz')).body).toMatchObject({
      status: 'NOT_READY',
      database: 'down',
      reason: 'DATABASE_UNREACHABLE',
    });
    for (const answer of await Promise.all([
      core.put('/recipe/multitenancy/tenant/v2', { tenantId: 'late' }),
      core.post('/user/remove', { userId }),
      core.put('/recipe/user', { recipeUserId: userId, email: newEmail() }),
      core.post('/bulk-import/jobs/0190b2f3-0000-7000-8000-000000000000/undo', {}),
    ])) {
      expect(answer.http).toBe(503);
      expect(answer.body.status).toMatch(/^(DATABASE_UNAVAILABLE|OUTCOME_UNKNOWN)$/);
    }
    door.resume();
    await expect.poll(health).toEqual([200, 'OK', true, 'up']);
    await importUser(core, newEmail());
  });
});

describe('/health is not ready, and /hello says Hello,', () => {
  test('while the database takes no writes', async () => {
    const { database: name } = database.connection;
    const cutOff = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'carryover'`;
    await admin(`alter database "${name}" set default_transaction_read_only = on`, cutOff);
    await expect.poll(health).toEqual([503, 'NOT_READY', true, 'read-only']);
    expect((await core.get('/readyz')).body).toMatchObject({ ready: false, reason: 'DATABASE_READ_ONLY' });
    expect((await core.get('/hello')).text).toBe('Hello');
    await admin(
      'set default_transaction_read_only = off',
      `alter database "${name}" reset default_transaction_read_only`,
      cutOff,
    );
    await expect.poll(health).toEqual([200, 'OK', true, 'up']);
  });

  test('while its disk is full, and ready when there is room, without any request', async () => {
    const full = `begin raise exception 'No space left on device' using errcode = 'disk_full'; end`;
    await admin(
      `create function public.no_room() returns event_trigger language plpgsql as $$ ${full} $$`,
      `create function public.no_rows() returns trigger language plpgsql as $$ ${full} $$`,
      'create trigger no_rows before insert on carryover.tenants execute function public.no_rows()',
      'create trigger no_rows before insert or update on carryover.audit execute function public.no_rows()',
      `create event trigger no_room on ddl_command_start execute function public.no_room()`,
    );
    await expect.poll(health).toEqual([200, 'OK', true, 'up']);
    // Repeatedly: the core's own successful writes count as the last write, too.
    const refused = async (): Promise<unknown[]> => {
      const { body } = await core.put('/recipe/multitenancy/tenant/v2', { tenantId: 'too-many' });
      expect(body.message).toContain("The database's disk is full");
      return health();
    };
    await expect.poll(refused).toEqual([503, 'NOT_READY', true, 'full']);
    expect((await core.get('/hello')).text).toBe('Hello');
    await admin(
      'drop event trigger no_room',
      'drop trigger no_rows on carryover.tenants',
      'drop trigger no_rows on carryover.audit',
    );
    await expect.poll(health).toEqual([200, 'OK', true, 'up']);
  });
});
