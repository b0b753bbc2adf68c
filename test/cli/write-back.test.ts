/** The real command: what changed here is written into the database of a Laravel app, which PHP then judges. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { newApp } from '../helpers/people.ts';
import { askPhp, hasPhp } from '../helpers/php.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';
import {
  openWritten,
  tallyOf,
  writableEngines,
  writingBack,
  type WrittenDatabase,
} from '../helpers/write-back.ts';

const settings = {
  ALLOW_HASH_EXPORT: 'true',
  UPGRADE_PASSWORD_HASHES: 'false',
  PASSWORD_HASHING_ALG: 'BCRYPT',
  BCRYPT_PREFIX: '2y',
  BCRYPT_LOG_ROUNDS: '4',
};

let core: TestCore;
let place: Place;
useCoreAndPlace(
  (used) => {
    ({ core, place } = used);
  },
  { settings },
);

interface OldRow {
  readonly id: string | number;
  readonly email: string;
  readonly password: string;
  readonly email_verified_at: unknown;
  readonly deleted_at?: unknown;
}

const hash = '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';

describe.each(writableEngines)('write-back to Laravel in %s', (engine) => {
  let mariadb: Mariadb | undefined;
  let old: WrittenDatabase;
  let app: string;
  let move: ReturnType<typeof writingBack>;
  beforeAll(async () => {
    if (engine === 'MariaDB') mariadb = await startMariadb();
  });
  afterAll(() => mariadb?.stop());
  beforeEach(async () => {
    app = await newApp(core);
    old = await openWritten('laravel', mariadb);
    if (mariadb === undefined) await old.run("select setval('users_id_seq', 100)");
    move = writingBack({ core, place, app, system: 'laravel', old });
    await importAda();
    await move.lead();
    return () => old.drop();
  });

  async function importAda(): Promise<void> {
    const email = 'ada@example.com';
    const method = { recipeId: 'emailpassword', email, passwordHash: hash, isVerified: true };
    const loginMethods = [{ ...method, hashingAlgorithm: 'bcrypt' }];
    await move.ok('/bulk-import/import', { externalUserId: '42', loginMethods });
  }

  const rows = () => old.rows<OldRow>('select * from users order by id');
  const rowOf = async (id: string) => (await rows()).find((row) => String(row.id) === id);
  const byEmail = async (email: string) => (await rows()).find((row) => row.email === email);

  it('asks for --yes without a terminal', async () => {
    await move.signUp('waits@example.com', 'a new password');
    const args = ['write-back', old.address, '--from', 'laravel', '--once', '--url', core.url];
    const { code, stderr } = await place.run(args, key);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Would write what changed here')]);
    expect(await byEmail('waits@example.com')).toBeUndefined();
  });

  it('and a follower go in a circle without a copy of a user, and without an end of changes', async () => {
    const follow = async () => {
      await old.run("update users set updated_at = '2000-01-01' where updated_at is null");
      return move.follow('--full-every', '1s');
    };
    const release = () =>
      withSql(core.database.connection, (sql) => sql`update carryover.move_leases set leased_until = 0`);
    const withEmail = async (email: string) =>
      ((await core.get(`${app}/users/by-accountinfo`, { email })).body.users as object[]).length;
    await release();
    await move.signUp('new@example.com', 'a new password');
    await move.changed('42', { password: 'another password' });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0 });
    expect(await follow()).toMatchObject({ code: 0 });
    expect([await withEmail('new@example.com'), await withEmail('ada@example.com')]).toEqual([1, 1]);
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 0, conflicts: 0 });
    for (let said = ''; !said.includes('All users were read');) {
      said = (await follow()).stderr;
      expect(said).not.toMatch(/\d (created|updated)/);
    }
    const { body } = await core.post(`${app}/recipe/signin`, {
      email: 'new@example.com',
      password: 'a new password',
    });
    expect(body.status).toBe('OK');
  });

  it('brings sign-ups, emails and passwords, and a second time changes nothing', async () => {
    const id = await move.signUp('new@example.com', 'a new password');
    await move.changed('42', { email: 'ada.lovelace@example.com' });
    await move.changed('42', { password: 'another password' });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0, mustReset: 0 });
    const [ada, made] = [await rowOf('42'), await byEmail('new@example.com')];
    expect(ada?.email).toBe('ada.lovelace@example.com');
    if (hasPhp) {
      expect(askPhp(ada?.password ?? '', 'another password')).toEqual({ name: 'bcrypt', isRight: true });
      expect(askPhp(made?.password ?? '', 'a new password')).toEqual({ name: 'bcrypt', isRight: true });
    }
    const before = await rows();
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 0, conflicts: 0 });
    expect(await rows()).toEqual(before);

    // The row that was made is found again when the user changes.
    await move.changed(id, { email: 'newer@example.com' });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 1, conflicts: 0 });
    expect((await byEmail('newer@example.com'))?.id).toEqual(made?.id);
    expect(await rows()).toHaveLength(3);
  });

  it('a dry run writes nothing', async () => {
    await move.signUp('new@example.com', 'a new password');
    const before = await rows();
    expect(tallyOf(await move.writeBack('--dry-run'))).toMatchObject({ written: 1, dryRun: true });
    expect(await rows()).toEqual(before);
  });

  it('brings verified emails and removals', async () => {
    const id = await move.signUp('new@example.com', 'a new password');
    await move.writeBack('--once');
    const pair = { userId: id, email: 'new@example.com' };
    const { token } = await move.ok('/recipe/user/email/verify/token', pair);
    await move.ok('/recipe/user/email/verify', { method: 'token', token });
    expect((await byEmail(pair.email))?.email_verified_at).toBeNull();
    await move.writeBack('--once');
    expect((await byEmail(pair.email))?.email_verified_at).not.toBeNull();
    await move.ok('/user/remove', { userId: id, removeAllLinkedAccounts: true });
    await move.ok('/user/remove', { userId: '42', removeAllLinkedAccounts: true });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0 });
    const left = (await rows()).filter((row) => (row.deleted_at ?? null) === null);
    expect(left.map((row) => row.email)).not.toContain('ada@example.com');
    expect(left.map((row) => row.email)).not.toContain('new@example.com');
  });

  it('writes once what was written, but not confirmed', async () => {
    const id = await move.signUp('new@example.com', 'a new password');
    const { body } = await core.get(`${app}/move/changes`);
    const [change] = body.changes as { record: { loginMethods: { passwordHash: string }[] } }[];
    // As a writer that was killed between its commit there and its confirmation here.
    const written = change?.record.loginMethods[0]?.passwordHash ?? '';
    await old.run(
      `insert into users (name, email, password) values ('new', 'new@example.com', '${written}')`,
    );
    await move.changed(id, { password: 'a newer password' });
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 1, conflicts: 0 });
    expect(await rows()).toHaveLength(3);
    const made = await byEmail('new@example.com');
    expect(made?.password).not.toBe(written);
    if (hasPhp) expect(askPhp(made?.password ?? '', 'a newer password').isRight).toBe(true);
  });

  it('leaves alone what changed there meanwhile, and tries it again when asked', async () => {
    await move.changed('42', { email: 'here@example.com' });
    await old.run("update users set email = 'there@example.com' where id = 42");
    await move.signUp('taken@example.com', 'a new password');
    await old.run("insert into users (name, email, password) values ('x', 'taken@example.com', '!')");
    const { code, stderr } = await move.writeBack('--once');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/42: CHANGED_THERE\n.*: EMAIL_TAKEN\n/)]);
    expect((await rowOf('42'))?.email).toBe('there@example.com');
    expect((await byEmail('taken@example.com'))?.password).toBe('!');
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 0, conflicts: 0 });

    await old.run("update users set email = 'ada@example.com' where id = 42");
    expect(tallyOf(await move.writeBack('--again'))).toMatchObject({ written: 1, conflicts: 1 });
    expect((await rowOf('42'))?.email).toBe('here@example.com');
  });

  it('leaves the row of a user alone who has no email any more', async () => {
    const { body } = await core.post(`${app}/recipe/signinup/code`, { phoneNumber: '+441632960001' });
    const { deviceId, preAuthSessionId, userInputCode } = body;
    await move.ok('/recipe/signinup/code/consume', { deviceId, preAuthSessionId, userInputCode });
    const { code, stderr } = await move.writeBack('--once');
    expect([code, stderr]).toEqual([1, expect.stringContaining(': NO_EMAIL\n')]);
    expect(await rows()).toHaveLength(2);
  });

  it('waits while another process has the lease', async () => {
    await move.signUp('new@example.com', 'a new password');
    const { fence } = await move.ok('/move/lease', {
      role: 'write-back',
      holder: 'the first',
      ...move.source,
    });
    const before = await rows();
    const second = move.writeBack('--once');
    expect(await rows()).toEqual(before);
    await move.ok('/move/lease/release', { role: 'write-back', fence });
    expect(tallyOf(await second)).toMatchObject({ written: 1 });
  });

  it('is refused for another system than the move’s', async () => {
    const { code, stderr } = await move.writeBack('--once', '--source', 'another');
    expect([code, stderr]).toEqual([2, expect.stringContaining('and the app moves from')]);
  });
});
