/** The program with an external PostgreSQL, and as in a container: with keys set, without a terminal. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type DatabaseDoor,
  type HeldWrites,
  holdWrites,
  openDoor,
  withSql,
} from '../helpers/database-door.ts';
import { knownHash } from '../helpers/people.ts';
import { createDatabase, createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { addressOf, type Program, type ProgramOptions, runMain } from '../helpers/process.ts';
import { certificate, openTlsDoor } from '../helpers/tls-door.ts';

const apiKey = 'a-key-for-the-external-database';
let database: TestDatabase;
let door: DatabaseDoor;
let held: HeldWrites | undefined;
let program: Program | undefined;

/** The database of a test: it has the core's tables unless the test is about creating them. */
async function use(next: TestDatabase): Promise<void> {
  database = next;
  door = await openDoor(database.connection);
}

async function drop(): Promise<void> {
  await door.remove();
  await database.drop();
}

beforeEach(async () => {
  await use(await createMigratedDatabase());
});
afterEach(async () => {
  await held?.release();
  await program?.end('SIGKILL');
  await drop();
});

function start(environment: ProgramOptions['environment'] = {}): Program {
  program = runMain({
    environment: { API_KEYS: apiKey, POSTGRESQL_CONNECTION_URI: door.uri(), ...environment },
  });
  return program;
}

async function post(base: string, path: string, input: object): Promise<readonly [number, unknown]> {
  const init = { method: 'POST', headers: { 'api-key': apiKey }, body: JSON.stringify(input) };
  const response = await fetch(base + path, init);
  return [response.status, ((await response.json()) as { status: unknown }).status];
}

const importing = (base: string, email: string) =>
  post(base, '/recipe/user/passwordhash/import', { email, passwordHash: knownHash });

