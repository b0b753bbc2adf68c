import { getUser } from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ok,
  recipeId,
  redeemedPair,
  type SdkCore,
  signUp,
  signUpSocially,
  startCoreWithSdk,
} from '../helpers/sdk.ts';

const invalid = { status: 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR' };

let core: SdkCore;
let userId: string;
let email: string;
let users = 0;

beforeAll(async () => {
  core = await startCoreWithSdk();
  await Multitenancy.createOrUpdateTenant('elsewhere');
});
beforeEach(async () => {
  email = `user-${++users}@verify.test`;
  userId = await signUp('public', email);
});
afterAll(() => core.stop());

const newToken = async () =>
  ok(await EmailVerification.createEmailVerificationToken('public', recipeId(userId))).token;
const redeem = (token: string) => EmailVerification.verifyEmailUsingToken('public', token);
const isVerified = () => EmailVerification.isEmailVerified(recipeId(userId));

/** The core's answer without the SDK: by the pair itself, and by the user's login method. */
async function verifiedByCore(): Promise<{ pair: unknown; method: unknown }> {
  const pair = await core.get('/recipe/user/email/verify', { userId, email });
  const user = await core.get('/user/id', { userId });
  const { loginMethods } = user.body.user as { loginMethods: { verified: boolean }[] };
  return { pair: pair.body.isVerified, method: loginMethods[0]?.verified };
}

describe('a verification token', () => {
  it('verifies the email of its user', async () => {
    expect(await isVerified()).toBe(false);
    expect(redeemedPair(await redeem(await newToken()))).toEqual({ userId, email });
    expect(await isVerified()).toBe(true);
    expect(await verifiedByCore()).toEqual({ pair: true, method: true });
  });

  it('works once', async () => {
    const token = await newToken();
    expect((await redeem(token)).status).toBe('OK');
    expect(await redeem(token)).toEqual(invalid);
    expect(await isVerified()).toBe(true);
  });

  it('works once of fifty times at the same instant', async () => {
    const token = await newToken();
    const attempts = await Promise.all(Array.from({ length: 50 }, () => redeem(token)));
    expect(attempts.filter(({ status }) => status === 'OK')).toHaveLength(1);
    expect(await isVerified()).toBe(true);
  });

  it('is spent when another one of the same email was redeemed', async () => {
    const tokens = [await newToken(), await newToken()];
    expect((await redeem(tokens[1] ?? '')).status).toBe('OK');
    expect(await redeem(tokens[0] ?? '')).toEqual(invalid);
  });

  it('is worth nothing in another tenant, and still good in its own', async () => {
    const token = await newToken();
    expect(await EmailVerification.verifyEmailUsingToken('elsewhere', token)).toEqual(invalid);
    expect(await isVerified()).toBe(false);
    expect((await redeem(token)).status).toBe('OK');
  });

  it('cannot be made up', async () => {
    expect(await redeem('made up')).toEqual(invalid);
    expect(await redeem('')).toEqual(invalid);
  });

  it('is worth nothing after it was revoked', async () => {
    const tokens = [await newToken(), await newToken()];
    const revoked = await EmailVerification.revokeEmailVerificationTokens('public', recipeId(userId));
    expect(revoked).toEqual({ status: 'OK' });
    for (const token of tokens) expect(await redeem(token)).toEqual(invalid);
    expect(await isVerified()).toBe(false);
    expect((await redeem(await newToken())).status).toBe('OK');
  });

  it('is not made for an email that is verified already', async () => {
    await redeem(await newToken());
    const again = await EmailVerification.createEmailVerificationToken('public', recipeId(userId));
    expect(again).toEqual({ status: 'EMAIL_ALREADY_VERIFIED_ERROR' });
  });

  it('comes in a link as well', async () => {
    const { link } = ok(await EmailVerification.createEmailVerificationLink('public', recipeId(userId)));
    const token = new URL(link).searchParams.get('token') ?? '';
    expect((await redeem(token)).status).toBe('OK');
    expect(await verifiedByCore()).toEqual({ pair: true, method: true });
  });

  it('verifies an id that is no user of the core', async () => {
    const stranger = recipeId('guest-17');
    const made = await EmailVerification.createEmailVerificationToken(
      'public',
      stranger,
      'guest@verify.test',
    );
    const pair = redeemedPair(await redeem(ok(made).token));
    expect(pair).toEqual({ userId: 'guest-17', email: 'guest@verify.test' });
    expect(await EmailVerification.isEmailVerified(stranger, 'guest@verify.test')).toBe(true);
    expect(await getUser('guest-17')).toBeUndefined();
  });
});

describe('a verified email', () => {
  beforeEach(async () => {
    await redeem(await newToken());
  });

  it('can be made unverified, and verified again', async () => {
    expect(await EmailVerification.unverifyEmail(recipeId(userId))).toEqual({ status: 'OK' });
    expect(await isVerified()).toBe(false);
    expect(await verifiedByCore()).toEqual({ pair: false, method: false });
    expect((await redeem(await newToken())).status).toBe('OK');
    expect(await verifiedByCore()).toEqual({ pair: true, method: true });
  });

  it('is no proof of the next one, and still proven after changing back', async () => {
    const first = email;
    const change = (to: string) =>
      EmailPassword.updateEmailOrPassword({ recipeUserId: recipeId(userId), email: to });
    expect(await change(`next-${first}`)).toEqual({ status: 'OK' });
    expect(await isVerified()).toBe(false);
    expect(await EmailVerification.isEmailVerified(recipeId(userId), first)).toBe(true);
    expect(await change(first)).toEqual({ status: 'OK' });
    expect(await verifiedByCore()).toEqual({ pair: true, method: true });
  });

  it('can be one that the user is about to change to', async () => {
    const next = `next-${email}`;
    const made = await EmailVerification.createEmailVerificationToken('public', recipeId(userId), next);
    await redeem(ok(made).token);
    await EmailPassword.updateEmailOrPassword({ recipeUserId: recipeId(userId), email: next });
    expect((await getUser(userId))?.loginMethods[0]).toMatchObject({ email: next, verified: true });
  });

  it('says nothing about the same email of another user', async () => {
    const social = await signUpSocially('public', `of-${email}`, email);
    expect(await EmailVerification.isEmailVerified(recipeId(social))).toBe(false);
    expect(await isVerified()).toBe(true);
  });
});
