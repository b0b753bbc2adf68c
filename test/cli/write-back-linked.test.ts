/** Users with several logins: what the tables of the old system can hold is written, and the rest is listed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { requireDatabaseProvider } from '../../src/exports/providers/index.ts';
import { newApp } from '../helpers/people.ts';
import { askPhp, hasPhp } from '../helpers/php.ts';
import { hasDjango, isRightForDjango } from '../helpers/python.ts';
import {
  openWritten,
  tallyOf,
  writableEngines,
  writingBack,
  type WrittenDatabase,
} from '../helpers/write-back.ts';
import { useCoreAndPlace } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
useCoreAndPlace(
  (used) => {
    ({ core, place } = used);
  },
  { settings: { ALLOW_HASH_EXPORT: 'true' } },
);

interface OldUser {
  readonly id: string | number;
  readonly email: string;
  readonly password: string;
  /** Of Laravel's. */
  readonly deleted_at?: unknown;
  readonly google_id?: string | null;
}

const google = { recipeId: 'thirdparty', thirdPartyId: 'google', thirdPartyUserId: '1098', isVerified: true };
const bcrypt = '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';
const pbkdf2 = 'pbkdf2_sha256$870000$Qm3vTz8LkW0pYxRa1sCe7B$I3zmeiKZSgb0jqJv6qA/j0zkGLSDCSx/zQOGhOsuZww=';
const socialTable = (quote: string, integer: string) => `
  create table socialaccount_socialaccount (
    id ${integer} primary key, provider varchar(30) not null, uid varchar(191) not null, last_login ${quote} not null,
    date_joined ${quote} not null, extra_data text not null, user_id int not null, unique (provider, uid)
  );`;

const systems = ['laravel', 'django'] as const;
const cases = writableEngines.flatMap(([engine = '']) => systems.map((system) => [system, engine] as const));

