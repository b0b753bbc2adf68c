/** Keycloak's tables in MySQL, whose names are in capitals: on Linux they are other ones than in small letters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseUser } from '../../src/exports/providers/database.ts';
import { requireDatabaseProvider } from '../../src/exports/providers/index.ts';
import { openDatabase, openToWrite } from '../../src/exports/sources/open.ts';
import { openSource } from '../../src/exports/sources/read.ts';
import { openUserTable } from '../../src/exports/sources/written/table.ts';
import { writeUsers } from '../../src/exports/sources/written/write-user.ts';
import { hasMariadb, type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { openWritten, type WrittenDatabase } from '../helpers/write-back.ts';

const keycloak = requireDatabaseProvider('keycloak');
const naming = { schema: undefined, prefix: '', usersTable: undefined };

describe.skipIf(!hasMariadb)('tables in capitals (left out where there is no mariadbd)', () => {
  let mariadb: Mariadb;
  let old: WrittenDatabase;
  beforeAll(async () => {
    mariadb = await startMariadb();
    old = await openWritten('keycloak', mariadb);
    const tables = await old.rows<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = database()',
    );
    const columns = await old.rows<{ name: string; column: string }>(
      'select table_name as name, column_name as `column` from information_schema.columns where table_schema = database()',
    );
    const renamed = columns.map(
      ({ name, column }) => `alter table ${name} rename column \`${column}\` to \`${column.toUpperCase()}\``,
    );
    const moved = tables.map(({ name }) => `rename table ${name} to ${name.toUpperCase()}`);
    await old.run([...renamed, ...moved].join('; '));
  });
  afterAll(() => mariadb.stop());

  it('are read: users of the realm alone, with what belongs to them', async () => {
    const engine = await openDatabase(keycloak, { text: old.address, password: undefined });
    try {
      const { users, pages } = await openSource(keycloak, engine, { naming, realm: 'shop' });
      const read: DatabaseUser[] = [];
      for await (const page of pages()) read.push(...page);
      expect([users, read.length]).toEqual([4, 4]);
      expect(read[0]?.row).toMatchObject({
        email: 'ada@example.com',
        realmRoles: ['editor'],
        clientRoles: { app: ['manage'] },
        groups: ['/staff/paris'],
      });
    } finally {
      await engine.close();
    }
  });

  it('are written', async () => {
    const engine = await openToWrite(keycloak, { text: old.address, password: undefined });
    try {
      const table = await openUserTable(keycloak, engine, { naming, realm: undefined });
      const hash =
        '$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFndGFndGFndGFndGFndGE';
      const now = {
        email: 'new@example.com',
        isVerified: true,
        passwordHash: hash,
        metadata: {},
        timeJoined: 1,
      };
      const changes = [{ id: 'here', now, was: [], key: undefined }];
      const { value: written } = await writeUsers(table, changes, { now: 2 }).next();
      expect(written?.outcome).toMatchObject({ mustReset: false });
      expect(
        await old.rows(`select EMAIL_CONSTRAINT, REALM_ID, CREATED_DATE, ROLE_ID, GROUP_ID
          from USER_ENTITY u join CREDENTIAL c on c.USER_ID = u.ID join USER_ROLE_MAPPING r on r.USER_ID = u.ID
          join USER_GROUP_MEMBERSHIP g on g.USER_ID = u.ID where u.ID = '${written?.outcome.key ?? ''}'`),
      ).toEqual([
        { EMAIL_CONSTRAINT: now.email, REALM_ID: 'r1', CREATED_DATE: 2, ROLE_ID: 'ro0', GROUP_ID: 'g1' },
      ]);
    } finally {
      await engine.close();
    }
  });
});
