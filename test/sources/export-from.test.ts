/** Guarantees of export-from for any system: one moment, no secret revealed, and clear errors. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCarryover } from '../../src/cli/program.ts';
import { requireDatabaseProvider } from '../../src/exports/providers/index.ts';
import { openDatabase } from '../../src/exports/sources/open.ts';
import { openSource } from '../../src/exports/sources/read.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { quietSurroundings } from '../helpers/command.ts';
import { createOldDatabase, type OldDatabase, tablesOf } from '../helpers/sources.ts';

const laravel = requireDatabaseProvider('laravel');

let place: Place;
const databases: OldDatabase[] = [];

beforeAll(async () => {
  place = await makePlace();
});

afterAll(async () => {
  await Promise.all([place.remove(), ...databases.map((each) => each.drop())]);
});

async function databaseOf(statements: string): Promise<OldDatabase> {
  const database = await createOldDatabase(statements);
  databases.push(database);
  return database;
}

const naming = { schema: undefined, prefix: '', usersTable: undefined };
const users = 2500;
const laravelUsers = `
  create table users (id bigserial primary key, email text not null, password text not null);
  insert into users (email, password) select 'user' || n || '@example.com', 'first' from generate_series(1, ${users}) n;`;

describe('what is read', () => {
  it('is the database of one moment, whatever changes between two pages', async () => {
    const database = await databaseOf(laravelUsers);
    const engine = await openDatabase(laravel, { text: database.address, password: undefined });
    try {
      const readable = await openSource(laravel, engine, { naming, realm: undefined });
      const seen: unknown[] = [];
      for await (const page of readable.pages()) {
        if (seen.length === 0)
          await database.run(
            "update users set password = 'second'; delete from users where id > 2400; insert into users (email, password) values ('new@example.com', 'second')",
          );
        seen.push(...page.map(({ row }) => row.password));
      }
      expect(readable.users).toBe(users);
      expect(seen).toEqual(Array.from({ length: users }, () => 'first'));
    } finally {
      await engine.close();
    }
  });

  it('ends with a word where the connection breaks off, and never goes on with another moment', async () => {
    const database = await databaseOf(laravelUsers);
    const engine = await openDatabase(laravel, { text: database.address, password: undefined });
    const { pages } = await openSource(laravel, engine, { naming, realm: undefined });
    const read = async (): Promise<void> => {
      for await (const page of pages())
        if (page.length > 0)
          await database.run(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          );
    };
    await expect(read()).rejects.toThrow('broke off, and with it what it showed: begin again');
    await engine.close();
  });

  it('cannot be changed by reading it', async () => {
    const database = await databaseOf(laravelUsers);
    const engine = await openDatabase(laravel, { text: database.address, password: undefined });
    const written = engine.rows({ text: 'delete from users', parameters: [] });
    await expect(written).rejects.toThrow('read-only transaction');
    await engine.close();
  });
});

describe('the file', () => {
  it('is compressed where its name says so, and stands there whole or not at all', async () => {
    const { address } = await databaseOf(await tablesOf('better-auth'));
    const run = ['export-from', address, '--from', 'better-auth'];
    expect(await place.run([...run, '-o', 'users.ndjson.gz'])).toMatchObject({ code: 0, stdout: '' });
    const text = gunzipSync(await readFile(path.join(place.folder, 'users.ndjson.gz'))).toString();
    expect(text.trim().split('\n')).toHaveLength(2);
    expect((await place.list()).filter((name) => name.startsWith('users'))).toEqual(['users.ndjson.gz']);
  });

  it('is not there where reading fails, and a pipe then ends with what is no record', async () => {
    const { address } = await databaseOf(`
      create table people (id serial primary key);
      insert into people select from generate_series(1, ${users});
      create view users as select id, id || '@example.com' as email, (0 / (id - 2400))::text as password from people;`);
    const run = [
      'export-from',
      address,
      '--from',
      'laravel',
      '--hash-as',
      'md5',
      '--rejects',
      'failed.ndjson',
    ];
    const piped = await place.run(run);
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('division by zero') as string });
    expect(() => JSON.parse(piped.stdout.trim().split('\n').at(-1) ?? '') as unknown).toThrow(SyntaxError);
    expect(await place.run([...run, '-o', 'failing.ndjson'])).toMatchObject({ code: 2 });
    expect((await place.list()).filter((name) => name.startsWith('failing'))).toEqual([]);
  });

  it('is not there after an interruption, and the command ends at once', async () => {
    const { address } = await databaseOf(laravelUsers);
    const interrupt = new AbortController();
    const stderr = new PassThrough().on('data', (chunk: Buffer) => {
      if (String(chunk).includes('Reading')) interrupt.abort();
    });
    const given = { stderr, interrupt: interrupt.signal };
    const args = ['export-from', address, '--from', 'laravel', '--hash-as', 'md5', '-o', 'cut.ndjson'];
    expect(await runCarryover(args, 'test', quietSurroundings(place.folder, given))).toBe(130);
    expect((await place.list()).filter((name) => name.startsWith('cut'))).toEqual([]);
  });
});

describe('the password', () => {
  it('comes from a file or the environment, and is never printed', async () => {
    const { address } = await databaseOf(await tablesOf('better-auth'));
    const bare = new URL(address);
    const secret = decodeURIComponent(bare.password);
    bare.password = '';
    await place.write('password', `${secret}\n`);
    await place.write('wrong', 'never-to-be-seen\n');
    const run = ['export-from', bare.href, '--from', 'better-auth'];
    const environment = { PGPASSWORD: secret };
    expect(await place.run([...run, '--password-file', 'password'])).toMatchObject({ code: 0 });
    expect(await place.run(run, { environment })).toMatchObject({ code: 0 });
    const refused = await place.run([...run, '--password-file', 'wrong']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('password authentication failed');
    expect(JSON.stringify(refused)).not.toContain('never-to-be-seen');
  });

  it.each([
    ['no URL: %secret', 'The address is no URL'],
    ['https://me:%secret@localhost/x', 'must begin with postgres:// or mysql://'],
    ['postgres://me:%secret@localhost/x?sslmode=none', 'sslmode must be one of'],
    ['mysql://me:%secret@localhost/x', 'supabase is read from PostgreSQL only'],
    ['postgres://me:%secret@localhost:1/x', 'The old database: '],
  ])('is not printed by the error of %s', async (address, said) => {
    const secret = 'sEcReT42';
    const ended = await place.run(['export-from', address.replace('%secret', secret), '--from', 'supabase']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(said);
    expect(ended.stderr).not.toContain(secret);
  });
});

describe('tables that are not there', () => {
  const said = async (statements: string, ...args: readonly string[]): Promise<string> => {
    const { address } = await databaseOf(statements);
    const ended = await place.run(['export-from', address, ...args]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    return ended.stderr;
  };

  it('are named, with the column that is missing and the versions that are known', async () => {
    expect(await said('create table users (id int, name text)', '--from', 'devise')).toMatch(
      /The table public\.users has no column email: devise is read from the table users of Devise/,
    );
    expect(await said('', '--from', 'supabase')).toContain('There is no table users in auth: supabase is');
    expect(await said(await tablesOf('authjs'), '--from', 'better-auth')).toContain('no column createdAt');
  });

  it('are looked for in other schemas, under other names and behind a prefix', async () => {
    const elsewhere = `create schema app; create table app.shop_members (id int, email text, password text);`;
    const named = ['--from', 'laravel', '--users-table', 'shop_members'];
    expect(await said(elsewhere, ...named)).toContain('there is one in app: give --schema app');
    const { address } = await databaseOf(elsewhere);
    const found = await place.run(['export-from', address, ...named, '--schema', 'app']);
    expect(found).toMatchObject({ code: 0, stderr: expect.stringContaining('app.shop_members') as string });
    const { address: prefixed } = await databaseOf(
      'create table x_users (id int, email text, password text)',
    );
    const args = ['export-from', prefixed, '--from', 'laravel', '--table-prefix', 'x_'];
    expect(await place.run(args)).toMatchObject({ code: 0 });
  });
});

describe('rights', () => {
  it('that are missing, and policies that hide rows, are no empty export', async () => {
    const { address, run, connection } = await databaseOf(await tablesOf('supabase'));
    const role = `reader_${randomUUID().replaceAll('-', '')}`;
    await run(
      `create role ${role} login password 'x'; grant connect on database ${connection.database} to ${role}`,
    );
    const asReader = new URL(address);
    [asReader.username, asReader.password] = [role, 'x'];
    const read = ['export-from', asReader.href, '--from', 'supabase'];
    try {
      const refused = await place.run(read);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(/permission denied for schema auth.*a role that may/);
      await run(
        `grant usage on schema auth to ${role}; grant select on all tables in schema auth to ${role}`,
      );
      const hidden = await place.run(read);
      expect(hidden).toMatchObject({ code: 2, stdout: '' });
      expect(hidden.stderr).toMatch(/row-level security.*BYPASSRLS/);
    } finally {
      await run(`drop owned by ${role}; drop role ${role}`);
    }
  });
});

describe('one of several realms', () => {
  it('is asked for, and read alone', async () => {
    const { address } = await databaseOf(
      `${await tablesOf('keycloak')}; insert into realm values ('r2', 'blog', true)`,
    );
    const run = ['export-from', address, '--from', 'keycloak'];
    expect((await place.run(run)).stderr).toContain(
      'Say which realm with --realm: there is master, shop, blog',
    );
    expect((await place.run([...run, '--realm', 'nowhere'])).stderr).toContain('no realm of that name');
    const { stdout } = await place.run([...run, '--realm', 'master']);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining('root@example.com')]);
    const { address: plain } = await databaseOf(await tablesOf('authjs'));
    const other = await place.run(['export-from', plain, '--from', 'authjs', '--realm', 'x']);
    expect(other.stderr).toContain('--realm: authjs has none, leave it out');
  });
});
