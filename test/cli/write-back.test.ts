/** The real command: what changed here is written into the database of a Laravel app, which PHP then judges. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createConnection } from 'mysql2/promise';
import { identityOf, readAddress } from '../../src/exports/sources/engines/address.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { hasMariadb, type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { newApp, userOf } from '../helpers/people.ts';
import { askPhp, hasPhp } from '../helpers/php.ts';
import { createOldDatabase, tablesOf } from '../helpers/sources.ts';
import { withTestKey as key } from '../helpers/use-core.ts';

const settings = {
  ALLOW_HASH_EXPORT: 'true',
  UPGRADE_PASSWORD_HASHES: 'false',
  PASSWORD_HASHING_ALG: 'BCRYPT',
  BCRYPT_PREFIX: '2y',
  BCRYPT_LOG_ROUNDS: '4',
};

let core: TestCore;
let place: Place;
beforeAll(async () => {
  [core, place] = await Promise.all([startTestCore({ settings }), makePlace()]);
});
afterAll(async () => {
  await Promise.all([core.stop(), place.remove()]);
});

interface OldRow {
  readonly id: string | number;
  readonly email: string;
  readonly password: string;
  readonly email_verified_at: unknown;
  readonly deleted_at?: unknown;
}

interface OldSystem {
  readonly address: string;
  readonly run: (statements: string) => Promise<void>;
  readonly rows: () => Promise<readonly OldRow[]>;
  readonly drop: () => Promise<void>;
}

const hash = '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';
const rowsOf = 'select * from users order by id';

async function inPostgres(): Promise<OldSystem> {
  const made = await createOldDatabase(await tablesOf('laravel'));
  const { address, connection, run } = made;
  await run("select setval('users_id_seq', 100)");
  const rows = () => withSql(connection, (sql) => sql.unsafe<OldRow[]>(rowsOf));
  return { address, run, rows, drop: () => made.drop() };
}

let count = 0;
async function inMariadb(mariadb: Mariadb): Promise<OldSystem> {
  const name = `shop${(count += 1)}`;
  const { address, drop } = await mariadb.create(name, await tablesOf('laravel.mysql'));
  await mariadb.run(name, `grant insert, update, delete on ${name}.* to 'reader'@'localhost'`);
  const url = new URL(address);
  const socketPath = url.searchParams.get('socket') ?? '';
  const rows = async () => {
    const connection = await createConnection({ socketPath, user: 'root', database: name });
    const [found] = await connection.query(rowsOf);
    await connection.end();
    return found as OldRow[];
  };
  return { address, drop, rows, run: (statements) => mariadb.run(name, statements) };
}

const engines = [['PostgreSQL'], ...(hasMariadb ? [['MariaDB']] : [])];

describe.each(engines)('write-back to Laravel in %s', (engine) => {
  let mariadb: Mariadb | undefined;
  let old: OldSystem;
  let app: string;
  beforeAll(async () => {
    if (engine === 'MariaDB') mariadb = await startMariadb();
  });
  afterAll(() => mariadb?.stop());
  beforeEach(async () => {
    app = await newApp(core);
    old = await (mariadb === undefined ? inPostgres() : inMariadb(mariadb));
    await importAda();
    await lead();
    return () => old.drop();
  });

  const ok = async (path: string, input: object) => {
    const { body } = await core.post(`${app}${path}`, input);
    expect(body).toMatchObject({ status: 'OK' });
    return body;
  };

  async function importAda(): Promise<void> {
    const email = 'ada@example.com';
    const method = { recipeId: 'emailpassword', email, passwordHash: hash, isVerified: true };
    const loginMethods = [{ ...method, hashingAlgorithm: 'bcrypt' }];
    await ok('/bulk-import/import', { externalUserId: '42', loginMethods });
  }

  async function lead(): Promise<void> {
    const source = { system: 'laravel', address: identityOf(readAddress(old.address, undefined)) };
    await ok('/move', source);
    await ok('/move/plan', { users: 1 });
    await ok('/move/next', {});
    await ok('/move/comparison', { users: 1, unexplained: 0, tookMs: 1 });
    await ok('/move/way-back', { users: 1, without: 0, tookMs: 1 });
    const { fence } = await ok('/move/lease', { role: 'follow', holder: 'f', ...source });
    await core.put(`${app}/move/lease`, { role: 'follow', fence, lagMs: 1 });
    await ok('/move/next', { share: 100, refusedBefore: 1 });
  }

  const writeBack = (...more: string[]) =>
    place.run(
      [
        ...['write-back', old.address, '--from', 'laravel', '--yes', '--json', ...more],
        ...['--url', core.url, '--app', app.replace('/appid-', '')],
      ],
      key,
    );

  const tallyOf = ({ stdout, stderr }: { stdout: string; stderr: string }): object => {
    expect(stderr).not.toContain('error');
    return JSON.parse(stdout) as object;
  };
  const rowOf = async (id: string) => (await old.rows()).find((row) => String(row.id) === id);
  const byEmail = async (email: string) => (await old.rows()).find((row) => row.email === email);
  const signUp = async (email: string, password: string) =>
    userOf(await core.post(`${app}/recipe/signup`, { email, password })).id;
  const changed = (recipeUserId: string, input: object) =>
    core.put(`${app}/recipe/user`, { recipeUserId, ...input });

  it('asks for --yes without a terminal', async () => {
    await signUp('waits@example.com', 'a new password');
    const args = ['write-back', old.address, '--from', 'laravel', '--once', '--url', core.url];
    const { code, stderr } = await place.run(args, key);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Would write what changed here')]);
    expect(await byEmail('waits@example.com')).toBeUndefined();
  });

  it('and a follower go in a circle without a copy of a user, and without an end of changes', async () => {
    const follow = async () => {
      await old.run("update users set updated_at = '2000-01-01' where updated_at is null");
      const args = ['follow', old.address, '--from', 'laravel', '--once', '--full-every', '1s', '--yes'];
      return place.run([...args, '--url', core.url, '--app', app.replace('/appid-', '')], key);
    };
    const release = () =>
      withSql(core.database.connection, (sql) => sql`update carryover.move_leases set leased_until = 0`);
    const withEmail = async (email: string) =>
      ((await core.get(`${app}/users/by-accountinfo`, { email })).body.users as object[]).length;
    await release();
    await signUp('new@example.com', 'a new password');
    await changed('42', { password: 'another password' });
    expect(tallyOf(await writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0 });
    expect(await follow()).toMatchObject({ code: 0 });
    expect([await withEmail('new@example.com'), await withEmail('ada@example.com')]).toEqual([1, 1]);
    expect(tallyOf(await writeBack('--once'))).toMatchObject({ written: 0, conflicts: 0 });
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
    const id = await signUp('new@example.com', 'a new password');
    await changed('42', { email: 'ada.lovelace@example.com' });
    await changed('42', { password: 'another password' });
    expect(tallyOf(await writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0, mustReset: 0 });
    const [ada, made] = [await rowOf('42'), await byEmail('new@example.com')];
    expect(ada?.email).toBe('ada.lovelace@example.com');
    if (hasPhp) {
      expect(askPhp(ada?.password ?? '', 'another password')).toEqual({ name: 'bcrypt', isRight: true });
      expect(askPhp(made?.password ?? '', 'a new password')).toEqual({ name: 'bcrypt', isRight: true });
    }
    const before = await old.rows();
    expect(tallyOf(await writeBack('--once'))).toMatchObject({ written: 0, conflicts: 0 });
    expect(await old.rows()).toEqual(before);

    // The row that was made is found again when the user changes.
    await changed(id, { email: 'newer@example.com' });
    expect(tallyOf(await writeBack('--once'))).toMatchObject({ written: 1, conflicts: 0 });
    expect((await byEmail('newer@example.com'))?.id).toEqual(made?.id);
    expect(await old.rows()).toHaveLength(3);
  });

  it('a dry run writes nothing', async () => {
    await signUp('new@example.com', 'a new password');
    const before = await old.rows();
    expect(tallyOf(await writeBack('--dry-run'))).toMatchObject({ written: 1, dryRun: true });
    expect(await old.rows()).toEqual(before);
  });

  it('brings verified emails and removals', async () => {
    const id = await signUp('new@example.com', 'a new password');
    await writeBack('--once');
    const pair = { userId: id, email: 'new@example.com' };
    const { token } = await ok('/recipe/user/email/verify/token', pair);
    await ok('/recipe/user/email/verify', { method: 'token', token });
    expect((await byEmail(pair.email))?.email_verified_at).toBeNull();
    await writeBack('--once');
    expect((await byEmail(pair.email))?.email_verified_at).not.toBeNull();
    await ok('/user/remove', { userId: id, removeAllLinkedAccounts: true });
    await ok('/user/remove', { userId: '42', removeAllLinkedAccounts: true });
    expect(tallyOf(await writeBack('--once'))).toMatchObject({ written: 2, conflicts: 0 });
    const left = (await old.rows()).filter((row) => (row.deleted_at ?? null) === null);
    expect(left.map((row) => row.email)).not.toContain('ada@example.com');
    expect(left.map((row) => row.email)).not.toContain('new@example.com');
  });

  it('writes once what was written, but not confirmed', async () => {
    const id = await signUp('new@example.com', 'a new password');
    const { body } = await core.get(`${app}/move/changes`);
    const [change] = body.changes as { record: { loginMethods: { passwordHash: string }[] } }[];
    // As a writer that was killed between its commit there and its confirmation here.
    const written = change?.record.loginMethods[0]?.passwordHash ?? '';
    await old.run(
      `insert into users (name, email, password) values ('new', 'new@example.com', '${written}')`,
    );
    await changed(id, { password: 'a newer password' });
    expect(tallyOf(await writeBack('--once'))).toMatchObject({ written: 1, conflicts: 0 });
    expect(await old.rows()).toHaveLength(3);
    const made = await byEmail('new@example.com');
    expect(made?.password).not.toBe(written);
    if (hasPhp) expect(askPhp(made?.password ?? '', 'a newer password').isRight).toBe(true);
  });

  it('leaves alone what changed there meanwhile, and tries it again when asked', async () => {
    await changed('42', { email: 'here@example.com' });
    await old.run("update users set email = 'there@example.com' where id = 42");
    await signUp('taken@example.com', 'a new password');
    await old.run("insert into users (name, email, password) values ('x', 'taken@example.com', '!')");
    const { code, stderr } = await writeBack('--once');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/42: CHANGED_THERE\n.*: EMAIL_TAKEN\n/)]);
    expect((await rowOf('42'))?.email).toBe('there@example.com');
    expect((await byEmail('taken@example.com'))?.password).toBe('!');
    expect(tallyOf(await writeBack('--once'))).toMatchObject({ written: 0, conflicts: 0 });

    await old.run("update users set email = 'ada@example.com' where id = 42");
    expect(tallyOf(await writeBack('--again'))).toMatchObject({ written: 1, conflicts: 1 });
    expect((await rowOf('42'))?.email).toBe('here@example.com');
  });

  it('leaves the row of a user alone who has no email any more', async () => {
    const { body } = await core.post(`${app}/recipe/signinup/code`, { phoneNumber: '+441632960001' });
    const { deviceId, preAuthSessionId, userInputCode } = body;
    await ok('/recipe/signinup/code/consume', { deviceId, preAuthSessionId, userInputCode });
    const { code, stderr } = await writeBack('--once');
    expect([code, stderr]).toEqual([1, expect.stringContaining(': NO_EMAIL\n')]);
    expect(await old.rows()).toHaveLength(2);
  });

  it('waits while another process has the lease', async () => {
    await signUp('new@example.com', 'a new password');
    const source = { system: 'laravel', address: identityOf(readAddress(old.address, undefined)) };
    const { fence } = await ok('/move/lease', { role: 'write-back', holder: 'the first', ...source });
    const before = await old.rows();
    const second = writeBack('--once');
    expect(await old.rows()).toEqual(before);
    await ok('/move/lease/release', { role: 'write-back', fence });
    expect(tallyOf(await second)).toMatchObject({ written: 1 });
  });

  it('is refused for another system than the move’s', async () => {
    const { code, stderr } = await writeBack('--once', '--source', 'another');
    expect([code, stderr]).toEqual([2, expect.stringContaining('another system or address')]);
  });
});
