/** Reading and writing a whole database: as of one moment, and of older versions. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { applyMissing, DatabaseOfDevelopment, migrate, readMigrations } from '../../src/database/migrate.ts';
import { readAll } from '../../src/database/transfer/read-all.ts';
import { writeAll } from '../../src/database/transfer/write-all.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';

let databases: TestDatabase[];
let opened: Database[];
beforeEach(() => {
  databases = [];
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close(1000)));
  await Promise.all(databases.map((each) => each.drop()));
});

async function newDatabase(poolSize = 2): Promise<Database> {
  const made = await createDatabase();
  databases.push(made);
  const database = openDatabase({ target: made.connection, poolSize });
  opened.push(database);
  return database;
}

const insertUser = (email: string) =>
  `insert into users (app_no, recipe, email_verified, user_id, time_joined, email)
   values (0, 1, false, gen_random_uuid(), 1, '${email}')`;

/** All tables, by their names, as they are written. */
async function read(database: Database) {
  const rows = new Map<string, Uint8Array[]>();
  const contents = await readAll(database, async (reader) => {
    for (const table of reader.contents.tables) {
      const pieces: Uint8Array[] = [];
      await reader.readTable(table, (piece) => {
        pieces.push(Buffer.from(piece));
        return Promise.resolve();
      });
      rows.set(table.name, pieces);
    }
    return reader.contents;
  });
  return { contents, rows };
}

async function* from(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* await Promise.resolve(pieces);
}

async function write(into: Database, { contents, rows }: Awaited<ReturnType<typeof read>>): Promise<void> {
  await writeAll(into, contents.version, async (writer) => {
    for (const table of contents.tables) await writer.writeTable(table, from(rows.get(table.name) ?? []));
    await writer.setSequences(contents.sequences);
  });
}

const emailsOf = async (database: Database) =>
  (await database.read<{ email: string }>('select email from users order by 1')).map(({ email }) => email);

