/** The target of a connection URI: addresses of each kind, and the chosen one of several servers. */
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import { type Look, ServerFinder, type ServerState } from '../../src/database/connection/finder.ts';
import { readConnectionUri } from '../../src/database/connection/uri.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { lookAtEach } from '../../src/database/driver.ts';
import { closing, type DatabaseDoor, Listener, openDoor, withSql } from '../helpers/database-door.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';

let server: TestDatabase;
let one: DatabaseDoor;
let other: DatabaseDoor;
const opened: Database[] = [];

beforeAll(async () => {
  server = await createDatabase();
  [one, other] = await Promise.all([openDoor(server.connection), openDoor(server.connection)]);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close(0)));
  await Promise.all([one.shut(), other.shut()]);
  await Promise.all([one.open(), other.open()]);
});
afterAll(async () => {
  await Promise.all([one.remove(), other.remove()]);
  await server.drop();
});

function open(uri: string): Database {
  const database = openDatabase({ target: readConnectionUri(uri), poolSize: 1 });
  opened.push(database);
  return database;
}

const account = (): string => {
  const { user, password } = server.connection;
  return `postgresql://${user}:${encodeURIComponent(password)}@`;
};
const answer = (database: Database) => database.read<{ one: number }>('select 1 as one');

describe('a connection URI leads to', () => {
  it('a socket, as the host and in the query', async () => {
    const { host, port, database } = one.connection;
    for (const rest of [
      `${encodeURIComponent(host)}:${port}/${database}`,
      `/${database}?host=${host}&port=${port}`,
    ])
      expect(await answer(open(account() + rest))).toEqual([{ one: 1 }]);
  });

  it('an IPv6 address', async () => {
    const { host, port, database } = server.connection;
    const listener = new Listener(path.join(host, `.s.PGSQL.${port}`));
    await listener.listen({ host: '::1', port: 0 });
    try {
      expect(await answer(open(`${account()}[::1]:${listener.port}/${database}`))).toEqual([{ one: 1 }]);
    } finally {
      await listener.close();
    }
  });
});

/** The ports of both doors, in this order. */
function both(parameters = ''): string {
  const [first, second] = [one, other].map((door) => new URL(door.uri()).host);
  return `${account()}${first},${second}/${server.connection.database}${parameters}`;
}

describe('a server that accepts connections and closes them', () => {
  it.each(['disable', 'require', 'require&sslnegotiation=direct'])(
    'fails each statement after one connection (sslmode=%s)',
    async (mode) => {
      const proxy = await closing();
      const database = open(`${account()}${proxy.address}/x?sslmode=${mode}`);
      for (const connections of [1, 2]) {
        await expect(answer(database)).rejects.toMatchObject({
          code: 'DATABASE_UNAVAILABLE',
          cause: { code: mode.endsWith('direct') ? 'ECONNRESET' : 'CLOSED_AT_ONCE' },
        });
        expect(proxy.connections()).toBe(connections);
      }
      await proxy.close();
    },
  );

  it('is used again as soon as one is behind it', async () => {
    const uri = one.uri();
    await one.shut();
    const proxy = await closing(Number(new URL(uri).port));
    const database = open(uri);
    await expect(answer(database)).rejects.toThrow(Refusal);
    await proxy.close();
    await one.open();
    expect(await answer(database)).toEqual([{ one: 1 }]);
  });

  it('is one of several that cannot be used', async () => {
    const proxy = await closing();
    const [, second = ''] = both().split(',');
    const uri = `${account()}${proxy.address},${second}`;
    expect(await answer(open(uri))).toEqual([{ one: 1 }]);
    const seen = await lookAtEach(readConnectionUri(uri));
    expect(seen).toMatchObject([{ error: { code: 'CLOSED_AT_ONCE' } }, { isStandby: false }]);
    await proxy.close();
  });
});