describe.each(cases)('linked users of %s in %s', (system, engine) => {
  let mariadb: Mariadb | undefined;
  let old: WrittenDatabase;
  let move: ReturnType<typeof writingBack>;
  const isLaravel = system === 'laravel';
  const hash = isLaravel ? bcrypt : pbkdf2;
  const users = isLaravel ? 'users' : 'auth_user';
  beforeAll(async () => {
    if (engine === 'MariaDB') mariadb = await startMariadb();
  });
  afterAll(() => mariadb?.stop());
  let app: string;
  beforeEach(async () => {
    app = await newApp(core);
    old = await openWritten(system, mariadb);
    if (mariadb === undefined) await old.run(`select setval('${users}_id_seq', 100)`);
    if (!isLaravel)
      await old.run(
        mariadb === undefined
          ? socialTable('timestamptz', 'serial')
          : socialTable('datetime(6)', 'int auto_increment'),
      );
    // Ada signs in there with Google alone, Bob with a password.
    await old.run(`update ${users} set email = 'ada@example.com', password = '' where id = 42`);
    await old.run(`update ${users} set email = 'bob@example.com', password = '${hash}' where id = 43`);
    if (isLaravel && mariadb === undefined) await old.run('update users set deleted_at = null');
    if (!isLaravel) await old.run('delete from account_emailaddress');
    move = writingBack({ core, place, app, system, old });
    await imported('42', { ...google, email: 'ada@example.com' });
    await imported('43', { recipeId: 'emailpassword', email: 'bob@example.com', passwordHash: hash });
    await move.lead();
    return () => old.drop();
  });

  function imported(externalUserId: string, method: object) {
    return move.ok('/bulk-import/import', { externalUserId, loginMethods: [method] });
  }
  const rows = () => old.rows<OldUser>(`select * from ${users} order by id`);
  const rowOf = async (id: number) => (await rows()).find((row) => Number(row.id) === id);
  const link = async (recipeUserId: string, primaryUserId: string) => {
    await move.ok('/recipe/accountlinking/user/primary', { recipeUserId: primaryUserId });
    await move.ok('/recipe/accountlinking/user/link', { recipeUserId, primaryUserId });
  };
  const withGoogle = async (thirdPartyUserId: string, email: string) => {
    const input = { thirdPartyId: 'google', thirdPartyUserId, email: { id: email, isVerified: true } };
    return ((await move.ok('/recipe/signinup', input)).user as { id: string }).id;
  };
  /** At the old system. */
  const loginsOf = async (id: number): Promise<string[]> => {
    if (isLaravel && mariadb === undefined) return [(await rowOf(id))?.google_id ?? ''].filter(Boolean);
    const [table, column] = isLaravel
      ? ['social_accounts', 'provider_user_id']
      : ['socialaccount_socialaccount', 'uid'];
    const found = await old.rows<{ provider: string; uid: string }>(
      `select provider, ${column} as uid from ${table} where user_id = ${id} order by id`,
    );
    expect(found.every(({ provider }) => provider === 'google')).toBe(true);
    return found.map(({ uid }) => uid);
  };

  const once = async () => tallyOf(await move.writeBack('--once'));
  const count = isLaravel ? 2 : 3;

  it('get the password that they signed up with here, in the row that they have', async () => {
    const id = await move.signUp('ada@example.com', 'a new password');
    await link(id, '42');
    expect(await once()).toMatchObject({ written: 1, conflicts: 0, mustReset: 0, leftOut: {} });
    const row = await rowOf(42);
    expect(row?.email).toBe('ada@example.com');
    judge(row?.password, 'a new password');
    expect(await rows()).toHaveLength(count);
    const before = await rows();
    expect(await once()).toMatchObject({ written: 0, conflicts: 0 });
    expect(await rows()).toEqual(before);
    await move.changed(id, { password: 'another password' });
    expect(await once()).toMatchObject({ written: 1, conflicts: 0 });
    judge((await rowOf(42))?.password, 'another password');
  });

  it('are the same users for a follower', async () => {
    // A user without an email is rejected.
    await old.run(`delete from ${users} where id not in (42, 43)`);
    const id = await move.signUp('ada@example.com', 'a new password');
    await link(id, '42');
    await link(await withGoogle('2077', 'bob@gmail.example'), '43');
    expect(await once()).toMatchObject({ written: 2, conflicts: 0, leftOut: {} });
    await withSql(core.database.connection, (sql) => sql`update carryover.move_leases set leased_until = 0`);
    const { code, stderr } = await move.follow();
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/rejected|conflict|both sides/)]);
    const { body } = await core.get(`${app}/users/count`);
    expect(body.count).toBe(2);
    expect(await once()).toMatchObject({ written: 0, conflicts: 0 });
    const signedIn = await core.post(`${app}/recipe/signin`, {
      email: 'ada@example.com',
      password: 'a new password',
    });
    expect(signedIn.body.status).toBe('OK');
  });

  it('keep one row if they were written as two users before', async () => {
    const id = await move.signUp('ada.lovelace@example.com', 'a new password');
    expect(await once()).toMatchObject({ written: 1 });
    expect(await rows()).toHaveLength(count + 1);
    await link(id, '42');
    expect(await once()).toMatchObject({ written: 1, conflicts: 0 });
    expect(await rows()).toHaveLength(count);
    // They sign in there with the email of the password.
    expect((await rowOf(42))?.email).toBe('ada.lovelace@example.com');
    judge((await rowOf(42))?.password, 'a new password');

    await move.ok('/recipe/accountlinking/user/unlink', { recipeUserId: id });
    expect(await once()).toMatchObject({ written: 2, conflicts: 0, mustReset: 0 });
    const [ada, made] = [await rowOf(42), (await rows()).at(-1)];
    expect([ada?.email, made?.email]).toEqual(['ada@example.com', 'ada.lovelace@example.com']);
    judge(made?.password, 'a new password');
    // It would open the account of the other one.
    expect(ada?.password).not.toBe(made?.password);
    expect(requireDatabaseProvider(system).database.writes?.hashes.isUnusable(ada?.password ?? '')).toBe(
      true,
    );
  });

  it('get their account at Google, and lose it', async () => {
    const id = await withGoogle('2077', 'bob@gmail.example');
    await link(id, '43');
    expect(await once()).toMatchObject({ written: 1, conflicts: 0, leftOut: {} });
    expect(await loginsOf(43)).toEqual(['2077']);
    const bob = await rowOf(43);
    expect([bob?.email, bob?.password]).toEqual(['bob@example.com', hash]);
    await move.ok('/recipe/accountlinking/user/unlink', { recipeUserId: id });
    await move.ok('/user/remove', { userId: id, removeAllLinkedAccounts: true });
    expect(await once()).toMatchObject({ conflicts: 0 });
    expect(await loginsOf(43)).toEqual([]);
    expect(await rows()).toHaveLength(count);
  });

  it('get a row with their account when they sign up with Google', async () => {
    await withGoogle('3000', 'new@gmail.example');
    expect(await once()).toMatchObject({ written: 1, conflicts: 0, mustReset: 0, leftOut: {} });
    const made = (await rows()).at(-1);
    expect(await loginsOf(Number(made?.id))).toEqual(['3000']);
  });

  it('are listed with what there is no place for', async () => {
    if (isLaravel)
      await old.run(
        mariadb === undefined ? 'alter table users drop column google_id' : 'drop table social_accounts',
      );
    else await old.run('drop table socialaccount_socialaccount; drop table account_emailaddress');
    const id = await withGoogle('2077', 'bob@gmail.example');
    await link(id, '43');
    const other = await move.signUp('bob@work.example', 'a new password');
    await link(other, '43');
    const { code, stdout, stderr } = await move.writeBack('--once');
    expect([code, stderr]).toEqual([0, '43: not written: LOGIN, EMAIL\n']);
    expect(JSON.parse(stdout)).toMatchObject({ written: 1, leftOut: { LOGIN: 1, EMAIL: 1 } });
  });

  it('leave two rows alone that are one user here', async () => {
    await link('43', '42');
    const { stdout, stderr } = await move.writeBack('--once');
    expect(stderr).toContain('not written: LINKED');
    expect(JSON.parse(stdout)).toMatchObject({ conflicts: 0 });
    const [ada, bob] = [await rowOf(42), await rowOf(43)];
    expect([ada?.email, bob?.email, bob?.password]).toEqual(['ada@example.com', 'bob@example.com', hash]);
    expect(bob?.deleted_at ?? null).toBeNull();
  });
});

function judge(hash: string | undefined, password: string): void {
  if (hash?.startsWith('$2') === true) {
    if (hasPhp) expect(askPhp(hash, password).isRight).toBe(true);
  } else if (hasDjango) expect([hash, isRightForDjango(hash ?? '', password)]).toEqual([hash, true]);
}
