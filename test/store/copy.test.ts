/** COPY through the one door: the driver loses its errors, and connections are lost in the middle of it. */
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CopyBytes } from '../../src/imports/parse/copy-binary.ts';
import type { Pause } from '../../src/database/transfer/copy-in.ts';
import { type Copy, type Database, type DatabaseOptions, openDatabase } from '../../src/database/database.ts';
import { isAborted, isUniqueViolation } from '../../src/database/sqlstate.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';

let server: TestDatabase;
/** For looking and interfering from outside. */
let admin: Database;
let database: Database;
const opened: Database[] = [];

beforeAll(async () => {
  server = await createDatabase();
  admin = openDatabase({ target: server.connection, poolSize: 2 });
  await admin.write('create table public.notes (id integer primary key, text text)');
  database = open();
});
afterEach(async () => {
  await Promise.all(opened.splice(1).map((each) => each.close(0)));
  await admin.write('truncate public.notes');
});
afterAll(async () => {
  await Promise.all([admin, database].map((each) => each.close(1000)));
  await server.drop();
});

function open(target: DatabaseOptions['target'] = server.connection, newPause?: () => Pause): Database {
  const made = openDatabase({ target, poolSize: 1, ...(newPause && { newPause }) });
  opened.push(made);
  return made;
}

const intoNotes = 'copy public.notes (id, text) from stdin (format binary)';
const lost = { name: 'Refusal', code: 'OUTCOME_UNKNOWN' };

function bytesOf(notes: readonly (readonly [number, string?])[]): Uint8Array {
  const bytes = new CopyBytes(100);
  for (const [id, text] of notes) {
    bytes.row(2);
    bytes.int32(id);
    bytes.text(text);
  }
  return bytes.finish();
}

const copying = (work: (copy: Copy) => Promise<unknown>, on = database): Promise<unknown> =>
  on.transaction((_, savepoint) => savepoint((_query, copy) => work(copy)));
const notes = () => admin.read<{ id: number; text: string }>('select * from public.notes order by id');
const next = async (on = database): Promise<void> => {
  await copying((copy) => copy(intoNotes, bytesOf([[1000, 'next']])), on);
  expect(await notes()).toContainEqual({ id: 1000, text: 'next' });
};

describe('a copy', () => {
  it('is written with its transaction, and others may follow on the same connection', async () => {
    for (const from of [0, 10]) {
      await database.transaction(async (query, savepoint) => {
        await query('insert into public.notes values ($1)', [from]);
        await savepoint(async (inner, copy) => {
          await copy(intoNotes, bytesOf([[from + 1, 'a']]));
          await copy(intoNotes, bytesOf([[from + 2]]));
          await inner('insert into public.notes values ($1)', [from + 3]);
          await copy(intoNotes, bytesOf([]));
        });
        await query('insert into public.notes values ($1)', [from + 4]);
      });
    }
    expect((await notes()).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 10, 11, 12, 13, 14]);
  });

  it('has every text as it is', async () => {
    const texts = [
      '',
      '\\N',
      '\t\n\r\b\f\v',
      '\\\\.',
      `'"{},NULL`,
      'Zoë 漢字 🎉 \u2028\ufeff',
      '\u0001\u007f',
    ];
    await copying((copy) => copy(intoNotes, bytesOf(texts.map((text, id) => [id, text]))));
    expect((await notes()).map(({ text }) => text)).toEqual(texts);
  });

  it('of some megabytes is written whole', async () => {
    const many = Array.from({ length: 50_000 }, (_, n): [number, string] => [n, 'x'.repeat(100)]);
    await copying((copy) => copy(intoNotes, bytesOf(many)));
    const [row] = await admin.read(
      `select count(*)::int as n, min(text) = max(text) as "isSame" from public.notes`,
    );
    expect(row).toEqual({ n: 50_000, isSame: true });
  });

  it.each([1, 50_000])(
    'of %i rows that meets a key is taken back, and its transaction goes on',
    async (count) => {
      await admin.write(`insert into public.notes values (0, 'was there')`);
      const many = Array.from({ length: count }, (_, n): [number, string] => [count - 1 - n, 'new']);
      await database.transaction(async (query, savepoint) => {
        await query(`insert into public.notes values (-1, 'before')`);
        const failed = savepoint((_query, copy) => copy(intoNotes, bytesOf(many)));
        const error: unknown = await failed.catch((reason: unknown) => reason);
        expect(isUniqueViolation(error) || isAborted(error)).toBe(true);
        await savepoint((_query, copy) => copy(intoNotes, bytesOf([[-2, 'after']])));
      });
      expect((await notes()).map(({ text }) => text)).toEqual(['after', 'before', 'was there']);
      await next();
    },
  );

  it('of bytes that are no rows is taken back', async () => {
    const broken = bytesOf([[1, 'cut']]).subarray(0, -8);
    await expect(copying((copy) => copy(intoNotes, broken))).rejects.toThrow(Error);
    expect(await notes()).toEqual([]);
    await next();
  });

  it('into a table that is not there rejects with the server’s error', async () => {
    const wrong = copying((copy) => copy('copy public.nothing from stdin', bytesOf([])));
    await expect(wrong).rejects.toMatchObject({ code: '42P01' });
    await next();
  });
});

