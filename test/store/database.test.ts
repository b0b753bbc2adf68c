import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import type { Database, DatabaseOptions } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/database.ts';
import { failureOf, isUniqueViolation } from '../../src/database/sqlstate.ts';
import { createDatabase } from '../helpers/postgres.ts';
import type { TestDatabase } from '../helpers/postgres.ts';
import { openStoreOn, passwordUser, thirdPartyUser } from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

let server: TestDatabase;
let store: TestStore;
/** For looking and interfering from outside. */
let admin: Database;
const opened: Database[] = [];

beforeAll(async () => {
  server = await createDatabase();
  store = await openStoreOn(server.connection);
  admin = openDatabase({ target: server.connection, poolSize: 2 });
  await admin.write('create table public.notes (id integer primary key, text text)');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close(0)));
  await admin.write('truncate public.notes');
});
afterAll(async () => {
  await admin.close(1000);
  await store.dispose();
  await server.drop();
});

function open(options: Partial<DatabaseOptions> = {}): Database {
  const database = openDatabase({ target: server.connection, poolSize: 2, ...options });
  opened.push(database);
  return database;
}

/** A statement that waits for ever. The comment before it names it in pg_stat_activity. */
const stuck = (name: string) => `/* ${name} */ insert into public.notes select 1, pg_sleep(3600)::text`;

/** Backends that run a statement with this name, polled until there is this number. */
async function backends(name: string, count: number): Promise<number[]> {
  for (;;) {
    const rows = await admin.read<{ pid: number }>(
      `select pid from pg_stat_activity
       where state = 'active' and datname = current_database() and query like '%' || $1 || '%' and pid <> pg_backend_pid()`,
      [name],
    );
    if (rows.length === count) return rows.map(({ pid }) => pid);
  }
}

async function terminate(name: string): Promise<void> {
  for (const pid of await backends(name, 1)) await admin.write('select pg_terminate_backend($1)', [pid]);
}

const notes = () => admin.read('select id from public.notes order by id');

describe('a statement', () => {
  it('gives rows with the columns’ names; bigints are numbers, and null is null', async () => {
    const rows = await open().read(
      `select $1::bigint as large, $2::text as text, $3::boolean as yes, null::text as nothing, count(*) from apps`,
      [Number.MAX_SAFE_INTEGER, 'ü"\\', true],
    );
    expect(rows).toEqual([
      { large: Number.MAX_SAFE_INTEGER, text: 'ü"\\', yes: true, nothing: null, count: 1 },
    ]);
  });

  it('rejects with the server’s error when its data is wrong, distinguished by what to do', async () => {
    const database = open();
    const failed = (text: string) =>
      database.write(text).then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(failureOf(await failed(`select 'x'::integer`))).toBe('data');
    expect(failureOf(await failed('select 1 / 0'))).toBe('data');
    const twice = await failed('insert into public.notes values (1), (1)');
    expect([failureOf(twice), isUniqueViolation(twice)]).toEqual(['data', true]);
    expect(isUniqueViolation(await failed('insert into public.notes values (null)'))).toBe(false);
    expect(failureOf(await failed('select * from no_table'))).toBe('other');
    expect(failureOf(await failed(raise('40001')))).toBe('conflict');
    expect(await notes()).toEqual([]);
  });
});

/** Each breaks off after its first rows have reached the client. */
const brokenOff = {
  'an error': '1 / (4 - n)',
  'the end of its connection': 'case n when 4 then pg_terminate_backend(pg_backend_pid()) end',
};

