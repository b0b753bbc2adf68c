/** Users whose password an old system knows: the first sign-in asks it, and moves them. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { knows, type OldSystem, ownSource, startOldSystem } from '../helpers/old-system.ts';
import { coreId, importUser, knownPassword, newApp, newEmail, signIn, userOf } from '../helpers/people.ts';
import { withAdmin } from '../helpers/postgres.ts';

let core: TestCore;
let old: OldSystem;
let app: string;
beforeAll(async () => {
  [core, old] = await Promise.all([startTestCore(), startOldSystem(knows('right'))]);
});
afterAll(() => Promise.all([core.stop(), old.close()]));
beforeEach(async () => {
  old.answer(knows('right'));
  app = await newApp(core, { legacy_sources: [ownSource(old.url)] });
});

const record = (email: string, more: object = {}, method: object = {}): object => ({
  ...more,
  loginMethods: [{ recipeId: 'emailpassword', email, legacy: 'old', ...method }],
});

async function imported(email: string, more: object = {}, method: object = {}): Promise<void> {
  userOf(await core.post(`${app}/bulk-import/import`, record(email, more, method)));
}

async function hashOf(email: string): Promise<string | undefined> {
  let found: { password_hash: string }[] = [];
  await withAdmin(core.database.connection, async (sql) => {
    found = await sql`select password_hash from carryover.users where email = ${email}`;
  });
  return found[0]?.password_hash;
}

const askedAbout = (email: string) => old.asked.filter(({ body }) => body.includes(email)).length;

describe('the first sign-in', () => {
  test('asks the old system once, and never again', async () => {
    const email = newEmail();
    await imported(email);
    expect(await hashOf(email)).toBe('$legacy$old');
    expect(await signIn(core, email, 'right', app)).toBe('OK');
    expect(await hashOf(email)).toMatch(/^\$argon2id\$/);
    old.answer(() => ({ status: 500 }));
    expect(await signIn(core, email, 'right', app)).toBe('OK');
    expect(await signIn(core, email, 'other', app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(askedAbout(email)).toBe(1);
  });

  test('is signed: over the time, and the body with email, password and tenant', async () => {
    const email = newEmail();
    await imported(email);
    await signIn(core, email, 'right', app);
    const asked = old.asked.find(({ body }) => body.includes(email));
    expect(JSON.parse(asked?.body ?? '')).toEqual({ email, password: 'right', tenantId: 'public' });
    const time = String(asked?.headers['carryover-time']);
    const digest = createHmac('sha256', 'shared')
      .update(`${time}.${asked?.body ?? ''}`)
      .digest('hex');
    expect(asked?.headers['carryover-signature']).toBe(`sha256=${digest}`);
  });

  test('imports what the old system says, and its id', async () => {
    const email = newEmail();
    await imported(email);
    await core.put(`${app}/recipe/role`, { role: 'editor', permissions: [] });
    const said = {
      externalUserId: `old-${email}`,
      userMetadata: { name: 'Ada Lovelace' },
      userRoles: [{ role: 'editor' }],
      loginMethods: [{ recipeId: 'emailpassword', email, isVerified: true }],
    };
    old.answer(knows('right', said));
    const user = userOf(await core.post(`${app}/recipe/signin`, { email, password: 'right' }));
    expect(user).toMatchObject({ id: `old-${email}`, loginMethods: [{ verified: true }] });
    const metadata = await core.get(`${app}/recipe/user/metadata`, { userId: user.id });
    expect(metadata.body.metadata).toEqual({ name: 'Ada Lovelace' });
    const roles = await core.get(`${app}/recipe/user/roles`, { userId: user.id });
    expect(roles.body.roles).toEqual(['editor']);
  });

  test('signs in a user whose description by the old system cannot be stored', async () => {
    const email = newEmail();
    await imported(email, { userMetadata: { kept: true } });
    const tooLong = 'x'.repeat(1000);
    old.answer(knows('right', { externalUserId: tooLong, userMetadata: { lost: true }, loginMethods: [] }));
    const user = userOf(await core.post(`${app}/recipe/signin`, { email, password: 'right' }));
    expect(user.id).toMatch(coreId);
    const metadata = await core.get(`${app}/recipe/user/metadata`, { userId: user.id });
    expect(metadata.body.metadata).toEqual({ kept: true });
    expect(core.log.some((line) => line.includes('could not be kept') && !line.includes(email))).toBe(true);
  });

  test('of a hundred at once moves the user once', async () => {
    const email = newEmail();
    await imported(email);
    const { promise: all, resolve: letGo } = Promise.withResolvers<undefined>();
    old.answer(async (asked, response) => {
      await all;
      return knows('right')(asked, response);
    });
    const attempts = Array.from({ length: 100 }, () => signIn(core, email, 'right', app));
    await expect.poll(() => askedAbout(email)).toBe(1);
    letGo(undefined);
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['OK']));
    expect(askedAbout(email)).toBe(1);
    expect(await hashOf(email)).toMatch(/^\$argon2id\$/);
  });

  test('does not bring a password back over one that was set meanwhile', async () => {
    const email = newEmail();
    await imported(email);
    const { promise: set, resolve: answer } = Promise.withResolvers<undefined>();
    old.answer(async (asked, response) => {
      await set;
      return knows('right')(asked, response);
    });
    const attempt = signIn(core, email, 'right', app);
    await expect.poll(() => askedAbout(email)).toBe(1);
    const [user] = (await core.get(`${app}/users/by-accountinfo`, { email })).body.users as { id: string }[];
    await core.put(`${app}/recipe/user`, { recipeUserId: user?.id, password: 'set-here' });
    answer(undefined);
    expect(await attempt).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await signIn(core, email, 'set-here', app)).toBe('OK');
  });
});

describe('who is asked about', () => {
  test('is not a user with a hash here, and not an unknown one', async () => {
    const [email, unknown] = [newEmail(), newEmail()];
    await importUser(core, email, app);
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
    expect(await signIn(core, email, 'right', app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await signIn(core, unknown, 'right', app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect([askedAbout(email), askedAbout(unknown)]).toEqual([0, 0]);
  });

  test('is every unknown user, where the source says so: they are created here', async () => {
    app = await newApp(core, {
      legacy_sources: [ownSource(old.url, { unknown: 'ask', user_id_prefix: 'old|' })],
    });
    const email = newEmail();
    expect(await signIn(core, email, 'wrong', app)).toBe('WRONG_CREDENTIALS_ERROR');
    old.answer(knows('right', { externalUserId: email, loginMethods: [] }));
    const user = userOf(await core.post(`${app}/recipe/signin`, { email, password: 'right' }));
    expect(user).toMatchObject({ id: `old|${email}`, emails: [email] });
    expect(await signIn(core, email, 'right', app)).toBe('OK');
    expect(askedAbout(email)).toBe(2);
  });

  test('is no user any more after the end date of the source', async () => {
    const email = newEmail();
    await imported(email);
    const later = await startTestCore({
      database: core.database,
      overrides: { now: () => Date.UTC(3001, 0, 1) },
    });
    expect(await signIn(later, email, 'right', app)).toBe('WRONG_CREDENTIALS_ERROR');
    await later.close();
    expect(askedAbout(email)).toBe(0);
  });

  test('who may not sign in is asked about, moved, and not let in', async () => {
    const email = newEmail();
    await imported(email, { isDisabled: true });
    expect(await signIn(core, email, 'right', app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await hashOf(email)).toMatch(/^\$argon2id\$/);
  });
});

describe('a password', () => {
  test('that is only checked moves no user', async () => {
    const email = newEmail();
    await imported(email);
    const path = `${app}/recipe/user/passwordhash/verify`;
    expect((await core.post(path, { email, password: 'right' })).body.status).toBe('OK');
    expect((await core.post(path, { email, password: 'wrong' })).body.status).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await hashOf(email)).toBe('$legacy$old');
  });

  test('that was wrong is not asked about again', async () => {
    const email = newEmail();
    await imported(email);
    for (let n = 0; n < 3; n++)
      expect(await signIn(core, email, 'wrong', app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(askedAbout(email)).toBe(1);
    expect(await signIn(core, email, 'right', app)).toBe('OK');
  });

  test('that is guessed reaches the old system as often as guesses are allowed', async () => {
    const email = newEmail();
    await imported(email);
    const headers = { 'api-key': core.apiKey, 'carryover-client-address': '203.0.113.9' };
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        fetch(`${core.url}${app}/recipe/signin`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ email, password: `guess ${n}` }),
        }).then(({ status }) => status),
      ),
    );
    const letThrough = answers.filter((status) => status === 200).length;
    expect(answers.filter((status) => status === 429).length).toBe(60 - letThrough);
    expect(letThrough).toBeLessThan(60);
    expect(askedAbout(email)).toBe(letThrough);
  });

  test('that is forgotten can be reset, and that ends the questions', async () => {
    const email = newEmail();
    await imported(email);
    const [user] = (await core.get(`${app}/users/by-accountinfo`, { email })).body.users as { id: string }[];
    const made = await core.post(`${app}/recipe/user/password/reset/token`, { userId: user?.id, email });
    const used = await core.post(`${app}/recipe/user/password/reset/token/consume`, {
      method: 'token',
      token: made.body.token,
    });
    expect(used.body).toMatchObject({ status: 'OK', email });
    await core.put(`${app}/recipe/user`, { recipeUserId: user?.id, password: 'new-one' });
    expect(await signIn(core, email, 'new-one', app)).toBe('OK');
    expect(await signIn(core, email, 'right', app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(askedAbout(email)).toBe(0);
  });

  test('and what the old system is asked with reach no log', async () => {
    const email = newEmail();
    await imported(email);
    old.answer(() => ({ status: 500 }));
    await signIn(core, email, 'a-secret-guess', app);
    expect(core.log.some((line) => line.includes('gave no answer'))).toBe(true);
    expect(core.log.filter((line) => /a-secret-guess|shared/.test(line))).toEqual([]);
  });
});

test('the same export, imported again, takes no password away', async () => {
  const email = newEmail();
  await imported(email, { externalUserId: email });
  await signIn(core, email, 'right', app);
  await imported(email, { externalUserId: email });
  await imported(email, { externalUserId: email }, { isVerified: true });
  expect(await hashOf(email)).toMatch(/^\$argon2id\$/);
  expect(askedAbout(email)).toBe(1);
});

test('an export names the source of those who have not moved', async () => {
  const exporting = await startTestCore({ database: core.database, settings: { ALLOW_HASH_EXPORT: 'true' } });
  const email = newEmail();
  await imported(email);
  const { text } = await exporting.get(`${app}/bulk-export/users`);
  await exporting.close();
  expect(text).toContain('"legacy":"old"');
  expect(text).not.toContain('$legacy$');
});
