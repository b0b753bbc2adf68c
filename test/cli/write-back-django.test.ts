/** The real command: what changed here is written into the database of a Django project, whose check_password then judges. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { newApp } from '../helpers/people.ts';
import { hasDjango, isRightForDjango } from '../helpers/python.ts';
import {
  openWritten,
  tallyOf,
  writableEngines,
  writingBack,
  type WrittenDatabase,
} from '../helpers/write-back.ts';
import { useCoreAndPlace } from '../helpers/use-core.ts';

const settings = { ALLOW_HASH_EXPORT: 'true', UPGRADE_PASSWORD_HASHES: 'false' };

let core: TestCore;
let place: Place;
useCoreAndPlace(
  (used) => {
    ({ core, place } = used);
  },
  { settings },
);

interface OldRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** MariaDB: 0 or 1. */
  readonly is_active: boolean | number;
}

interface OldAddress {
  readonly email: string;
  readonly isVerified: boolean;
  readonly isPrimary: boolean;
}

const hash = 'pbkdf2_sha256$870000$Qm3vTz8LkW0pYxRa1sCe7B$I3zmeiKZSgb0jqJv6qA/j0zkGLSDCSx/zQOGhOsuZww=';
const oldPassword = 'correct horse battery staple';

describe.each(writableEngines)('write-back to Django in %s', (engine) => {
  let mariadb: Mariadb | undefined;
  let old: WrittenDatabase;
  let move: ReturnType<typeof writingBack>;
  let app: string;
  beforeAll(async () => {
    if (engine === 'MariaDB') mariadb = await startMariadb();
  });
  afterAll(() => mariadb?.stop());
  beforeEach(async () => {
    app = await newApp(core);
    old = await openWritten('django', mariadb);
    if (mariadb === undefined) await old.run("select setval('auth_user_id_seq', 100)");
    move = writingBack({ core, place, app, system: 'django', old });
    await imported('42', 'ada@example.com', { isVerified: true });
    await move.lead();
    return () => old.drop();
  });

  function imported(externalUserId: string, email: string, more: object = {}) {
    const method = { recipeId: 'emailpassword', email, passwordHash: hash, ...more };
    return move.ok('/bulk-import/import', { externalUserId, loginMethods: [method] });
  }

  const rows = () => old.rows<OldRow>('select * from auth_user order by id');
  const rowOf = async (id: number) => (await rows()).find((row) => row.id === id);
  const byEmail = async (email: string) => (await rows()).filter((row) => row.email === email);
  const addressesOf = async (id: number): Promise<OldAddress[]> => {
    const primary = mariadb === undefined ? '"primary"' : '`primary`';
    const found = await old.rows<{ email: string; verified: unknown; isPrimary: unknown }>(
      `select email, verified, ${primary} as ${primary.replace('primary', 'isPrimary')} from account_emailaddress
       where user_id = ${id} order by email`,
    );
    return found.map(({ email, verified, isPrimary }) => ({
      email,
      isVerified: Boolean(verified),
      isPrimary: Boolean(isPrimary),
    }));
  };
  const judge = (hash: string | undefined, password: string) => {
    if (hasDjango) expect([hash, isRightForDjango(hash ?? '', password)]).toEqual([hash, true]);
  };
  const verify = async (userId: string, email: string) => {
    const { token } = await move.ok('/recipe/user/email/verify/token', { userId, email });
    await move.ok('/recipe/user/email/verify', { method: 'token', token });
  };

  it('brings sign-ups, emails and passwords, and a second time changes nothing', async () => {
    judge((await rowOf(42))?.password, oldPassword);
    const id = await move.signUp('new@example.com', 'a new password');
    await move.changed('42', { email: 'ada.lovelace@example.com' });
    await move.changed('42', { password: 'another password' });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0, mustReset: 0 });
    const [ada, [made]] = [await rowOf(42), await byEmail('new@example.com')];
    expect(ada).toMatchObject({ username: 'ada', email: 'ada.lovelace@example.com' });
    expect(made).toMatchObject({ username: 'new@example.com', first_name: '', last_name: '' });
    expect([Boolean(made?.is_active), Number(made?.id)]).toEqual([true, expect.any(Number)]);
    // As Django makes them, at the cost of its users' hashes.
    for (const row of [ada, made]) expect(row?.password).toMatch(/^pbkdf2_sha256\$870000\$/);
    judge(ada?.password, 'another password');
    judge(made?.password, 'a new password');
    // The address before does not open the account any more.
    expect(await addressesOf(42)).toEqual([
      { email: 'ada.lovelace@example.com', isVerified: false, isPrimary: true },
    ]);
    expect(await addressesOf(Number(made?.id))).toEqual([
      { email: 'new@example.com', isVerified: false, isPrimary: true },
    ]);
    const before = await rows();
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 0, conflicts: 0 });
    expect(await rows()).toEqual(before);

    await move.changed(id, { email: 'newer@example.com' });
    await move.changed(id, { password: 'a newer password' });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 1, conflicts: 0 });
    // Its name was the email.
    const [renamed] = await byEmail('newer@example.com');
    expect(renamed).toMatchObject({ id: made?.id, username: 'newer@example.com' });
    judge(renamed?.password, 'a newer password');
    expect(await rows()).toHaveLength(4);
  });

  it('brings verified emails to the table of django-allauth, and goes without it', async () => {
    const id = await move.signUp('new@example.com', 'a new password');
    await move.writeBack('--once');
    await verify(id, 'new@example.com');
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 1, conflicts: 0 });
    const [made] = await byEmail('new@example.com');
    expect(await addressesOf(Number(made?.id))).toEqual([
      { email: 'new@example.com', isVerified: true, isPrimary: true },
    ]);
    await old.run('drop table account_emailaddress');
    const other = await move.signUp('other@example.com', 'a new password');
    await verify(other, 'other@example.com');
    await move.changed('42', { email: 'ada.lovelace@example.com' });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0 });
    expect(await byEmail('other@example.com')).toHaveLength(1);
    expect(await byEmail('ada.lovelace@example.com')).toHaveLength(1);
  });

  it('lets removed users be inactive, because other tables refer to them', async () => {
    const id = await move.signUp('new@example.com', 'a new password');
    await move.writeBack('--once');
    await move.ok('/user/remove', { userId: id, removeAllLinkedAccounts: true });
    await move.ok('/user/remove', { userId: '42', removeAllLinkedAccounts: true });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0 });
    const [made] = await byEmail('new@example.com');
    expect([Boolean((await rowOf(42))?.is_active), Boolean(made?.is_active)]).toEqual([false, false]);
    expect(await rows()).toHaveLength(4);
  });

  it('writes a banned user, who is inactive there, and leaves them inactive', async () => {
    await imported('43', 'inactive@example.com');
    await move.changed('43', { email: 'banned@example.com' });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 1, conflicts: 0 });
    const row = await rowOf(43);
    expect([row?.email, Boolean(row?.is_active)]).toEqual(['banned@example.com', false]);
  });

  it('gives a new user another name where the email is one already', async () => {
    await old.run("update auth_user set username = 'new@example.com' where id = 42");
    await move.signUp('new@example.com', 'a new password');
    const long = `${'long'.repeat(15)}@${'a-long-name.'.repeat(12)}example.com`;
    await move.signUp(long, 'a new password');
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0 });
    const [[made], [ofLong]] = [await byEmail('new@example.com'), await byEmail(long)];
    expect(made?.username).toMatch(/^new@example\.com-[0-9a-f]{8}$/);
    expect(ofLong?.username).toMatch(/^(?:long){15}@.*-[0-9a-f]{8}$/);
    expect(ofLong?.username).toHaveLength(150);
  });

  it('writes once what was written, but not confirmed', async () => {
    const id = await move.signUp('new@example.com', 'a new password');
    const { body } = await core.get(`${app}/move/changes`);
    const [change] = body.changes as { record: { loginMethods: { passwordHash: string }[] } }[];
    const written = `argon2${change?.record.loginMethods[0]?.passwordHash ?? ''}`;
    await old.run(
      `insert into auth_user (username, email, password, first_name, last_name, is_active, is_staff, is_superuser, date_joined)
       values ('new@example.com', 'new@example.com', '${written}', '', '', '1', '0', '0', '2024-01-01')`,
    );
    await move.changed(id, { password: 'a newer password' });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 1, conflicts: 0 });
    const made = await byEmail('new@example.com');
    expect(made).toHaveLength(1);
    expect(made[0]?.password).not.toBe(written);
    judge(made[0]?.password, 'a newer password');
  });

  it('leaves alone what changed there meanwhile, and tries it again when asked', async () => {
    await move.changed('42', { email: 'here@example.com' });
    await old.run("update auth_user set email = 'there@example.com' where id = 42");
    const { code, stderr } = await move.writeBack('--once');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^42: CHANGED_THERE\n/)]);
    expect((await rowOf(42))?.email).toBe('there@example.com');
    await old.run("update auth_user set email = 'ada@example.com' where id = 42");
    expect(tallyOf(await move.writeBack('--again'))).toMatchObject({ written: 1, conflicts: 0 });
    expect((await rowOf(42))?.email).toBe('here@example.com');
  });

  it.each([
    ['as its email', "update auth_user set email = 'Taken@example.com' where id = 44"],
    ['as its name, without an email', "update auth_user set username = 'taken@example.com' where id = 44"],
    [
      'as another verified address',
      `insert into account_emailaddress (email, verified, %, user_id) values ('taken@example.com', '1', '0', 44)`,
    ],
  ])('refuses an email that another row has %s', async (_as, statement) => {
    await old.run(statement.replace('%', mariadb === undefined ? '"primary"' : '`primary`'));
    await move.signUp('taken@example.com', 'a new password');
    const { code, stderr } = await move.writeBack('--once');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^[\w-]+: EMAIL_TAKEN\n/)]);
    expect(await rows()).toHaveLength(3);
  });

  it('refuses a new email of a user that another row has', async () => {
    await move.changed('42', { email: 'inactive@example.com' });
    const { code, stderr } = await move.writeBack('--once');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^42: EMAIL_TAKEN\n/)]);
    expect((await rowOf(42))?.email).toBe('ada@example.com');
  });
});