describe('a copy that pauses', () => {
  /** Waits before this piece until it is released. */
  function pausing(before: number) {
    const reached = Promise.withResolvers<undefined>();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let asked = 0;
    const newPause = () => {
      let pieces = 0;
      return async (): Promise<void> => {
        asked++;
        if (++pieces !== before) return;
        reached.resolve(undefined);
        await promise;
      };
    };
    const goOn = () => {
      resolve(undefined);
    };
    return { reached: reached.promise, goOn, on: open(server.connection, newPause), asked: () => asked };
  }

  const many = (count: number) =>
    bytesOf(Array.from({ length: count }, (_, n): [number, string] => [2000 + n, 'x'.repeat(100)]));
  /** Bytes that the server has read of the running copy. */
  async function bytesRead(): Promise<number> {
    const [row] = await admin.read<{ bytes: number }>(
      'select bytes_processed as bytes from pg_stat_progress_copy where datname = current_database()',
    );
    return row?.bytes ?? 0;
  }

  it('waits before each piece, and makes a pause of its own for each copy', async () => {
    const { on, asked, goOn } = pausing(2);
    goOn();
    const bytes = many(2000);
    await copying((copy) => copy(intoNotes, bytes), on);
    expect(asked()).toBe(Math.ceil(bytes.length / 65_536));
    await next(on);
    expect(asked()).toBe(Math.ceil(bytes.length / 65_536) + 1);
  });

  it('has the server wait with it, and is written whole afterwards', async () => {
    const { on, reached, goOn } = pausing(3);
    const bytes = many(5000);
    const copied = copying((copy) => copy(intoNotes, bytes), on);
    await reached;
    while ((await bytesRead()) < 2 * 65_536);
    expect(await bytesRead()).toBe(2 * 65_536);
    expect(await notes()).toEqual([]);
    goOn();
    await copied;
    expect(await notes()).toHaveLength(5000);
  });

  it('and has failed meanwhile is taken back at once, and no piece follows', async () => {
    await admin.write(`insert into public.notes values (2000, 'was there')`);
    const { on, reached, goOn, asked } = pausing(4);
    const copied = copying((copy) => copy(intoNotes, many(5000)), on);
    const settled = expect(copied).rejects.toSatisfy(isUniqueViolation);
    await reached;
    await settled;
    goOn();
    await next(on);
    expect(asked()).toBe(4 + 1);
  });

  it('and has lost its connection leaves an unknown outcome, and the next one works', async () => {
    const { on, reached, goOn } = pausing(2);
    const copied = copying((copy) => copy(intoNotes, many(5000)), on);
    const settled = expect(copied).rejects.toMatchObject(lost);
    await reached;
    await admin.read(
      `select pg_terminate_backend(pid) from pg_stat_progress_copy where datname = current_database()`,
    );
    await settled;
    goOn();
    await next(on);
    expect(await notes()).toHaveLength(1);
  });
});

describe('a connection that is lost in the middle of a copy', () => {
  /** The backend of a copy that waits for another's lock. */
  async function terminateWaiting(): Promise<void> {
    for (let isDone = false; !isDone;) {
      const rows = await admin.read(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query like 'copy %' and wait_event_type = 'Lock'`,
      );
      isDone = rows.length > 0;
    }
  }

  it.each([
    ['before its bytes', 'lock table public.notes in exclusive mode'],
    ['behind its bytes', `insert into public.notes values (1, 'first')`],
  ])('%s leaves an unknown outcome, and the next one works', async (_, holding) => {
    await admin.transaction(async (query) => {
      await query(holding);
      const waiting = copying((copy) => copy(intoNotes, bytesOf([[1], [2]])));
      const settled = expect(waiting).rejects.toMatchObject(lost);
      await terminateWaiting();
      await settled;
    });
    expect((await notes()).filter(({ id }) => id !== 1)).toEqual([]);
    await next();
  });

  it('among its bytes leaves an unknown outcome, and the next one works', async () => {
    const gateway = await openGateway(300_000);
    const through = open({ ...server.connection, host: '127.0.0.1', port: gateway.port });
    const many = Array.from({ length: 50_000 }, (_, n): [number, string] => [n, 'x'.repeat(100)]);
    await expect(copying((copy) => copy(intoNotes, bytesOf(many)), through)).rejects.toMatchObject(lost);
    expect(await notes()).toEqual([]);
    await next(through);
    await through.close(0);
    await gateway.close();
  });

  /** Cuts the first connection through it after this number of sent bytes. */
  async function openGateway(bytes: number) {
    const { host, port } = server.connection;
    let rest = bytes;
    const listener = net.createServer((near) => {
      const far = net.connect(path.join(host, `.s.PGSQL.${port}`));
      near.on('error', () => undefined).on('close', () => far.destroy());
      far.on('error', () => undefined).on('close', () => near.destroy());
      far.pipe(near);
      near.on('data', (piece) => {
        far.write(piece);
        rest -= piece.length;
        if (rest >= 0) return;
        rest = Number.POSITIVE_INFINITY;
        near.destroy();
      });
    });
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    return {
      port: (listener.address() as net.AddressInfo).port,
      close: async () => {
        listener.close();
        await once(listener, 'close');
      },
    };
  }
});
