/** The real command, for systems that differ in their tables alone: each one's own verification judges the passwords. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { newApp } from '../helpers/people.ts';
import { writtenSystems } from '../helpers/written-systems.ts';
import { openWritten, tallyOf, writingBack, type WrittenDatabase } from '../helpers/write-back.ts';
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

const cases = writtenSystems.flatMap((system) =>
  system.engines.map((engine) => [system.as, engine, system] as const),
);

describe.each(cases)('write-back to %s in %s', (_as, engine, system) => {
  const { name, follows = [] } = system;
  let mariadb: Mariadb | undefined;
  let old: WrittenDatabase;
  let move: ReturnType<typeof writingBack>;
  let app: string;
  beforeAll(async () => {
    if (engine === 'MariaDB') mariadb = await startMariadb();
  });
  afterAll(() => mariadb?.stop());
  beforeEach(async () => {
    app = await newApp(core, system.settings);
    old = await openWritten(name, mariadb);
    await run(system.only ?? '');
    move = writingBack({ core, place, app, system: name, old });
    const method = {
      recipeId: 'emailpassword',
      email: 'ada@example.com',
      isVerified: true,
      ...system.imported,
    };
    await move.ok('/bulk-import/import', { externalUserId: system.ada, loginMethods: [method] });
    await move.lead();
    return () => old.drop();
  });

  /** Names are quoted and documents are read as in PostgreSQL; quotes within texts stay. */
  const inEngine = (statement: string) =>
    mariadb === undefined
      ? statement
      : statement
          .replaceAll(/([\w.]+)->>'(\w+)'/g, "json_unquote(json_extract($1, '$$.$2'))")
          .replaceAll(/'[^']*'|"/g, (found) => (found === '"' ? '`' : found));
  async function run(statements: string): Promise<void> {
    if (statements !== '') await old.run(inEngine(statements));
  }
  const rows = () => old.rows<OldRow>(inEngine(system.rows));
  const everything = async () =>
    Promise.all(system.tables.map((table) => old.rows(inEngine(`select * from ${table} order by 1`))));
  const rowOf = async (key: string) => (await rows()).find((row) => String(row.key) === key);
  const byEmail = async (email: string) => (await rows()).find((row) => row.email === email);
  const judge = (hash: string | null | undefined, password: string) => {
    if (system.judges) expect([hash, system.isRight(hash ?? '', password)]).toEqual([hash, true]);
  };
  const once = async () => tallyOf(await move.writeBack('--once'));

  it('brings sign-ups, emails and passwords, and a second time changes nothing', async () => {
    judge((await rowOf(system.ada))?.password, system.password);
    const count = (await rows()).length;
    const id = await move.signUp('new@example.com', 'a new password');
    await move.changed(system.ada, { email: 'ada.lovelace@example.com' });
    await move.changed(system.ada, { password: `another 'pass\\word"` });
    expect(await once()).toMatchObject({ written: 2, conflicts: 0, mustReset: 0, leftOut: {} });
    const [ada, made] = [await rowOf(system.ada), await byEmail('new@example.com')];
    expect(ada?.email).toBe('ada.lovelace@example.com');
    expect(String(made?.key)).toMatch(system.newKey);
    expect(made?.name).toBe(system.newName);
    for (const row of [ada, made]) expect(row?.password).toMatch(system.newHash);
    judge(ada?.password, `another 'pass\\word"`);
    judge(made?.password, 'a new password');
    await system.checkNew?.(old, String(made?.key));
    const before = await everything();
    expect(await once()).toMatchObject({ written: 0, conflicts: 0 });
    expect(await everything()).toEqual(before);

    // The row that was made is found again when the user changes.
    await move.changed(id, { email: 'newer@example.com' });
    await move.changed(id, { password: 'påsswörd ﬁ' });
    expect(await once()).toMatchObject({ written: 1, conflicts: 0 });
    const newer = await byEmail('newer@example.com');
    expect(newer?.key).toEqual(made?.key);
    judge(newer?.password, 'påsswörd ﬁ');
    expect(await rows()).toHaveLength(count + 1);
  });

  it('leaves a password alone when only the email changes', async () => {
    const before = (await rowOf(system.ada))?.password;
    await move.changed(system.ada, { email: 'ada.lovelace@example.com' });
    expect(await once()).toMatchObject({ written: 1, conflicts: 0, mustReset: 0 });
    expect(await rowOf(system.ada)).toMatchObject({ email: 'ada.lovelace@example.com', password: before });
  });

  it('brings verified emails, where there is a place for them, and removals', async () => {
    const count = (await rows()).length;
    const id = await move.signUp('new@example.com', 'a new password');
    await move.writeBack('--once');
    const pair = { userId: id, email: 'new@example.com' };
    const { token } = await move.ok('/recipe/user/email/verify/token', pair);
    await move.ok('/recipe/user/email/verify', { method: 'token', token });
    expect(await once()).toMatchObject({ written: 1, conflicts: 0 });
    const made = await byEmail(pair.email);
    if (system.hasVerified) expect(Boolean(made?.verified)).toBe(true);
    await run(system.session?.(String(made?.key)) ?? '');
    await move.ok('/user/remove', { userId: id, removeAllLinkedAccounts: true });
    await move.ok('/user/remove', { userId: system.ada, removeAllLinkedAccounts: true });
    expect(await once()).toMatchObject({ written: 2, conflicts: 0 });
    expect(await rows()).toHaveLength(count - 1);
    // PostgreSQL's driver gives large numbers as texts.
    const left = JSON.stringify(await everything()).replace(/"(\d+)"/g, '$1');
    expect(left).not.toContain(system.isIn(String(made?.key)));
    expect(left).not.toContain(system.isIn(system.ada));
  });

  it('writes users without a password, who have none there', async () => {
    const account = {
      thirdPartyId: 'google',
      thirdPartyUserId: '2077',
      email: { id: 'g@example.com', isVerified: true },
    };
    const { user } = await move.ok('/recipe/signinup', account);
    const leftOut = system.hasLogins ? {} : { LOGIN: 1 };
    expect(await once()).toMatchObject({ written: 1, conflicts: 0, mustReset: 0, leftOut });
    const made = await byEmail('g@example.com');
    expect(made?.password ?? '').toMatch(system.noHash);
    if (system.judges && made?.password) expect(system.isRight(made.password, '')).toBe(false);
    if (system.hasLogins) expect(JSON.stringify(await everything())).toMatch(/\b2077\b/);
    const { id } = user as { id: string };
    await move.ok('/user/remove', { userId: id, removeAllLinkedAccounts: true });
    expect(await once()).toMatchObject({ written: 1, conflicts: 0 });
    expect(await byEmail('g@example.com')).toBeUndefined();
  });

  it('leaves alone what changed there meanwhile, and tries it again when asked', async () => {
    await move.changed(system.ada, { email: 'here@example.com' });
    await run(system.setEmail(system.ada, 'there@example.com'));
    const { code, stderr } = await move.writeBack('--once');
    expect([code, stderr]).toEqual([1, `${system.ada}: CHANGED_THERE\n`]);
    expect((await rowOf(system.ada))?.email).toBe('there@example.com');
    await run(system.setEmail(system.ada, 'ada@example.com'));
    expect(tallyOf(await move.writeBack('--again'))).toMatchObject({ written: 1, conflicts: 0 });
    expect((await rowOf(system.ada))?.email).toBe('here@example.com');

    await move.changed(system.ada, { password: 'another password' });
    await run(system.setPassword(system.ada, system.otherHash));
    expect((await move.writeBack('--once')).stderr).toBe(`${system.ada}: CHANGED_THERE\n`);
    expect((await rowOf(system.ada))?.password).toBe(system.otherHash);
  });

  it('has one row of users who are linked, and two again when they are not', async () => {
    const count = (await rows()).length;
    const id = await move.signUp('ada.lovelace@example.com', 'a new password');
    expect(await once()).toMatchObject({ written: 1 });
    await move.ok('/recipe/accountlinking/user/primary', { recipeUserId: system.ada });
    await move.ok('/recipe/accountlinking/user/link', { recipeUserId: id, primaryUserId: system.ada });
    expect(await once()).toMatchObject({ conflicts: 0 });
    expect(await rows()).toHaveLength(count);
    expect(await byEmail('ada.lovelace@example.com')).toBeUndefined();
    await move.ok('/recipe/accountlinking/user/unlink', { recipeUserId: id });
    expect(await once()).toMatchObject({ conflicts: 0, mustReset: 0 });
    const [ada, made] = [await rowOf(system.ada), await byEmail('ada.lovelace@example.com')];
    judge(ada?.password, system.password);
    judge(made?.password, 'a new password');
  });

  it('refuses an email that another row has', async () => {
    await run(system.setEmail(system.ada, 'taken@example.com'));
    await move.signUp('taken@example.com', 'a new password');
    const { code, stderr } = await move.writeBack('--once');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^[\w-]+: EMAIL_TAKEN\n$/)]);
  });

  it('and a follower go in a circle without a copy of a user, and without an end of changes', async () => {
    await withSql(core.database.connection, (sql) => sql`update carryover.move_leases set leased_until = 0`);
    await move.signUp('new@example.com', 'a new password');
    await move.changed(system.ada, { password: 'another password' });
    expect(await once()).toMatchObject({ written: 2, conflicts: 0 });
    const { code, stderr } = await move.follow('--full-every', '1s', ...follows);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/rejected|conflict|both sides/)]);
    for (const email of ['new@example.com', 'ada@example.com']) {
      const { body } = await core.get(`${app}/users/by-accountinfo`, { email });
      expect(body.users).toHaveLength(1);
    }
    expect(await once()).toMatchObject({ written: 0, conflicts: 0 });
    for (let said = ''; !said.includes('All users were read');) {
      said = (await move.follow('--full-every', '1s', ...follows)).stderr;
      expect(said).not.toMatch(/\d (created|updated)/);
    }
    const signedIn = await core.post(`${app}/recipe/signin`, {
      email: 'new@example.com',
      password: 'a new password',
    });
    expect(signedIn.body.status).toBe('OK');
  });
});

interface OldRow {
  readonly key: string | number;
  readonly email: string;
  readonly name: string;
  readonly password: string | null;
  readonly verified?: boolean | number;
}
