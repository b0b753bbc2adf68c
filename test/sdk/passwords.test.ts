import { getUser, listUsersByAccountInfo } from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../helpers/core.ts';
import {
  foreignHashes,
  importUser,
  ok,
  plain,
  recipeId,
  type SdkCore,
  signUp,
  signUpSocially,
  startCoreWithSdk,
} from '../helpers/sdk.ts';

const wrong = { status: 'WRONG_CREDENTIALS_ERROR' };
const unknownUserId = '00000000-0000-7000-8000-000000000000';

let core: SdkCore;

beforeAll(async () => {
  core = await startCoreWithSdk();
});
afterAll(() => core.stop());

const signIn = (email: string, password: string) => EmailPassword.signIn('public', email, password);
const signInStatus = async (email: string, password: string) => (await signIn(email, password)).status;

describe('signing up', () => {
  it('makes an unverified user of one login method, as the core itself reports', async () => {
    const { user, recipeUserId } = ok(await EmailPassword.signUp('public', 'New@Example.test ', 'abcd1234'));
    expect(recipeUserId.getAsString()).toBe(user.id);
    expect(plain(user)).toMatchObject({
      isPrimaryUser: false,
      tenantIds: ['public'],
      emails: ['new@example.test'],
      phoneNumbers: [],
      thirdParty: [],
      webauthn: { credentialIds: [] },
      loginMethods: [{ recipeId: 'emailpassword', email: 'new@example.test', verified: false }],
    });
    const told = await core.get('/user/id', { userId: user.id });
    expect(told.body).toEqual({ status: 'OK', user: plain(user) });
  });

  it('refuses an email that has a password already, in whatever case, and leaves that password', async () => {
    await signUp('public', 'taken@example.test', 'first password 1');
    const again = await EmailPassword.signUp('public', 'TAKEN@example.test', 'second password 2');
    expect(again).toEqual({ status: 'EMAIL_ALREADY_EXISTS_ERROR' });
    expect(await signInStatus('taken@example.test', 'first password 1')).toBe('OK');
    expect(await signIn('taken@example.test', 'second password 2')).toEqual(wrong);
  });

  it('lets one of twenty at the same instant have the email', async () => {
    const attempts = Array.from({ length: 20 }, (_, n) =>
      EmailPassword.signUp('public', 'race@example.test', `password number ${n}`),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'OK')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'EMAIL_ALREADY_EXISTS_ERROR')).toHaveLength(19);
    expect(await listUsersByAccountInfo('public', { email: 'race@example.test' })).toHaveLength(1);
  });

  it('is no obstacle for the same email as a social user', async () => {
    const social = await signUpSocially('public', 'both-ways', 'both@example.test');
    const own = await signUp('public', 'both@example.test');
    expect(own).not.toBe(social);
    const found = await listUsersByAccountInfo('public', { email: 'both@example.test' });
    expect(found.map(({ id }) => id).sort()).toEqual([social, own].sort());
  });
});

describe('signing in', () => {
  it('gives the user back for the right password, and nothing for a wrong one', async () => {
    const userId = await signUp('public', 'in@example.test', 'pässwörd € 1');
    const { user, recipeUserId } = ok(await signIn('IN@example.test', 'pässwörd € 1'));
    expect(recipeUserId.getAsString()).toBe(userId);
    expect(plain(user)).toEqual(plain(await getUser(userId)));
    expect(await signIn('in@example.test', 'pässwörd € 2')).toEqual(wrong);
  });

  it('says the same of an unknown email and of a social user', async () => {
    await signUpSocially('public', 'no-password', 'social-only@example.test');
    expect(await signIn('nobody@example.test', 'whatever 1')).toEqual(wrong);
    expect(await signIn('social-only@example.test', 'whatever 1')).toEqual(wrong);
  });

  it('can be tried without a sign-in', async () => {
    await signUp('public', 'checked@example.test', 'checked 1');
    const check = (password: string) =>
      EmailPassword.verifyCredentials('public', 'checked@example.test', password);
    expect(await check('checked 1')).toEqual({ status: 'OK' });
    expect(await check('checked 2')).toEqual(wrong);
  });

  it('fails in a tenant that does not exist, with what the core says about it', async () => {
    await expect(EmailPassword.signIn('nowhere', 'a@example.test', 'abcd1234')).rejects.toThrow(
      /status code: 400 .*AppId or tenantId not found/,
    );
  });
});

describe.each(Object.values(foreignHashes))('a user imported with a hash of kind $kind', (hash) => {
  const email = `${hash.kind.replaceAll(/\W/g, '')}@imported.test`;
  let imported: Answer;

  beforeAll(async () => {
    imported = await importUser(core, 'public', email, hash);
  });

  it('signs in with the old password', async () => {
    expect(imported.body).toMatchObject({ status: 'OK', didUserAlreadyExist: false });
    const { user } = ok(await signIn(email, hash.password));
    expect(plain(user)).toEqual(imported.body.user);
  });

  it('does not sign in with another password', async () => {
    expect(await signIn(email, `${hash.password}x`)).toEqual(wrong);
    expect(await signIn(email, hash.passwordHash)).toEqual(wrong);
  });

  it('cannot be signed up once more', async () => {
    expect(await EmailPassword.signUp('public', email, 'another 1')).toEqual({
      status: 'EMAIL_ALREADY_EXISTS_ERROR',
    });
  });

  it('can change the password, after which the old one is wrong', async () => {
    const replaceable = `change-${email}`;
    await importUser(core, 'public', replaceable, hash);
    const { user, recipeUserId } = ok(await signIn(replaceable, hash.password));
    const changed = await EmailPassword.updateEmailOrPassword({ recipeUserId, password: 'brand new 1' });
    expect(changed).toEqual({ status: 'OK' });
    expect(await signIn(replaceable, hash.password)).toEqual(wrong);
    expect(ok(await signIn(replaceable, 'brand new 1')).user.id).toBe(user.id);
  });
});

