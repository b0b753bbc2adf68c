/** Sign-up, password reset tokens, and changing email and password. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import {
  coreId,
  importUser,
  knownPassword,
  newApp,
  newEmail,
  newTenant,
  refusalOf,
  signIn,
  signInUp,
  verificationToken,
} from '../helpers/people.ts';

const lifetimeMs = 3_600_000;
let now = 1_700_000_000_000;
let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ overrides: { now: () => now } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core);
});

describe('a sign-up', () => {
  test('makes a user who can sign in', async () => {
    const { http, body } = await core.post(`${app}/recipe/signup`, {
      email: ' Ada@Example.com',
      password: 'pw',
    });
    const user = body.user as { id: string };
    expect([http, body]).toEqual([200, { status: 'OK', user, recipeUserId: user.id }]);
    expect(user).toMatchObject({ id: expect.stringMatching(coreId) as string, emails: ['ada@example.com'] });
    expect((await core.get(`${app}/user/id`, { userId: user.id })).body.user).toEqual(user);
    expect(await signIn(core, 'ada@example.com', 'pw', app)).toBe('OK');
  });

  test('with a taken email changes nothing', async () => {
    const email = newEmail();
    await importUser(core, email, app);
    const { http, body } = await core.post(`${app}/recipe/signup`, { email, password: 'other' });
    expect([http, body]).toEqual([200, { status: 'EMAIL_ALREADY_EXISTS_ERROR' }]);
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
    expect(await signIn(core, email, 'other', app)).toBe('WRONG_CREDENTIALS_ERROR');
  });

  test('with an email that is taken elsewhere, or by a social user, is another user', async () => {
    const email = newEmail();
    await importUser(core, email, await newTenant(core, app));
    await signInUp(core, 'g-1', { id: email }, app);
    expect((await core.post(`${app}/recipe/signup`, { email, password: 'pw' })).body.status).toBe('OK');
  });
});

describe('a reset token', () => {
  const invalid = { status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR' };
  async function makeToken(pair: { userId: string; email: string }, prefix = app): Promise<string> {
    const { http, body } = await core.post(`${prefix}/recipe/user/password/reset/token`, pair);
    expect([http, body]).toEqual([
      200,
      { status: 'OK', token: expect.stringMatching(/^[A-Za-z0-9_-]{128}$/) as string },
    ]);
    return body.token as string;
  }
  const consume = async (token: string, prefix = app): Promise<unknown> =>
    (await core.post(`${prefix}/recipe/user/password/reset/token/consume`, { token })).body;

  test('works once, and spends the others of its user', async () => {
    const email = newEmail();
    const pair = { userId: (await importUser(core, email, app)).id, email };
    const [token, sibling] = [await makeToken(pair), await makeToken(pair)];
    expect(await consume(token)).toEqual({ status: 'OK', ...pair });
    expect(await consume(token)).toEqual(invalid);
    expect(await consume(sibling)).toEqual(invalid);
  });

  test('is made for no email too, and for none that is no email', async () => {
    const { id: userId } = await importUser(core, newEmail(), app);
    expect(await consume(await makeToken({ userId, email: '' }))).toEqual({
      status: 'OK',
      userId,
      email: '',
    });
    const answer = await core.post(`${app}/recipe/user/password/reset/token`, { userId, email: 'a@' });
    expect(refusalOf(answer)[2]).toMatch(/^Field name 'email' is invalid in JSON input: must be an email/);
  });

  test('works until its time is over', async () => {
    const email = newEmail();
    const pair = { userId: (await importUser(core, email, app)).id, email };
    const [early, late] = [await makeToken(pair), await makeToken(pair)];
    now += lifetimeMs;
    expect(await consume(late)).toEqual(invalid);
    now -= 1;
    expect(await consume(early)).toEqual({ status: 'OK', ...pair });
  });

  test('works in its tenant only, and is nothing else’s', async () => {
    const tenant = await newTenant(core, app);
    const email = newEmail();
    const pair = { userId: (await importUser(core, email, tenant)).id, email };
    const token = await makeToken(pair, tenant);
    expect(await consume(token)).toEqual(invalid);
    const verify = await core.post(`${tenant}/recipe/user/email/verify`, { method: 'token', token });
    expect(verify.body).toEqual({ status: 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR' });
    expect(await consume('unknown', tenant)).toEqual(invalid);
    expect(await consume(token, tenant)).toEqual({ status: 'OK', ...pair });
  });

  test('is made for known users only, by any of their ids', async () => {
    const email = newEmail();
    const unknown = await core.post(`${app}/recipe/user/password/reset/token`, { userId: 'nobody', email });
    expect(unknown.body).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
    const { id } = await importUser(core, email, app);
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'auth0|1' });
    for (const userId of [id, 'auth0|1'])
      expect(await consume(await makeToken({ userId, email }))).toEqual({
        status: 'OK',
        userId: 'auth0|1',
        email,
      });
  });
});

describe('changing a user', () => {
  const change = (input: object): Promise<Answer> => core.put(`${app}/recipe/user`, input);

  test('sets a new password, by either id', async () => {
    const email = newEmail();
    const { id } = await importUser(core, email, app);
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'auth0|1' });
    for (const recipeUserId of [id, 'auth0|1']) {
      const password = `new password of ${recipeUserId}`;
      expect((await change({ recipeUserId, password })).body).toEqual({ status: 'OK' });
      expect(await signIn(core, email, password, app)).toBe('OK');
      expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
    }
  });

  test('sets a new email, which is unverified until changed back', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const { id } = await importUser(core, email, app);
    const token = await verificationToken(core, { userId: id, email }, app);
    await core.post(`${app}/recipe/user/email/verify`, { method: 'token', token });
    const state = async () => {
      const { user } = (await core.get(`${app}/user/id`, { userId: id })).body;
      const [method] = (user as { loginMethods: { email: string; verified: boolean }[] }).loginMethods;
      return [method?.email, method?.verified];
    };
    expect(await state()).toEqual([email, true]);
    expect((await change({ recipeUserId: id, email: other.toUpperCase() })).body).toEqual({ status: 'OK' });
    expect(await state()).toEqual([other, false]);
    expect(await signIn(core, other, knownPassword, app)).toBe('OK');
    expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
    await change({ recipeUserId: id, email });
    expect(await state()).toEqual([email, true]);
  });

  test('refuses an email that another user has, and leaves the password too', async () => {
    const [email, taken] = [newEmail(), newEmail()];
    const { id } = await importUser(core, email, app);
    await importUser(core, taken, app);
    const { body } = await change({ recipeUserId: id, email: taken, password: 'other' });
    expect(body).toEqual({ status: 'EMAIL_ALREADY_EXISTS_ERROR' });
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  });

  test('refuses who is unknown, who is social, and no change at all', async () => {
    const unknown = { status: 'UNKNOWN_USER_ID_ERROR' };
    expect((await change({ recipeUserId: 'nobody', password: 'x' })).body).toEqual(unknown);
    const social = await signInUp(core, 'g-1', { id: newEmail() }, app);
    expect((await change({ recipeUserId: social.id, password: 'x' })).body).toEqual(unknown);
    expect(refusalOf(await change({ recipeUserId: social.id }))).toEqual([
      400,
      'INVALID_FIELD',
      "Field name 'email' is invalid in JSON input: give an email, a password or both",
    ]);
  });
});
