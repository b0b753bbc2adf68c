/** An external PostgreSQL: refused ones, and settings that a connection overrides. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { session } from '../../src/database/connection/settings.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { checkServer } from '../../src/database/server-check.ts';
import { createDatabase, type TestDatabase, withAdmin } from '../helpers/postgres.ts';

let server: TestDatabase;
const opened: Database[] = [];

beforeAll(async () => {
  server = await createDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close(0)));
});
afterAll(() => server.drop());

function open(name = server.connection.database): Database {
  const database = openDatabase({ target: { ...server.connection, database: name }, poolSize: 1 });
  opened.push(database);
  return database;
}

/** As its owner may have configured the database: for connections from now on. */
async function setUp(settings: Readonly<Record<string, string>>): Promise<void> {
  const { database } = server.connection;
  await withAdmin(server.connection, async (sql) => {
    for (const [name, value] of Object.entries(settings))
      await sql.unsafe(`alter database ${database} set ${name} = '${value}'`);
  });
}

describe('a server', () => {
  it('that forgets what it has committed is named by its settings', async () => {
    const before = await checkServer(open());
    expect(before).not.toContain('synchronous_commit');
    await setUp({ synchronous_commit: 'off' });
    expect(await checkServer(open())).toEqual([...before, 'synchronous_commit']);
  });

  it.each(['LATIN1', 'SQL_ASCII'])('is refused with a database in %s', async (encoding) => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await withAdmin(server.connection, async (sql) => {
      await sql.unsafe(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
    });
    try {
      await expect(checkServer(open(name))).rejects.toThrow(`The database's encoding is ${encoding}`);
    } finally {
      await opened.pop()?.close(0);
      await withAdmin(server.connection, async (sql) => {
        await sql.unsafe(`drop database ${name} with (force)`);
      });
    }
  });

  it.each([
    [
      'too old',
      { server_version: '14.19', server_version_num: '140019' },
      "The database's PostgreSQL is 14.19: the core needs 15 or newer",
    ],
    [
      'behind a pooler that drops settings',
      { search_path: '"$user", public', jit: 'on' },
      'settings (search_path, jit), so a pooler is in between: give the address of PostgreSQL itself, or see "PgBouncer" in docs/operate/postgres.md. Connections that the pooler opened before its role got the settings lack them, too: close them (RECONNECT)',
    ],
  ])('is refused when it is %s', async (_what, reported: Readonly<Record<string, string>>, message) => {
    const database = open();
    const other: Pick<Database, 'read'> = {
      read: async <Row extends object>(...query: Parameters<Database['read']>) => {
        const rows = await database.read<{ name: string; setting: string }>(...query);
        return rows.map(({ name, setting }) => ({
          name,
          setting: reported[name] ?? setting,
        })) as unknown as Row[];
      },
    };
    await expect(checkServer({ ...database, ...other })).rejects.toThrow(message);
  });
});

describe('tables that are distributed', () => {
  const list = 'carryover.pg_dist_partition';

  /** As Citus stores it, where the core finds it by the same name. */
  async function distribute(...tables: string[]): Promise<void> {
    const database = open();
    await migrate(database);
    await database.write(`create table if not exists ${list} (logicalrelid regclass)`);
    await database.write(`truncate ${list}`);
    await database.write(`insert into ${list} select unnest($1::text[])::regclass`, [
      `{${tables.join(',')}}`,
    ]);
  }
  afterEach(() => open().write(`drop table if exists ${list}`));

  it('are refused by name, with the way back', async () => {
    await distribute('carryover.users', 'carryover.identities');
    await expect(checkServer(open())).rejects.toThrow(
      /^Tables of the core are distributed over several servers \(identities, users\).*undistribute_table\('carryover.identities'\)/,
    );
    await distribute('users', 'identities', 'tokens', 'sign_ins');
    await expect(checkServer(open())).rejects.toThrow('(identities, sign_ins, tokens, …)');
  });

  it('are not ours where others have some', async () => {
    await distribute('pg_catalog.pg_class');
    expect(await checkServer(open())).toEqual(await checkServer(open()));
  });
});

describe('a connection', () => {
  it('has its own isolation and times, whatever the database has for others', async () => {
    await setUp({
      default_transaction_isolation: 'serializable',
      statement_timeout: '1ms',
      lock_timeout: '1ms',
      idle_in_transaction_session_timeout: '1ms',
    });
    const rows = await open().read<{ name: string; setting: string }>(
      'select name, current_setting(name) as setting from unnest($1::text[]) name',
      [`{${Object.keys(session).join(',')}}`],
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(session);
  });
});