describe('with a connection URI', () => {
  test('the tables are made, once, and the output is one JSON object a line without a secret', async () => {
    await drop();
    await use(await createDatabase());
    const first = start();
    await first.printed(/"msg":"ready"/);
    expect(await importing(await addressOf(first), 'ada@example.com')).toEqual([200, 'OK']);
    expect(await first.end()).toEqual([0, null]);
    const lines = first.stdout().trimEnd().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toEqual(
      expect.arrayContaining(['listening', 'the database was migrated to this version', 'ready', 'stopped']),
    );
    expect(first.stderr()).toBe('');

    const second = start();
    await second.printed(/"msg":"ready"/);
    expect(second.stdout()).not.toContain('migrated to this version');
    const password = { email: 'ada@example.com', password: 'abc' };
    expect(await post(await addressOf(second), '/recipe/signin', password)).toEqual([200, 'OK']);
    for (const secret of [apiKey, database.connection.password])
      expect(first.stdout() + second.stdout()).not.toContain(secret);
  });

  test('it may be behind TLS', async () => {
    const tls = await openTlsDoor(database.connection);
    try {
      const uri = tls.uri(`sslmode=verify-full&sslrootcert=${certificate('ca.pem')}`);
      const running = start({ POSTGRESQL_CONNECTION_URI: uri });
      await running.printed(/"msg":"ready"/);
      const base = await addressOf(running);
      expect(await importing(base, 'ada@example.com')).toEqual([200, 'OK']);
      const password = { email: 'ada@example.com', password: 'abc' };
      expect(await post(base, '/recipe/signin', password)).toEqual([200, 'OK']);
      expect(await running.end()).toEqual([0, null]);
    } finally {
      await tls.remove();
    }
  });

  test('a server without TLS is asked again and again for it, and the log says what to do', async () => {
    const running = start({ POSTGRESQL_CONNECTION_URI: `${door.uri()}?sslmode=require` });
    const [line = ''] = await running.printed(/^.*cannot be reached yet.*$/m);
    expect(JSON.parse(line)).toMatchObject({
      advice: expect.stringContaining("set 'sslmode=disable'") as string,
    });
    expect(await running.end()).toEqual([0, null]);
  });

  test('SIGTERM lets requests in flight end, refuses new ones, and ends with 0', async () => {
    const running = start();
    await running.printed(/"msg":"ready"/);
    const base = await addressOf(running);
    await importing(base, 'warm@example.com');
    held = await holdWrites(database.connection);
    const accepted = [importing(base, 'a@example.com'), importing(base, 'b@example.com')];
    await held.waiting(1);
    running.child.kill('SIGTERM');
    await running.printed(/"msg":"stopping/);
    await expect.poll(() => fetch(`${base}/health`).catch(() => 'refused')).toBe('refused');
    await held.release();
    expect(await Promise.all(accepted)).toEqual([
      [200, 'OK'],
      [200, 'OK'],
    ]);
    expect(await running.ended).toEqual([0, null]);
  });

  test('SIGTERM leaves the balancer first: not ready and served for drain_delay_ms', async () => {
    const running = start({ DRAIN_DELAY_MS: '600000' });
    await running.printed(/"msg":"ready"/);
    const base = await addressOf(running);
    const readiness = async () => (await fetch(`${base}/readyz`)).status;
    expect(await readiness()).toBe(200);
    running.child.kill('SIGTERM');
    await running.printed(/"msg":"not ready any more/);
    expect(await readiness()).toBe(503);
    expect(await importing(base, 'late@example.com')).toEqual([200, 'OK']);
    expect(running.stdout()).not.toContain('"msg":"stopping');
    const insisting = setInterval(() => running.child.kill('SIGTERM'), 50);
    expect(await running.ended).toEqual([1, null]);
    clearInterval(insisting);
  });

  test('and stops in order when that is over', async () => {
    const running = start({ DRAIN_DELAY_MS: '1' });
    await running.printed(/"msg":"ready"/);
    expect(await running.end()).toEqual([0, null]);
    expect(running.stdout()).toMatch(/"msg":"not ready any more[^]*"msg":"stopping[^]*"msg":"stopped"/);
  });

  test('Ctrl-C waits for no balancer', async () => {
    const running = start({ DRAIN_DELAY_MS: '600000' });
    await running.printed(/"msg":"ready"/);
    expect(await running.end('SIGINT')).toEqual([0, null]);
  });

  test.each(['is still away', 'is back'])('stops in order when a database that was lost %s', async (now) => {
    const running = start();
    await running.printed(/"msg":"ready"/);
    const base = await addressOf(running);
    const list = async () => (await fetch(`${base}/users`, { headers: { 'api-key': apiKey } })).status;
    expect(await Promise.all([list(), list(), list()])).toEqual([200, 200, 200]);
    await door.shut();
    expect(await Promise.all([list(), list(), list()])).toEqual([503, 503, 503]);
    if (now === 'is back') {
      await door.open();
      await expect.poll(list).toBe(200);
    }
    expect(await running.end()).toEqual([0, null]);
    expect(running.stdout()).not.toContain('ending now');
  });

  test('a request that never ends is not waited for longer than shutdown_timeout_ms', async () => {
    const running = start({ SHUTDOWN_TIMEOUT_MS: '50' });
    await running.printed(/"msg":"ready"/);
    held = await holdWrites(database.connection);
    const lost = importing(await addressOf(running), 'a@example.com').catch(() => 'lost');
    await held.waiting(1);
    expect(await running.end()).toEqual([1, null]);
    expect(await lost).toBe('lost');
    expect(running.stdout()).toContain('shutdown_timeout_ms is over');
  });

  test('one Ctrl-C that comes twice, as npm passes it on, cuts no request off', async () => {
    const running = start();
    await running.printed(/"msg":"ready"/);
    held = await holdWrites(database.connection);
    const accepted = importing(await addressOf(running), 'a@example.com');
    await held.waiting(1);
    // Two different signals: the system may merge two of a kind that arrive at once.
    running.child.kill('SIGINT');
    running.child.kill('SIGTERM');
    await running.printed(/"msg":"stopping/);
    await held.release();
    expect(await accepted).toEqual([200, 'OK']);
    expect(await running.ended).toEqual([0, null]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('who goes on sending %s ends it at once', async (signal) => {
    const running = start();
    await running.printed(/"msg":"ready"/);
    held = await holdWrites(database.connection);
    const lost = importing(await addressOf(running), 'a@example.com').catch(() => 'lost');
    await held.waiting(1);
    const insisting = setInterval(() => running.child.kill(signal), 50);
    expect(await running.ended).toEqual([1, null]);
    clearInterval(insisting);
    expect(await lost).toBe('lost');
    expect(running.stdout()).toContain('"reason":"a second signal"');
  });

  test('a stop as soon as it listens ends with 0, though its threads have only begun to start', async () => {
    const running = start({ HASHING_THREADS: '4' });
    await running.printed(/"msg":"listening"/);
    expect([await running.end(), running.stderr()]).toEqual([[0, null], '']);
  });
});

describe('a start is refused in one line', () => {
  async function refusal(environment: ProgramOptions['environment'] = {}): Promise<string> {
    const refused = start(environment);
    const [code] = await refused.ended;
    expect(code).toBe(1);
    expect(refused.stderr()).toMatch(/^[^\n]+\n$/);
    expect(refused.stderr()).not.toMatch(/\bat \S+:\d+/);
    return refused.stderr();
  }

  test('when the password is wrong, without the password', async () => {
    const line = await refusal({ POSTGRESQL_CONNECTION_URI: door.uri('not-the-password') });
    expect(line).toMatch(
      /^The database refuses this core: password authentication failed .*postgresql_connection_uri/,
    );
    for (const password of ['not-the-password', database.connection.password])
      expect(line).not.toContain(password);
  });

  test('when the server is not the one that its certificate is trusted for, with the cure', async () => {
    const tls = await openTlsDoor(database.connection);
    try {
      const uri = tls.uri(`sslmode=verify-full&sslrootcert=${certificate('other-ca.pem')}`);
      expect(await refusal({ POSTGRESQL_CONNECTION_URI: uri })).toMatch(
        /^The database refuses this core: .*certificate.*'sslrootcert=/,
      );
    } finally {
      await tls.remove();
    }
  });

  test('when the URI wants what cannot be done, before anything is begun', async () => {
    const line = await refusal({ POSTGRESQL_CONNECTION_URI: `${door.uri()}?channel_binding=require` });
    expect(line).toMatch(/^postgresql_connection_uri: channel_binding is not supported/);
  });

  test('when tables of the core are distributed', async () => {
    await withSql(database.connection, async (sql) => {
      await sql`create table carryover.pg_dist_partition (logicalrelid regclass)`;
      await sql`insert into carryover.pg_dist_partition values ('carryover.users')`;
    });
    expect(await refusal()).toMatch(/^Tables of the core are distributed over several servers \(users\)/);
  });

  test('when the database is newer than the core', async () => {
    await withSql(
      database.connection,
      (sql) => sql`insert into carryover.migrations (version, name) values (999, '0999_later.sql')`,
    );
    expect(await refusal()).toMatch(
      /^The database is at version 999, this core knows \d+: start a newer core/,
    );
  });

  test('when a development version made the database', async () => {
    await withSql(
      database.connection,
      (sql) => sql`update carryover.migrations set name = '0002_bulk_import.sql' where version = 2`,
    );
    expect(await refusal()).toMatch(
      /^The database was made by a development version .*\(its migration 2 is 0002_bulk_import\.sql\): export its users/,
    );
  });
});
