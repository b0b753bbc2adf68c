/** A PostgreSQL that keeps its connections but never answers: stopped, or behind a network that drops everything. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CopyBytes } from '../../src/imports/parse/copy-binary.ts';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Query,
} from '../../src/database/database.ts';
import { type DatabaseDoor, openDoor } from '../helpers/database-door.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';

let server: TestDatabase;
let door: DatabaseDoor;
/** For looking from outside. */
let admin: Database;
const opened: Database[] = [];
/** On a busy machine connecting takes half a second. */
const statementTimeoutMs = 1000;
const unknown = { name: 'Refusal', code: 'OUTCOME_UNKNOWN' };
const overloaded = { name: 'Refusal', code: 'OVERLOADED' };
const unavailable = { name: 'Refusal', code: 'DATABASE_UNAVAILABLE' };

beforeAll(async () => {
  server = await createDatabase();
  admin = openDatabase({ target: server.connection, poolSize: 2 });
  await admin.write('create table public.notes (id integer primary key, text text)');
});
beforeEach(async () => {
  door = await openDoor(server.connection);
});
afterEach(async () => {
  door.resume();
  await Promise.all(opened.splice(0).map((database) => database.close(0)));
  await door.remove();
  await admin.write('truncate public.notes');
});
afterAll(async () => {
  await admin.close(1000);
  await server.drop();
});

/** One connection, already open, and room for no other. */
async function open(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const target = door.connection;
  const database = openDatabase({ target, poolSize: 1, maxOutstanding: 1, statementTimeoutMs, ...options });
  opened.push(database);
  await database.read('select 1');
  return database;
}

const insert = (id: number) => `insert into public.notes values (${id}, '')`;
const notes = async () =>
  (await admin.read<{ id: number }>('select id from public.notes')).map(({ id }) => id);
const works = async (database: Database) => {
  expect(await database.transaction((query) => query('select 1 as one'))).toEqual([{ one: 1 }]);
};

describe('a transaction on a database that stops answering', () => {
  it('ends with an unknown outcome in any of its statements, and gives back its place', async () => {
    const database = await open();
    const late = database.transaction(async (query) => {
      await query(insert(1));
      door.stall();
      await query(insert(2));
    });
    await expect(late).rejects.toMatchObject(unknown);
    door.resume();
    await works(database);
    expect(await notes()).toEqual([]);
  });

  it('ends with an unknown outcome when the commit is not answered: it may have been made', async () => {
    const database = await open();
    const late = database.transaction(async (query) => {
      await query(insert(3));
      door.stall();
    });
    await expect(late).rejects.toMatchObject(unknown);
    door.resume();
    await works(database);
  });

  it('has changed nothing when its begin is not answered', async () => {
    const database = await open();
    door.stall();
    let hasBegun = false;
    const late = database.transaction(async (query) => {
      hasBegun = true;
      await query(insert(4));
    });
    await expect(late).rejects.toMatchObject(unavailable);
    door.resume();
    await works(database);
    expect([hasBegun, await notes()]).toEqual([false, []]);
  });

  it.each(['savepoint', 'its rollback', 'copy'])('ends in a %s', async (place) => {
    const database = await open();
    const bytes = new CopyBytes(100);
    bytes.row(2);
    bytes.int32(5);
    bytes.text('');
    const late = database.transaction(async (_, savepoint) => {
      if (place === 'savepoint') door.stall();
      await savepoint(async (_query, copy) => {
        door.stall();
        if (place === 'copy') await copy('copy public.notes from stdin (format binary)', bytes.finish());
        throw new Error('on second thoughts');
      });
    });
    await expect(late).rejects.toMatchObject(unknown);
    door.resume();
    await works(database);
    expect(await notes()).toEqual([]);
  });

  it('may wait for anything else as long as it likes', async () => {
    const [database, other] = [await open(), await open()];
    await database.transaction(async (query) => {
      await query(insert(6));
      for (let turn = 0; turn < 3; turn++) await expect(other.read('select pg_sleep(60)')).rejects.toThrow();
      await query(insert(7));
    });
    expect(await notes()).toEqual([6, 7]);
  });

  it('lets no statement wait longer for its connection than for an answer', async () => {
    const database = await open({ maxOutstanding: 10 });
    const isDone = Promise.withResolvers<undefined>();
    const holding = database.transaction(() => isDone.promise);
    const waiting = [database.read('select 1'), database.transaction((query) => query('select 1'))];
    expect(await Promise.allSettled(waiting)).toMatchObject([{ reason: overloaded }, { reason: overloaded }]);
    isDone.resolve(undefined);
    await holding;
    await works(database);
  });
});

describe('a connection that is looked into', () => {
  const suspicious = { suspiciousAfterMs: 200, statementTimeoutMs: 3_600_000 };

  it('is given up with its statement when it is dead, in a transaction too', async () => {
    const database = await open(suspicious);
    door.stallOpenOnes();
    await expect(database.read('select 1')).rejects.toMatchObject(unavailable);
    await works(database);
    const late = database.transaction(async (query) => {
      await query(insert(1));
      door.stallOpenOnes();
      await query(insert(2));
    });
    await expect(late).rejects.toMatchObject(unknown);
    await works(database);
    expect(await notes()).toEqual([]);
  });

  it('is given up when it died after the server had parsed a statement', async () => {
    const database = await open(suspicious);
    door.stallAnswers();
    await expect(database.write('insert into public.notes values ($1, $2)', [1, ''])).rejects.toMatchObject(
      unknown,
    );
    await works(database);
    expect(await notes()).toEqual([]);
  });

  it('is waited for while the server works for it', async () => {
    const database = await open(suspicious);
    expect(await database.read(`select 1 as one from pg_sleep(1)`)).toEqual([{ one: 1 }]);
    expect(await database.transaction((query) => query('select 1 as one from pg_sleep(1)'))).toEqual([
      { one: 1 },
    ]);
    expect(await database.serves()).toBe(true);
  });
});

describe('a statement that takes too long on a server that goes on', () => {
  const lock = (query: Query) => query('lock table public.notes');

  it('is stopped there, so that its locks are given back', async () => {
    const database = await open();
    const late = database.transaction(async (query) => {
      await lock(query);
      await query('select pg_sleep(3600)');
    });
    await expect(late).rejects.toMatchObject(unknown);
    await admin.transaction(lock);
  });

  it('has longer where its transaction says so', async () => {
    const database = await open();
    const patient = { statementTimeoutMs: 3_600_000 };
    const slow = database.transaction((query) => query('select pg_sleep(1.3)'), patient);
    expect(await slow).toHaveLength(1);
  });
});

describe('a server process that is stopped', () => {
  const pidOf = async (query: Query) => {
    const [row] = await query<{ pid: number }>('select pg_backend_pid() as pid');
    return row?.pid ?? 0;
  };

  it.each(['transaction', 'write'] as const)('keeps no %s for ever, nor its connection', async (kind) => {
    const database = await open({ target: server.connection });
    const pid = await pidOf(database.read);
    process.kill(pid, 'SIGSTOP');
    try {
      const late =
        kind === 'write'
          ? expect(database.write(insert(8))).rejects.toMatchObject(unknown)
          : expect(database.transaction((query) => query(insert(8)))).rejects.toMatchObject(unavailable);
      await late;
      // Another process serves this while the first one is still stopped.
      await works(database);
      expect(await pidOf(database.read)).not.toBe(pid);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
