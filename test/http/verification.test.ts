import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import {
  importUser,
  newApp,
  newEmail,
  newTenant,
  refusalOf,
  signInUp,
  verificationToken,
} from '../helpers/people.ts';

const dayMs = 86_400_000;
const invalid = { status: 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR' };
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

interface Pair {
  readonly userId: string;
  readonly email: string;
}

const redeem = async (token: string, prefix = app): Promise<unknown> =>
  (await core.post(`${prefix}/recipe/user/email/verify`, { method: 'token', token })).body;

async function isVerified(pair: Pair, prefix = app): Promise<unknown> {
  const { body } = await core.get(`${prefix}/recipe/user/email/verify`, { ...pair });
  expect(body).toEqual({ status: 'OK', isVerified: expect.any(Boolean) as boolean });
  return body.isVerified;
}

describe('a verification token', () => {
  test('works once, verifies the email, and spends the others of its pair', async () => {
    const email = newEmail();
    const pair = { userId: (await importUser(core, email, app)).id, email };
    const [token, sibling] = [
      await verificationToken(core, pair, app),
      await verificationToken(core, pair, app),
    ];
    expect(await isVerified(pair)).toBe(false);
    expect(await redeem(token)).toEqual({ status: 'OK', ...pair });
    expect(await isVerified(pair)).toBe(true);
    const { body } = await core.get(`${app}/user/id`, { userId: pair.userId });
    expect(body.user).toMatchObject({ loginMethods: [{ verified: true }] });
    expect([await redeem(token), await redeem(sibling)]).toEqual([invalid, invalid]);
    const again = await core.post(`${app}/recipe/user/email/verify/token`, pair);
    expect([again.http, again.body]).toEqual([200, { status: 'EMAIL_ALREADY_VERIFIED_ERROR' }]);
  });

  test('needs no user: every pair will do', async () => {
    const pair = { userId: 'somebody elsewhere', email: newEmail() };
    expect(await redeem(await verificationToken(core, pair, app))).toEqual({ status: 'OK', ...pair });
    expect(await isVerified(pair)).toBe(true);
  });

  test('works until its time is over', async () => {
    const pair = { userId: 'a', email: newEmail() };
    const token = await verificationToken(core, pair, app);
    now += dayMs;
    expect(await redeem(token)).toEqual(invalid);
    now -= 1;
    expect(await redeem(token)).toEqual({ status: 'OK', ...pair });
  });

  test('works as long as the app says', async () => {
    const brief = await newApp(core, { email_verification_token_lifetime: 1000 });
    const token = await verificationToken(core, { userId: 'a', email: newEmail() }, brief);
    now += 1000;
    expect(await redeem(token, brief)).toEqual(invalid);
  });

  test('works in its tenant only, and verifies in the whole app', async () => {
    const [tenant, other] = [await newTenant(core, app), await newTenant(core, app)];
    const pair = { userId: 'a', email: newEmail() };
    const token = await verificationToken(core, pair, tenant);
    for (const prefix of [app, other, await newApp(core)])
      expect(await redeem(token, prefix)).toEqual(invalid);
    expect(await redeem(token, tenant)).toEqual({ status: 'OK', ...pair });
    expect(await isVerified(pair)).toBe(true);
    const again = await core.post(`${other}/recipe/user/email/verify/token`, pair);
    expect(again.body).toEqual({ status: 'EMAIL_ALREADY_VERIFIED_ERROR' });
  });

  test('that is unknown or empty is invalid', async () => {
    for (const token of ['unknown', '', 'x'.repeat(128)]) expect(await redeem(token)).toEqual(invalid);
  });

  test('can be taken back, in its tenant', async () => {
    const tenant = await newTenant(core, app);
    const pair = { userId: 'a', email: newEmail() };
    const [token, kept] = [
      await verificationToken(core, pair, app),
      await verificationToken(core, pair, tenant),
    ];
    for (const each of [pair, { userId: 'nobody', email: pair.email }]) {
      const { http, body } = await core.post(`${app}/recipe/user/email/verify/token/remove`, each);
      expect([http, body]).toEqual([200, { status: 'OK' }]);
    }
    expect(await redeem(token)).toEqual(invalid);
    expect(await redeem(kept, tenant)).toEqual({ status: 'OK', ...pair });
  });

  test('is the only method', async () => {
    for (const method of ['code', 'TOKEN', '']) {
      const answer = await core.post(`${app}/recipe/user/email/verify`, { method, token: 'x' });
      expect(refusalOf(answer)).toEqual([400, 'INVALID_FIELD', 'Unsupported method for email verification']);
    }
  });
});

describe('an id that is mapped', () => {
  test('stands for its external id, whichever way it is asked', async () => {
    const email = newEmail();
    const { id } = await importUser(core, email, app);
    const early = await verificationToken(core, { userId: id, email }, app);
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'auth0|1' });
    expect(await redeem(early)).toEqual({ status: 'OK', userId: 'auth0|1', email });
    for (const userId of [id, 'auth0|1']) expect(await isVerified({ userId, email })).toBe(true);

    const { body } = await core.post(`${app}/recipe/user/email/verify/remove`, { userId: id, email });
    expect(body).toEqual({ status: 'OK' });
    expect(await isVerified({ userId: 'auth0|1', email })).toBe(false);
    const token = await verificationToken(core, { userId: id, email }, app);
    expect(await redeem(token)).toEqual({ status: 'OK', userId: 'auth0|1', email });
  });
});

describe('making an email unverified', () => {
  test('always answers OK, and needs a new token to undo', async () => {
    const email = newEmail();
    const { id } = await signInUp(core, 'g-1', { id: email, isVerified: true }, app);
    const pair = { userId: id, email };
    expect(await isVerified(pair)).toBe(true);
    const remove = () => core.post(`${app}/recipe/user/email/verify/remove`, pair);
    for (const answer of [await remove(), await remove()]) expect(answer.body).toEqual({ status: 'OK' });
    expect(await isVerified(pair)).toBe(false);
    expect(await redeem(await verificationToken(core, pair, app))).toEqual({ status: 'OK', ...pair });
  });
});
