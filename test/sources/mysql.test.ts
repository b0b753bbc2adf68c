/** As every-source.test.ts and export-from.test.ts, from MariaDB. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireDatabaseProvider } from '../../src/exports/providers/index.ts';
import { openDatabase, openToWrite } from '../../src/exports/sources/open.ts';
import { openSource } from '../../src/exports/sources/read.ts';
import { OwnRows } from '../../src/exports/sources/written/own-rows.ts';
import type { DatabaseUser } from '../../src/exports/providers/database.ts';
import { base32Of } from '../../src/hashes/parts/one-time-code.ts';
import { convertRow } from '../helpers/framework-exports.ts';
import { hasMariadb, type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { type OldSystem, testSystems } from '../helpers/old-systems.ts';
import { inMysql, mysqlTablesOf, tablesOf } from '../helpers/sources.ts';

const laravel = requireDatabaseProvider('laravel');
const wordpress = requireDatabaseProvider('wordpress');
const google = { id: 'google', userId: '109876543210987654321' };
const started = Date.parse('2024-01-01T00:00:00Z');

const ada = { emails: ['ada@example.com'], thirdParty: [google], timeJoined: started };

const systems: readonly OldSystem[] = [
  {
    name: 'django',
    ada: { ...ada, id: '42' },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['inactive@example.com'],
    written: 2,
    byKind: { pbkdf2: 2 },
    leftOut: ['the user has no email'],
  },
  {
    name: 'keycloak',
    ada: { ...ada, id: '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01' },
    isVerified: true,
    metadata: { groups: ['/staff/paris'], clientRoles: { app: ['manage'] } },
    roles: ['editor'],
    signIn: ['ada@example.com', 'long-ago@example.com'],
    kept: ['bob@example.com', 'root@example.com'],
    written: 3,
    byKind: { argon2: 1, pbkdf2: 2 },
    leftOut: ['service account', 'realm shop'],
  },
  {
    name: 'kratos',
    ada: { ...ada, id: '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11' },
    isVerified: true,
    metadata: { metadata_public: { plan: 'pro' } },
    signIn: ['ada@example.com'],
    kept: ['inactive@example.com'],
    written: 2,
    byKind: { argon2: 2 },
  },
  {
    name: 'laravel',
    ada: { id: '42', emails: ['ada@example.com'], thirdParty: [google], timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['banned@example.com'],
    written: 2,
    byKind: { bcrypt: 2 },
  },
  {
    name: 'wordpress',
    ada: { id: '42', emails: ['ada@example.com'], timeJoined: started },
    isVerified: false,
    metadata: { username: 'ada', first_name: 'Ada', last_name: 'Lovelace' },
    roles: ['editor'],
    signIn: ['ada@example.com', 'bob@example.com'],
    kept: ['zero@example.com', 'fay@example.com', 'tom@example.com'],
    written: 5,
    byKind: { bcrypt_wordpress: 1, phpass: 3 },
  },
];

describe.skipIf(!hasMariadb)(
  'MariaDB (left out where there is no mariadbd: apt-get install mariadb-server)',
  () => {
    let mariadb: Mariadb;
    beforeAll(async () => {
      mariadb = await startMariadb();
    });
    afterAll(() => mariadb.stop());

    // Its own file has no accounts of social-auth.
    const tablesIn = async (name: string) =>
      name === 'django' ? inMysql(await tablesOf(name)) : mysqlTablesOf(name);
    testSystems(systems, async (name) => mariadb.create(name, await tablesIn(name)));

    it("reads the bytes of Wordfence's secrets, and Two Factor's", async () => {
      const { address, drop } = await mariadb.create('factors', await mysqlTablesOf('wordpress'));
      const engine = await openDatabase(wordpress, { text: address, password: undefined });
      const users: DatabaseUser[] = [];
      const { pages } = await openSource(wordpress, engine, {
        naming: { ...naming, prefix: 'wp_' },
        realm: undefined,
      });
      for await (const page of pages()) users.push(...page);
      await engine.close();
      await drop();
      const factors = users.map(({ row, related }) => {
        const conversion = convertRow(wordpress, row, related, {});
        return conversion.ok ? [row.user_login, conversion.user.totpDevices] : [];
      });
      expect(Object.fromEntries(factors)).toMatchObject({
        fay: [{ secretKey: base32Of(Buffer.from('a1b2c3d4e5f6a7b8c9dadbecfda1b2c3d4e5f6a7', 'hex')) }],
        tom: [{ secretKey: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }],
        ada: undefined,
      });
    });

    const naming = { schema: undefined, prefix: '', usersTable: undefined };

    it('is read as it was at one moment, to the last digit of an id', async () => {
      const { address, drop } = await mariadb.create(
        'moment',
        `
      create table users (id bigint unsigned not null primary key, email text not null, password text not null);
      insert into users select 18446744073709549115 + seq, concat('user', seq, '@example.com'), 'first' from seq_1_to_2500;`,
      );
      const engine = await openDatabase(laravel, { text: address, password: undefined });
      const seen: unknown[] = [];
      const { pages } = await openSource(laravel, engine, { naming, realm: undefined });
      for await (const page of pages()) {
        if (seen.length === 0)
          await mariadb.run(
            'moment',
            "delete from users where id > 18446744073709551000; update users set password = 'second'",
          );
        seen.push(...page.map(({ row }) => `${String(row.id)} ${String(row.password)}`));
      }
      expect(seen).toHaveLength(2500);
      expect(new Set(seen).size).toBe(2500);
      expect(seen.at(-1)).toBe('18446744073709551615 first');
      await engine.close();
      await drop();
    });

    it('cannot be changed by reading it, and no statement follows the end', async () => {
      const { address, drop } = await mariadb.create('unchanged', 'create table users (id int)');
      const asRoot = new URL(address);
      [asRoot.username, asRoot.password] = ['root', ''];
      const engine = await openDatabase(laravel, { text: asRoot.href, password: undefined });
      const written = engine.rows({ text: 'delete from users', parameters: [] });
      await expect(written).rejects.toThrow('READ ONLY transaction');
      await engine.close();
      await expect(engine.rows({ text: 'select 1', parameters: [] })).rejects.toThrow();
      await drop();
    });

    it('gets new keys of a JSON column next to its others', async () => {
      const { address, drop } = await mariadb.create(
        'claims',
        `create table claims (user_id int, data json);
         insert into claims values (1, '{"email": "old@example.com", "plan": "pro"}'), (2, null)`,
      );
      await mariadb.run('claims', "grant update on claims.* to 'reader'@'localhost'");
      const engine = await openToWrite(laravel, { text: address, password: undefined, environment: {} });
      const table = { schema: 'claims', table: 'claims', userKey: 'user_id', hasIntegerKey: true };
      const rows = new OwnRows(engine, { ...table, realm: undefined, named: String });
      const email = 'new@example.com';
      for (const key of ['1', '2']) await rows.update(key, { data: { json: { email } } }, {});
      const found = await engine.rows({ text: 'select user_id as _key, data from claims', parameters: [] });
      expect(found.map(({ row }) => JSON.parse(String(row.data)) as object)).toEqual([
        { email, plan: 'pro' },
        { email },
      ]);
      await engine.close();
      await drop();
    });

    it('refuses in one line, without the password', async () => {
      const { address, drop } = await mariadb.create('empty', 'create table other (id int)');
      const other = (change: (url: URL) => void): string => {
        const url = new URL(address);
        change(url);
        return url.href;
      };
      const refusal = async (text: string, password?: string): Promise<string> => {
        const error: unknown = await openDatabase(laravel, { text, password }).catch(
          (reason: unknown) => reason,
        );
        expect(error).toMatchObject({ name: 'SourceFault' });
        return String(error);
      };
      const wrong = await refusal(address, 'never-to-be-seen');
      expect(wrong).toMatch(/Access denied.*Check the address, the password/);
      expect(wrong).not.toContain('never-to-be-seen');
      expect(await refusal(other((url) => (url.pathname = '/')))).toContain('names no database');
      expect(await refusal(other((url) => (url.pathname = '/nowhere')))).toContain('nowhere');
      expect(await refusal(other((url) => (url.search += '&charset=x')))).toContain('charset is not known');
      await drop();
    });
  },
);
