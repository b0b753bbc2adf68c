/** A database that is lost, late or slow. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { type Core, startCore } from '../../src/core/core.ts';
import { createLogger } from '../../src/process/log.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import {
  type DatabaseDoor,
  type HeldWrites,
  holdWrites,
  openDoor,
  withSql,
} from '../helpers/database-door.ts';
import { importUser, knownHash, knownPassword, newEmail, refusalOf, signIn } from '../helpers/people.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';

const unavailable = [503, 'DATABASE_UNAVAILABLE', 'The database cannot be reached: try again later'] as const;
let database: TestDatabase;
let door: DatabaseDoor;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
beforeEach(async () => {
  door = await openDoor(database.connection);
});
afterEach(() => door.remove());
afterAll(() => database.drop());

/** The log's reports about the database, each once: it has several reasons for one outage. */
const outagesIn = ({ log }: TestCore) => [
  ...new Set(
    log.map((line) => (JSON.parse(line) as { msg: string }).msg).filter((msg) => msg.includes('be used')),
  ),
];

describe('a database that is lost while the core runs', () => {
  let core: TestCore;
  let held: HeldWrites | undefined;
  beforeEach(async () => {
    core = await startTestCore({ database: { ...database, connection: door.connection } });
  });
  afterEach(async () => {
    await held?.release();
    await core.stop();
  });
  const healthy = () => expect.poll(async () => (await core.get('/health')).http).toBe(200);

  test('means 503 with Retry-After, said by /health too, and no restart when it is back', async () => {
    const email = newEmail();
    await importUser(core, email);
    await door.shut();
    for (const answer of [
      await core.post('/recipe/user/passwordhash/import', { email: newEmail(), passwordHash: knownHash }),
      await core.post('/recipe/signin', { email, password: knownPassword }),
      await core.get('/users'),
      await core.put('/recipe/multitenancy/tenant/v2', { tenantId: 'late' }),
      await core.get('/hello'),
    ]) {
      const { headers } = answer;
      expect([refusalOf(answer), headers.get('retry-after')]).toEqual([
        [503, expect.stringMatching(/^(DATABASE_UNAVAILABLE|OUTCOME_UNKNOWN)$/), expect.any(String)],
        '1',
      ]);
    }
    const health = await core.get('/health');
    expect([health.http, health.body]).toEqual([
      503,
      expect.objectContaining({ status: 'NOT_READY', live: true, ready: false, database: 'down' }),
    ]);
    expect((await core.get('/apiversion')).http).toBe(200);
    expect((await core.get('/metrics')).http).toBe(200);
    expect(outagesIn(core)).toEqual(['the database cannot be used']);

    await door.open();
    await healthy();
    expect(await signIn(core, email, knownPassword)).toBe('OK');
    await importUser(core, newEmail());
    expect(outagesIn(core)).toEqual(['the database cannot be used', 'the database can be used again']);
  });

  test('in the middle of a write leaves its outcome open, and says so', async () => {
    const email = newEmail();
    held = await holdWrites(database.connection);
    const writing = core.post('/recipe/user/passwordhash/import', { email, passwordHash: knownHash });
    await held.waiting(1);
    await door.shut();
    expect(refusalOf(await writing)).toEqual([
      503,
      'OUTCOME_UNKNOWN',
      'The database connection was lost while writing: the change may or may not have been made',
    ]);
    await held.release();
    await door.open();
    await healthy();
    await importUser(core, email);
    expect(await signIn(core, email, knownPassword)).toBe('OK');
  });

  test('by the server ending every connection is forgotten with the next ones', async () => {
    await withSql(
      database.connection,
      (sql) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'carryover'`,
    );
    await healthy();
    await importUser(core, newEmail());
  });

  test('does not keep the core from stopping', async () => {
    await door.shut();
    expect(refusalOf(await core.get('/users'))).toEqual(unavailable);
    await core.close();
    await expect(fetch(core.url)).rejects.toThrow();
  });
});

describe('a database whose address leads elsewhere, while open connections lead nowhere', () => {
  test('is found again by requests, and by probes without requests', async () => {
    const core = await startTestCore({
      database: { ...database, connection: door.connection },
      settings: { WAIT_LIMIT_MS: '500' },
      // So that no time limit ends it.
      overrides: { statementTimeoutMs: 3_600_000 },
    });
    try {
      const email = newEmail();
      await importUser(core, email);
      expect(await signIn(core, email, knownPassword)).toBe('OK');

      door.stallOpenOnes();
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => core.post('/recipe/signin', { email, password: knownPassword })),
      );
      for (const answer of answers)
        expect(refusalOf(answer)[1]).toMatch(/^(DATABASE_UNAVAILABLE|OVERLOADED)$/);
      const refusals = answers.map((answer) => refusalOf(answer)[2]).join();
      expect(refusals).toContain('The database');
      await expect.poll(() => signIn(core, email, knownPassword)).toBe('OK');
      await expect.poll(async () => (await core.get('/readyz')).http).toBe(200);
      expect(core.log.join()).toContain('the connection to it is dead');

      door.stallOpenOnes();
      await expect.poll(async () => (await core.get('/readyz')).http).toBe(503);
      await expect.poll(async () => (await core.get('/readyz')).http).toBe(200);
      expect(await signIn(core, email, knownPassword)).toBe('OK');
    } finally {
      await core.stop();
    }
  });
});

describe('a role whose password is changed while the core runs', () => {
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  const admin = async (...statements: readonly string[]) =>
    withSql(database.connection, async (sql) => {
      for (const statement of statements) await sql.unsafe(statement);
    });
  /** Including one that was accepted before the change and does not belong to the role yet. @returns the number that is left */
  const cutOff = () =>
    withSql(database.connection, async (sql) => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`;
      const left = await sql`select from pg_stat_activity
        where backend_type = 'client backend' and (usename is null or usename = ${role})`;
      return left.length;
    });
  let core: TestCore;
  beforeEach(async () => {
    const grant = `grant create on database "${database.connection.database}" to ${role}`;
    await admin(
      `create role ${role} login password 'first'`,
      'drop schema if exists carryover cascade',
      grant,
    );
    const connection = { ...database.connection, user: role, password: 'first' };
    core = await startTestCore({ database: { ...database, connection } });
  });
  afterEach(async () => {
    await core.stop();
    await admin(`drop owned by ${role} cascade`, `drop role ${role}`);
  });

  test('means 503, the log says why, and it is used again when it is let in', async () => {
    await importUser(core, newEmail());
    await admin(`alter role ${role} password 'second'`);
    await expect.poll(cutOff).toBe(0);
    const asked = () => core.get('/users');
    await expect.poll(async () => refusalOf(await asked())).toEqual(unavailable);
    expect((await core.get('/health')).http).toBe(503);
    expect(core.log.join('')).toContain(`password authentication failed for user \\"${role}\\"`);
    expect(core.log.join('')).not.toMatch(/failed unexpectedly|first|second/);

    await admin(`alter role ${role} password 'first'`);
    expect((await asked()).http).toBe(200);
    await expect.poll(async () => (await core.get('/health')).http).toBe(200);
    const both = ['the database cannot be used', 'the database can be used again'];
    await expect.poll(() => outagesIn(core)).toEqual(both);
  });
});

describe('a database that is not there at the start', () => {
  const log: string[] = [];
  let core: Core;
  const config = loadConfig({ environment: { PORT: '0', HASHING_THREADS: '1' } });
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${core.port}${path}`, {
      headers: { 'api-key': testApiKey },
      ...init,
    });
    return { http: response.status, headers: response.headers, body: (await response.json()) as object };
  };
  beforeEach(async () => {
    await door.shut();
    log.length = 0;
    core = await startCore({
      config,
      target: door.connection,
      apiKeys: [testApiKey],
      encryptionKeys: [Buffer.alloc(32, 7)],
      version: 'test',
      log: createLogger({ level: 'info', stream: { write: (line) => void log.push(line) } }),
    });
  });
  afterEach(() => core.close());

  test('is waited for: the core listens, says that it is not ready, and becomes so', async () => {
    expect(await ask('/health')).toMatchObject({
      http: 503,
      body: { status: 'NOT_READY', live: true, ready: false },
    });
    for (const [method, path] of [
      ['GET', '/users'],
      ['POST', '/recipe/signin'],
    ] as const) {
      const { http, body, headers } = await ask(path, { method, ...(method === 'POST' && { body: '{}' }) });
      expect([http, body]).toEqual([503, { status: unavailable[1], message: unavailable[2] }]);
      expect(headers.get('retry-after')).toBe('1');
    }
    expect((await ask('/apiversion')).http).toBe(200);
    await expect.poll(() => log.join('')).toContain('the database cannot be reached yet');

    await door.open();
    expect(await core.ready).toBe(true);
    expect(await ask('/health')).toMatchObject({ http: 200, body: { status: 'OK', ready: true } });
    expect(await ask('/users/count')).toMatchObject({ http: 200, body: { status: 'OK' } });
  });

  test('is not waited for by a core that is stopped', async () => {
    await core.close();
    expect(await core.ready).toBe(false);
    await expect(ask('/health')).rejects.toThrow();
  });
});