describe('of several servers', () => {
  it('the first that answers is used, and looked for again once it is lost', async () => {
    const database = open(both());
    await one.shut();
    expect(await answer(database)).toEqual([{ one: 1 }]);
    await one.open();
    await other.shut();
    await expect.poll(() => answer(database).catch(() => [])).toEqual([{ one: 1 }]);
    await Promise.all([one.shut()]);
    await expect.poll(() => answer(database).catch((error: unknown) => String(error))).toContain('Refusal');
    await other.open();
    await expect.poll(() => answer(database).catch(() => [])).toEqual([{ one: 1 }]);
    const transaction = database.transaction((query) => query<{ two: number }>('select 2 as two'));
    expect(await transaction).toEqual([{ two: 2 }]);
  });

  it('a list without a writable server is reported, with the state of each', async () => {
    await withSql(server.connection, async (sql) => {
      await sql.unsafe(
        `alter database "${server.connection.database}" set default_transaction_read_only = on`,
      );
    });
    await other.shut();
    const cause = await answer(open(both())).then(
      () => undefined,
      (error: unknown) => (error instanceof Refusal ? error.cause : error),
    );
    expect(String(cause)).toMatch(
      /no server is read-write \(127\.0\.0\.1:\d+ is read-only; 127\.0\.0\.1:\d+: .*ECONNREFUSED/,
    );
    expect(await answer(open(both('?target_session_attrs=any')))).toEqual([{ one: 1 }]);
    await withSql(server.connection, async (sql) => {
      await sql.unsafe(
        `set transaction read write; alter database "${server.connection.database}" reset default_transaction_read_only`,
      );
    });
  });

  it('one that refuses the role ends the search', async () => {
    const wrong = both().replace(encodeURIComponent(server.connection.password), 'wrong');
    const error: unknown = await answer(open(wrong)).catch((reason: unknown) => reason);
    expect(error instanceof Refusal && (error.cause as { code?: unknown }).code).toBe('28P01');
  });
});

const primary: ServerState = { isStandby: false, isReadOnly: false };
const standby: ServerState = { isStandby: true, isReadOnly: true };
const frozen: ServerState = { isStandby: false, isReadOnly: true };

describe('target_session_attrs', () => {
  /** h1 is away, then these. */
  async function found(kind: string, states: readonly ServerState[]): Promise<string> {
    const hosts = ['h1', ...states.map((_state, place) => `h${place + 2}`)];
    const target = readConnectionUri(`postgresql://${hosts.join(',')}/db?target_session_attrs=${kind}`);
    const look: Look = ({ host }) => {
      const state = states[Number(host.slice(1)) - 2];
      return state === undefined
        ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
        : Promise.resolve(state);
    };
    return new ServerFinder(target, look).find().then(
      ({ host }) => host,
      (error: unknown) => String(error),
    );
  }

  test.each([
    ['any', [standby, primary], 'h2'],
    ['read-write', [standby, frozen, primary], 'h4'],
    ['read-only', [primary, frozen], 'h3'],
    ['primary', [standby, frozen], 'h3'],
    ['standby', [primary, standby], 'h3'],
    ['prefer-standby', [primary, standby], 'h3'],
    ['prefer-standby', [primary, frozen], 'h2'],
    ['read-write', [standby], 'Error: no server is read-write (h1:5432: away; h2:5432 is a standby)'],
    ['standby', [primary], 'Error: no server is standby (h1:5432: away; h2:5432 is a primary)'],
  ] as const)('%s', async (kind, states, expected) => {
    expect(await found(kind, states)).toBe(expected);
  });

  it('a server that does not answer delays the next one by half a second, and is not waited for', async () => {
    const target = readConnectionUri('postgresql://h1,h2,h3/db');
    const asked: string[] = [];
    const look: Look = ({ host }) => {
      asked.push(host);
      return host === 'h2' ? Promise.resolve(primary) : new Promise<never>(() => undefined);
    };
    expect((await new ServerFinder(target, look).find()).host).toBe('h2');
    expect(asked).toEqual(['h1', 'h2']);
  });

  it('a server that answers late is used when no other can be', async () => {
    const target = readConnectionUri('postgresql://h1,h2/db');
    const late = Promise.withResolvers<ServerState>();
    const look: Look = ({ host }) => {
      if (host === 'h1') return late.promise;
      late.resolve(primary);
      return Promise.resolve(standby);
    };
    expect((await new ServerFinder(target, look).find()).host).toBe('h1');
  });
});