describe('changing email and password', () => {
  it('moves the user to the new email: the old one is free, the password stays', async () => {
    const userId = await signUp('public', 'before@example.test', 'stays 1');
    const changed = await EmailPassword.updateEmailOrPassword({
      recipeUserId: recipeId(userId),
      email: 'After@example.test',
    });
    expect(changed).toEqual({ status: 'OK' });
    expect(ok(await signIn('after@example.test', 'stays 1')).user.id).toBe(userId);
    expect(await signIn('before@example.test', 'stays 1')).toEqual(wrong);
    expect((await getUser(userId))?.emails).toEqual(['after@example.test']);
    expect(await signUp('public', 'before@example.test')).not.toBe(userId);
  });

  it('changes both at once', async () => {
    const userId = await signUp('public', 'both-old@example.test', 'old 12345');
    const recipeUserId = recipeId(userId);
    const email = 'both-new@example.test';
    const change = { recipeUserId, email, password: 'new 12345' };
    expect(await EmailPassword.updateEmailOrPassword(change)).toEqual({ status: 'OK' });
    expect(ok(await signIn(email, 'new 12345')).user.id).toBe(userId);
    expect(await signIn(email, 'old 12345')).toEqual(wrong);
  });

  it('refuses an email that another user has, and then changes nothing, not even the password', async () => {
    await signUp('public', 'owner@example.test', 'of the owner 1');
    const userId = await signUp('public', 'envious@example.test', 'unchanged 1');
    const change = {
      recipeUserId: recipeId(userId),
      email: 'owner@example.test',
      password: 'not taken 1',
    };
    expect(await EmailPassword.updateEmailOrPassword(change)).toEqual({
      status: 'EMAIL_ALREADY_EXISTS_ERROR',
    });
    expect(ok(await signIn('envious@example.test', 'unchanged 1')).user.id).toBe(userId);
    expect(await signInStatus('owner@example.test', 'of the owner 1')).toBe('OK');
  });

  it.each([{ email: 'ghost@example.test' }, { password: 'of a ghost 1' }])(
    'knows no user of an unknown id: %o',
    async (change) => {
      const recipeUserId = recipeId(unknownUserId);
      expect(await EmailPassword.updateEmailOrPassword({ recipeUserId, ...change })).toEqual({
        status: 'UNKNOWN_USER_ID_ERROR',
      });
    },
  );

  it('knows no password of a social user', async () => {
    const userId = await signUpSocially('public', 'wants-password', 'wants@example.test');
    const change = { recipeUserId: recipeId(userId), password: 'abcd1234' };
    expect(await EmailPassword.updateEmailOrPassword(change)).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
    expect(await signIn('wants@example.test', 'abcd1234')).toEqual(wrong);
  });
});

describe('resetting a forgotten password', () => {
  const tokenFor = async (userId: string, email: string) =>
    ok(await EmailPassword.createResetPasswordToken('public', userId, email)).token;

  it('sets a new password by a token, which works once', async () => {
    const userId = await signUp('public', 'forgot@example.test', 'forgotten 1');
    const token = await tokenFor(userId, 'forgot@example.test');
    expect(await EmailPassword.resetPasswordUsingToken('public', token, 'remembered 1')).toEqual({
      status: 'OK',
    });
    expect(ok(await signIn('forgot@example.test', 'remembered 1')).user.id).toBe(userId);
    expect(await signIn('forgot@example.test', 'forgotten 1')).toEqual(wrong);
    expect(await EmailPassword.resetPasswordUsingToken('public', token, 'once more 1')).toEqual({
      status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR',
    });
    expect(await signInStatus('forgot@example.test', 'remembered 1')).toBe('OK');
  });

  it('gives a social user with that email none, since there is no password to set', async () => {
    const userId = await signUpSocially('public', 'forgot-nothing', 'forgot-nothing@example.test');
    const token = await tokenFor(userId, 'forgot-nothing@example.test');
    expect(await EmailPassword.resetPasswordUsingToken('public', token, 'abcd1234')).toEqual({
      status: 'UNKNOWN_USER_ID_ERROR',
    });
    expect(await signIn('forgot-nothing@example.test', 'abcd1234')).toEqual(wrong);
  });

  it('returns the user of a consumed token, once, and spends the other tokens of that user', async () => {
    const userId = await signUp('public', 'consume@example.test');
    const [first, second] = await Promise.all([
      tokenFor(userId, 'consume@example.test'),
      tokenFor(userId, 'consume@example.test'),
    ]);
    expect(first).not.toBe(second);
    expect(await EmailPassword.consumePasswordResetToken('public', first)).toEqual({
      status: 'OK',
      userId,
      email: 'consume@example.test',
    });
    for (const spent of [first, second]) {
      expect(await EmailPassword.consumePasswordResetToken('public', spent)).toEqual({
        status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR',
      });
    }
  });

  it('makes a link that carries such a token', async () => {
    const userId = await signUp('public', 'link@example.test');
    const { link } = ok(await EmailPassword.createResetPasswordLink('public', userId, 'link@example.test'));
    const token = new URL(link).searchParams.get('token') ?? '';
    expect(await EmailPassword.consumePasswordResetToken('public', token)).toMatchObject({ userId });
  });

  it('knows no user of an unknown id, and no token that it never gave', async () => {
    const asked = await EmailPassword.createResetPasswordToken('public', unknownUserId, 'x@example.test');
    expect(asked).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
    expect(await EmailPassword.resetPasswordUsingToken('public', 'made up', 'abcd1234')).toEqual({
      status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR',
    });
  });
});