describe.each(Object.entries(brokenOff))('a statement that %s breaks off among its rows', (_why, value) => {
  it('leaves no trace in the rows of the next one', async () => {
    const database = open({ poolSize: 1 });
    // More than the server collects before it sends.
    const rows = `select ${value}, repeat('.', 20000) from generate_series(1, 10) n`;
    await expect(database.read(rows)).rejects.toBeInstanceOf(Error);
    const next = await database.read('select n from generate_series(1, 2) n');
    expect(Array.from(next)).toStrictEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe('a connection that is lost in the middle of a statement', () => {
  it('is not opened again and again while the server refuses: the next statement fails with the reason', async () => {
    const role = `limited_${server.connection.database}`;
    await admin.write(`create role ${role} login password 'limited'`);
    const target = { ...server.connection, user: role, password: 'limited' };
    const database = open({ poolSize: 1, target });
    const lost = expect(database.read('/* refused */ select pg_sleep(3600)')).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    const pids = await backends('refused', 1);
    await admin.write(`alter role ${role} connection limit 0`);
    for (const pid of pids) await admin.write('select pg_terminate_backend($1)', [pid]);
    await lost;
    await expect(database.read('select 1')).rejects.toMatchObject({ cause: { code: '53300' } });
    await admin.write(`alter role ${role} connection limit -1`);
    expect(await database.read('select 1 as one')).toEqual([{ one: 1 }]);
    await database.close(0);
    await admin.write(`drop role ${role}`);
  });
});

describe('a planned statement that is repeated after a change of its table', () => {
  it('has the same parameters', async () => {
    const database = open({ poolSize: 1 });
    await admin.write(`insert into public.notes values (1, '')`);
    const text =
      'select n.*, $1::boolean as yes, $2::boolean as no, $3::bigint as large, $4::text as text from public.notes n';
    const parameters = [true, false, 7, 'true'];
    const expected = { id: 1, yes: true, no: false, large: 7, text: 'true' };
    expect(await database.read(text, parameters, 'once')).toMatchObject([expected]);
    await admin.write('alter table public.notes add column more integer');
    expect(await database.read(text, parameters, 'once')).toEqual([{ ...expected, more: null }]);
    await admin.write('alter table public.notes drop column more');
  });

  it('succeeds in a transaction, too', async () => {
    const database = open({ poolSize: 1 });
    const addAndRead = (id: number) =>
      database.transaction(async (query) => {
        await query(`insert into public.notes (id, text) values ($1, '')`, [id]);
        const rows = await query('select * from public.notes order by id', [], 'once');
        return [rows, await query('select n.*, 1 as one from public.notes n where id = $1', [id], 'once')];
      });
    expect(await addAndRead(1)).toEqual([[{ id: 1, text: '' }], [{ id: 1, text: '', one: 1 }]]);
    await admin.write('alter table public.notes add column more integer');
    const rows = [1, 2].map((id) => ({ id, text: '', more: null }));
    expect(await addAndRead(2)).toEqual([rows, [{ id: 2, text: '', more: null, one: 1 }]]);
    await admin.write('alter table public.notes drop column more');
  });
});

describe('a plan', () => {
  const kept = `select statement from pg_prepared_statements where statement like '%of notes%'`;
  const notes = (name: string) => `select '${name}' as "of notes" from public.notes where id = $1`;

  it('is kept of a statement that asks for it, and of no other', async () => {
    const database = open({ poolSize: 1 });
    for (let run = 1; run <= 2; run++) {
      await database.read(notes('now'), [1]);
      await database.read(notes('kept'), [1], 'once');
      await database.transaction(async (query) => {
        await query(notes('inside, now'), [1]);
        await query(notes('inside, kept'), [1], 'once');
      });
    }
    const rows = await database.read<{ statement: string }>(kept, [], 'once');
    const statements = rows.map(({ statement }) => statement).filter((each) => each !== kept);
    expect(statements.sort()).toEqual([notes('inside, kept'), notes('kept')].sort());
  });

  it('is kept of every statement of a database that was opened so, but for those that ask otherwise', async () => {
    const database = open({ poolSize: 1, planned: 'once' });
    await database.read(notes('kept'), [1]);
    await database.read(notes('now'), [1], 'each-time');
    await database.transaction((query) => query(notes('inside, kept'), [1]));
    const rows = await database.read<{ statement: string }>(kept, [], 'each-time');
    expect(rows.map(({ statement }) => statement).sort()).toEqual(
      [notes('inside, kept'), notes('kept')].sort(),
    );
  });
});

describe('a slow statement', () => {
  it('keeps its own connection busy and no other statement waiting', async () => {
    const database = open({ poolSize: 2 });
    const count = async (n: number) => (await database.read<{ n: number }>('select $1::int as n', [n]))[0]?.n;
    await Promise.all([count(0), count(0)]);
    const slow = await admin.transaction(async (query) => {
      await query('lock table public.notes');
      const slow = database.write(`/* slow */ insert into public.notes values (13, '')`);
      await backends('slow', 1);
      const numbers = Array.from({ length: 20 }, (_, i) => i);
      expect(await Promise.all(numbers.map(count))).toEqual(numbers);
      expect(await database.transaction((tx) => tx('select 1 as one'))).toEqual([{ one: 1 }]);
      return { slow };
    });
    await slow.slow;
    expect(await notes()).toEqual([{ id: 13 }]);
  });
});

describe('a connection that is lost in the middle', () => {
  it('leaves a write with an unknown outcome, and the next one works', async () => {
    const database = open({ poolSize: 1 });
    const lost = expect(database.write(stuck('lost write'))).rejects.toMatchObject({
      name: 'Refusal',
      code: 'OUTCOME_UNKNOWN',
    });
    await terminate('lost write');
    await lost;
    await database.write(`insert into public.notes values (2, 'next')`);
    expect(await notes()).toEqual([{ id: 2 }]);
  });

  it('makes a read fail as unavailable, and the next one works', async () => {
    const database = open({ poolSize: 1 });
    const lost = expect(database.read('/* lost read */ select pg_sleep(3600)')).rejects.toMatchObject({
      name: 'Refusal',
      code: 'DATABASE_UNAVAILABLE',
    });
    await terminate('lost read');
    await lost;
    expect(await database.read('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('leaves a transaction with an unknown outcome, which is not repeated, and the next one works', async () => {
    const database = open({ poolSize: 1 });
    let attempts = 0;
    const lost = expect(
      database.transaction(async (query) => {
        attempts++;
        await query(`insert into public.notes values (3, 'before')`);
        await query(stuck('lost transaction'));
      }),
    ).rejects.toMatchObject({ name: 'Refusal', code: 'OUTCOME_UNKNOWN' });
    await terminate('lost transaction');
    await lost;
    expect(attempts).toBe(1);
    await database.transaction((query) => query(`insert into public.notes values (4, 'next')`));
    expect(await notes()).toEqual([{ id: 4 }]);
  });

  it('of all connections at once lets the next statements of each kind work', async () => {
    const database = open({ poolSize: 4 });
    const reads = Array.from({ length: 4 }, () => database.read('/* all lost */ select pg_sleep(3600)'));
    const lost = Promise.allSettled(reads);
    for (const pid of await backends('all lost', 4))
      await admin.write('select pg_terminate_backend($1)', [pid]);
    expect(await lost).toMatchObject(Array(4).fill({ reason: { code: 'DATABASE_UNAVAILABLE' } }));
    const next = [
      ...Array.from({ length: 6 }, () => database.read('select 1')),
      database.transaction((query) => query('select 1')),
      ...Array.from({ length: 6 }, () => database.write('select 1')),
      database.transaction((query) => query('select 1')),
    ];
    expect((await Promise.allSettled(next)).map(({ status }) => status)).toEqual(Array(14).fill('fulfilled'));
  });

  it('rejects every item of a batch as of unknown outcome, and the next batch is written', async () => {
    const tenant = await store.newApp();
    const core = store.anotherCore();
    const users = Array.from({ length: 20 }, (_, i) => passwordUser(tenant, `user${i}@b.test`));
    const outcomes = await admin.transaction(async (query) => {
      await query('lock table identities in exclusive mode');
      const settled = Promise.allSettled(users.map((user) => core.users.putPasswordUser(user)));
      await terminate('insert into identities');
      return settled;
    });
    expect(outcomes).toMatchObject(
      users.map(() => ({ status: 'rejected', reason: { name: 'Refusal', code: 'OUTCOME_UNKNOWN' } })),
    );
    expect(await store.users.countUsers(tenant, [], true)).toBe(0);
    const again = await Promise.all(users.map((user) => core.users.putPasswordUser(user)));
    expect(again).toEqual(users.map(() => ({ outcome: 'created' })));
  });
});

describe('a server that is out of reach', () => {
  const refused = { name: 'Refusal', code: 'DATABASE_UNAVAILABLE' };

  async function expectUnavailable(database: Database): Promise<void> {
    await expect(database.read('select 1')).rejects.toMatchObject(refused);
    await expect(database.write('select 1')).rejects.toMatchObject(refused);
    await expect(database.transaction((query) => query('select 1'))).rejects.toMatchObject(refused);
    expect(await database.answers()).toBe(false);
  }

  it('is unavailable at a socket that is not there', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-no-server-'));
    await expectUnavailable(open({ target: { ...server.connection, host: folder } }));
    await rm(folder, { recursive: true });
  });

  it('is unavailable at a closed port', async () => {
    const listener = net.createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as net.AddressInfo;
    listener.close();
    await once(listener, 'close');
    await expectUnavailable(open({ target: { ...server.connection, host: '127.0.0.1', port } }));
  });

  it('refuses every item of a batch, written or read', async () => {
    const target = { ...server.connection, host: '/no/such/folder' };
    await expect(openStoreOn(target)).rejects.toMatchObject(refused);
  });
});

describe('too much at once', () => {
  it('is refused at once, and there is room again afterwards', async () => {
    const database = open({ poolSize: 1, maxOutstanding: 2 });
    await admin
      .transaction(async (query) => {
        await query('lock table public.notes');
        const waiting = [
          database.write(`insert into public.notes values (5, 'waits for the lock')`),
          database.transaction((tx) => tx(`insert into public.notes values (6, 'waits for a connection')`)),
        ];
        for (const refused of [database.read('select 1'), database.transaction((tx) => tx('select 1'))]) {
          await expect(refused).rejects.toMatchObject({ name: 'Refusal', code: 'OVERLOADED' });
        }
        expect(await database.answers()).toBe(false);
        return { waiting };
      })
      .then(({ waiting }) => Promise.all(waiting));
    expect(await notes()).toEqual([{ id: 5 }, { id: 6 }]);
    expect(await database.answers()).toBe(true);
  });
});

describe('a statement without an answer in time', () => {
  it.each([
    ['write', 'OUTCOME_UNKNOWN'],
    ['read', 'DATABASE_UNAVAILABLE'],
  ] as const)('is cancelled, and a %s is %s; the next one works', async (kind, code) => {
    const database = open({ poolSize: 1, statementTimeoutMs: 200 });
    const late = database[kind](`/* late ${kind} */ select pg_sleep(3600)`);
    await expect(late).rejects.toMatchObject({ name: 'Refusal', code });
    await backends(`late ${kind}`, 0);
    const patient = open({ poolSize: 1 });
    expect(await patient.read('select 1 as one')).toEqual([{ one: 1 }]);
    // A new connection may take longer than the limit for this one's statements: polled until it is there.
    while (!(await database.answers()));
    expect(await database.read('select 2 as two')).toEqual([{ two: 2 }]);
  });
});

const raise = (code: string) => `do $$ begin raise exception using errcode = '${code}'; end $$`;

describe('a transaction', () => {
  it('is all or nothing', async () => {
    const database = open();
    const broken = database.transaction(async (query) => {
      await query(`insert into public.notes values (7, 'first')`);
      throw new Error('on second thoughts');
    });
    await expect(broken).rejects.toThrow('on second thoughts');
    expect(await notes()).toEqual([]);
    const result = await database.transaction(async (query) => {
      await query(`insert into public.notes values (8, 'first')`);
      await query(`insert into public.notes values (9, 'second')`);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await notes()).toEqual([{ id: 8 }, { id: 9 }]);
  });

  it('is repeated whole after a deadlock', async () => {
    const database = open();
    await admin.write(`insert into public.notes values (10, ''), (11, '')`);
    const bothHoldOne = Promise.withResolvers<undefined>();
    let [attempts, holding] = [0, 0];
    const update = `update public.notes set text = text || $2 where id = $1`;
    const cross = (first: number, second: number, text: string) =>
      database.transaction(async (query) => {
        attempts++;
        await query(`set local deadlock_timeout = '10ms'`);
        await query(update, [first, text]);
        if (++holding === 2) bothHoldOne.resolve(undefined);
        await bothHoldOne.promise;
        await query(update, [second, text]);
      });
    await Promise.all([cross(10, 11, 'a'), cross(11, 10, 'b')]);
    expect(attempts).toBeGreaterThan(2);
    const rows = await admin.read<{ text: string }>('select text from public.notes order by id');
    expect(rows.map(({ text }) => Array.from(text).sort().join(''))).toEqual(['ab', 'ab']);
  });

  it('gives up after the fifth deadlock, with the server’s error', async () => {
    let attempts = 0;
    const hopeless = open().transaction((query) => {
      attempts++;
      return query(raise('40P01'));
    });
    await expect(hopeless).rejects.toMatchObject({ code: '40P01' });
    expect(attempts).toBe(5);
  });

  it('is not repeated for any other error', async () => {
    let attempts = 0;
    const wrong = open().transaction((query) => {
      attempts++;
      return query(raise('23505'));
    });
    await expect(wrong).rejects.toMatchObject({ code: '23505' });
    expect(attempts).toBe(1);
  });
});

describe('what is stopped on the server', () => {
  it.each(['57014', '25P03', '25P04', '57P05'])('is no fault of the core: %s', async (code) => {
    await expect(open().write(raise(code))).rejects.toMatchObject({ name: 'Refusal', http: 503 });
  });

  it('was not done when it was cancelled', async () => {
    const cancelled = expect(
      open().transaction(async (query) => {
        await query(`insert into public.notes values (14, '')`);
        await query(stuck('cancelled'));
      }),
    ).rejects.toMatchObject({ name: 'Refusal', code: 'DATABASE_UNAVAILABLE' });
    for (const pid of await backends('cancelled', 1))
      await admin.write('select pg_cancel_backend($1)', [pid]);
    await cancelled;
    expect(await notes()).toEqual([]);
  });
});

describe('a refusal that is thrown in a transaction', () => {
  it('stays what it is, whatever its code looks like', async () => {
    const refusal = new Refusal('INVALID_FIELD');
    await expect(open().transaction(() => Promise.reject(refusal))).rejects.toBe(refusal);
  });
});

describe('close', () => {
  it('lets statements under way finish, then refuses', async () => {
    const database = open();
    const { write, closed } = await admin.transaction(async (query) => {
      await query('lock table public.notes');
      const write = database.write(`/* finishing */ insert into public.notes values (12, '')`);
      await backends('finishing', 1);
      return { write, closed: database.close(60_000) };
    });
    await Promise.all([write, closed]);
    expect(await notes()).toEqual([{ id: 12 }]);
    await expect(database.read('select 1')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await database.answers()).toBe(false);
  });

  it('breaks off what is not finished in time: the outcome of a write is unknown', async () => {
    const database = open();
    const write = expect(database.write(stuck('broken off'))).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    const transaction = expect(
      database.transaction((query) => query(stuck('broken off'))),
    ).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    const pids = await backends('broken off', 2);
    const closed = database.close(1);
    await write;
    for (const pid of pids) await admin.write('select pg_terminate_backend($1)', [pid]);
    await Promise.all([transaction, closed]);
  });
});

describe('the store', () => {
  it('finishes what it has accepted when it is drained, and refuses what is new', async () => {
    const tenant = await store.newApp();
    const core = store.anotherCore({ maxBatch: 7 });
    const users = Array.from({ length: 50 }, (_, i) => passwordUser(tenant, `user${i % 10}@b.test`));
    const outcomes = users.map((user) => core.users.putPasswordUser(user));
    expect(core.backlogs()).toContainEqual({ name: 'put-password-user', backlog: 50 });
    const drained = core.drain();
    const refused = { name: 'Refusal', code: 'SHUTTING_DOWN' };
    await expect(core.users.putPasswordUser(passwordUser(tenant, 'late@b.test'))).rejects.toMatchObject(
      refused,
    );
    await expect(core.users.putThirdPartyUser(thirdPartyUser(tenant, '1'))).rejects.toMatchObject(refused);
    await drained;
    const placed = await Promise.all(outcomes);
    expect(placed.filter(({ outcome }) => outcome === 'created')).toHaveLength(10);
    expect(core.backlogs().filter(({ backlog }) => backlog > 0)).toEqual([]);
  });

  it('refuses at once when its backlog is full', async () => {
    const tenant = await store.newApp();
    const core = store.anotherCore({ maxBacklog: 5 });
    const users = Array.from({ length: 8 }, (_, i) => passwordUser(tenant, `user${i}@b.test`));
    const outcomes = await Promise.allSettled(users.map((user) => core.users.putPasswordUser(user)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array<string>(5).fill('fulfilled'),
      ...Array<string>(3).fill('rejected'),
    ]);
    expect(outcomes.slice(5)).toMatchObject(Array(3).fill({ reason: { code: 'OVERLOADED' } }));
    expect(await core.users.putPasswordUser(passwordUser(tenant, 'later@b.test'))).toEqual({
      outcome: 'created',
    });
  });

  it('writes a whole batch when one item of it cannot be written', async () => {
    const tenant = await store.newApp();
    const users = Array.from({ length: 9 }, (_, i) => passwordUser(tenant, `user${i}@b.test`));
    const bad = { ...passwordUser(tenant, 'bad@b.test'), passwordHash: 'U+0000 is \u0000' };
    const outcomes = await Promise.allSettled(
      [...users.slice(0, 4), bad, ...users.slice(4)].map((user) => store.users.putPasswordUser(user)),
    );
    expect(outcomes[4]).toMatchObject({ status: 'rejected', reason: { code: '22021' } });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    expect(await store.users.countUsers(tenant, [], true)).toBe(9);
  });
});