describe('reading all', () => {
  it('is of one moment, whatever a core writes meanwhile', async () => {
    const database = await newDatabase();
    await migrate(database);
    await database.write(insertUser('before@example.com'));
    const counts = await readAll(database, async ({ contents, readTable }) => {
      await database.write(insertUser('meanwhile@example.com'));
      await database.write(`insert into apps (app_id) values ('meanwhile')`);
      const found: [string, number][] = [];
      for (const table of contents.tables)
        found.push([table.name, await readTable(table, () => Promise.resolve())]);
      return new Map(found);
    });
    expect([counts.get('users'), counts.get('apps')]).toEqual([1, 1]);
    expect(await emailsOf(database)).toHaveLength(2);
  });

  it('is refused where a development version made the database', async () => {
    const database = await newDatabase();
    await migrate(database);
    await database.write(`update migrations set name = '0002_bulk_import.sql' where version = 2`);
    await expect(read(database)).rejects.toThrow(DatabaseOfDevelopment);
  });

  it('keeps a newer core from changing the tables until it ends', async () => {
    const database = await newDatabase(3);
    const older = (await readMigrations()).slice(0, -1);
    await database.transaction((query) => applyMissing(query, older));
    await database.write(insertUser('before@example.com'));
    const upgrade = Promise.withResolvers<number[]>();
    const rows = await readAll(database, async ({ contents, readTable }) => {
      migrate(database).then(upgrade.resolve, upgrade.reject);
      await expect
        .poll(() =>
          database.read(`select 1 from pg_locks where not granted and database = (
            select oid from pg_database where datname = current_database())`),
        )
        .toHaveLength(1);
      expect(contents.version).toBe(older.at(-1)?.version);
      const users = contents.tables.find(({ name }) => name === 'users');
      return readTable(users ?? { name: 'users', columns: [] }, () => Promise.resolve());
    });
    expect(rows).toBe(1);
    expect(await upgrade.promise).toHaveLength(1);
  });

  it('names tables that others refer to first, and none but the core’s owner’s', async () => {
    const database = await newDatabase();
    await migrate(database);
    const { contents } = await read(database);
    const names = contents.tables.map(({ name }) => name);
    for (const [first, then] of [
      ['apps', 'tenants'],
      ['roles', 'user_roles'],
      ['dashboard_users', 'dashboard_sessions'],
    ])
      expect(names.indexOf(first ?? '')).toBeLessThan(names.indexOf(then ?? ''));
    const found = await database.read<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'carryover'::regnamespace and relkind = 'r' and relname <> 'migrations'
         and relpersistence = 'p'`,
    );
    expect([...names].sort()).toEqual(found.map(({ name }) => name).sort());
    // They hold rows that a crash may lose.
    expect(names).not.toContain('guess_buckets');
    expect(names).not.toContain('cores');
  });
});

describe('writing all', () => {
  it.each([2, 11])('takes a database of version %i, and brings it to this one', async (version) => {
    const source = await newDatabase();
    const migrations = (await readMigrations()).filter((each) => each.version <= version);
    await source.transaction((query) => applyMissing(query, migrations));
    await source.write(insertUser('of-before@example.com'));
    await source.write(`insert into apps (app_id) values ('second')`);
    const target = await newDatabase();
    await write(target, await read(source));
    expect(await emailsOf(target)).toEqual(['of-before@example.com']);
    expect(await migrate(target)).toEqual([]);
    // The number that the old database would have assigned next.
    await target.write(`insert into apps (app_id) values ('third')`);
    expect(await target.read('select app_no, app_id from apps order by 1')).toEqual([
      { app_no: 0, app_id: 'public' },
      { app_no: 1, app_id: 'second' },
      { app_no: 2, app_id: 'third' },
    ]);
  });

  it('leaves nothing where its source fails', async () => {
    const source = await newDatabase();
    await migrate(source);
    const { contents, rows } = await read(source);
    const target = await newDatabase(1);
    const broken = writeAll(target, contents.version, async (writer) => {
      for (const table of contents.tables)
        await writer.writeTable(table, failingAfter(rows.get(table.name) ?? []));
    });
    await expect(broken).rejects.toThrow('the source fails');
    expect(await target.read(`select 1 from pg_namespace where nspname = 'carryover'`)).toEqual([]);
    await write(target, { contents, rows });
    expect(await migrate(target)).toEqual([]);
  });

  it('is refused where the schema has a table', async () => {
    const source = await newDatabase();
    await migrate(source);
    const target = await newDatabase();
    await target.write('create schema carryover');
    await target.write('create table carryover.notes (text text)');
    await expect(write(target, await read(source))).rejects.toThrow(
      'The database holds tables in the schema carryover (notes)',
    );
    await target.write('drop table carryover.notes');
    await write(target, await read(source));
  });
});

async function* failingAfter(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* from(pieces.map((piece) => piece.subarray(0, 10)));
  throw new Error('the source fails');
}

describe('a copy out', () => {
  const many = `copy (select n, repeat('x', 100) from generate_series(1, 200000) n) to stdout (format binary)`;

  it('waits for the reader, and returns all', async () => {
    const database = await newDatabase(1);
    let [bytes, atOnce, atMost] = [0, 0, 0];
    await database.transaction((_, savepoint) =>
      savepoint((_query, _copy, copyOut) =>
        copyOut(many, async (piece) => {
          atMost = Math.max(atMost, (atOnce += 1));
          await new Promise((resolve) => setImmediate(resolve));
          bytes += piece.length;
          atOnce -= 1;
        }),
      ),
    );
    expect([bytes, atMost]).toEqual([19 + 200_000 * (2 + 8 + 104) + 2, 1]);
  });

  it('that is no longer read ends, and its connection goes on', async () => {
    const database = await newDatabase(1);
    let taken = 0;
    const work = database.transaction(async (query, savepoint) => {
      const failed = savepoint((_query, _copy, copyOut) =>
        copyOut(many, () => {
          taken += 1;
          return Promise.reject(new Error('no room'));
        }),
      );
      await expect(failed).rejects.toThrow('no room');
      return query<{ n: number }>('select 1 as n');
    });
    expect(await work).toEqual([{ n: 1 }]);
    expect(taken).toBe(1);
    expect(await database.read('select 2 as n')).toEqual([{ n: 2 }]);
  });

  it('that is no longer read is stopped on the server, however much is left', async () => {
    const database = await newDatabase(1);
    const numbers = 'generate_series(1, 30000)';
    const endless = `copy (select repeat('.', 1000) from ${numbers} a, ${numbers} b) to stdout`;
    const work = database.transaction((_, savepoint) =>
      savepoint((_query, _copy, copyOut) => copyOut(endless, () => Promise.reject(new Error('no room')))),
    );
    await expect(work).rejects.toThrow('no room');
    expect(await database.read('select 2 as n')).toEqual([{ n: 2 }]);
  });

  it('of what is not there rejects with the server’s error', async () => {
    const database = await newDatabase(1);
    const wrong = database.transaction((_, savepoint) =>
      savepoint((_query, _copy, copyOut) =>
        copyOut('copy public.nothing to stdout', () => Promise.resolve()),
      ),
    );
    await expect(wrong).rejects.toMatchObject({ code: '42P01' });
    expect(await database.read('select 2 as n')).toEqual([{ n: 2 }]);
  });

  it('that fails in the middle rejects with the server’s error', async () => {
    const database = await newDatabase(1);
    const text = `copy (select 1 / (150000 - n) from generate_series(1, 200000) n) to stdout`;
    const wrong = database.transaction((_, savepoint) =>
      savepoint((_query, _copy, copyOut) => copyOut(text, () => Promise.resolve())),
    );
    await expect(wrong).rejects.toMatchObject({ code: '22012' });
    expect(await database.read('select 2 as n')).toEqual([{ n: 2 }]);
  });

  it('is over when its connection is lost', async () => {
    const database = await newDatabase(1);
    const admin = openDatabase({ target: databases[0]?.connection ?? never(), poolSize: 1 });
    opened.push(admin);
    let isEnded = false;
    const lost = database.transaction((_, savepoint) =>
      savepoint((_query, _copy, copyOut) =>
        copyOut(many, async () => {
          if (isEnded) return;
          isEnded = true;
          await admin.write(
            'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
          );
        }),
      ),
    );
    await expect(lost).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await database.read('select 2 as n')).toEqual([{ n: 2 }]);
  });
});

function never(): never {
  throw new Error('no database');
}
