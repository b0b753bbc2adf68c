/** The daily actions of an application, the same in every tenant of every app. */
import {
  createUserIdMapping,
  deleteUser,
  getUser,
  getUserCount,
  getUserIdMapping,
  getUsersNewestFirst,
  getUsersOldestFirst,
  listUsersByAccountInfo,
} from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
import { expect, it } from 'vitest';
import {
  foreignHashes,
  importUser,
  ok,
  plain,
  recipeId,
  redeemedPair,
  type SdkCore,
  signUp,
  signUpSocially,
} from '../helpers/sdk.ts';

const wrong = { status: 'WRONG_CREDENTIALS_ERROR' };

/** @param core called when the test runs; the tenant must exist by then */
export function itMakesTheMainJourneys(core: () => SdkCore, tenantId: string): void {
  const signIn = (email: string, password: string) => EmailPassword.signIn(tenantId, email, password);

  it('signs up, signs in, and takes an email once', async () => {
    const userId = await signUp(tenantId, 'up@journey.test', 'journey 1');
    const { user } = ok(await signIn('up@journey.test', 'journey 1'));
    expect(user.id).toBe(userId);
    expect(user.tenantIds).toEqual([tenantId]);
    expect(await signIn('up@journey.test', 'journey 2')).toEqual(wrong);
    expect(await EmailPassword.signUp(tenantId, 'up@journey.test', 'journey 3')).toEqual({
      status: 'EMAIL_ALREADY_EXISTS_ERROR',
    });
    expect(plain(await getUser(userId))).toEqual(plain(user));
  });

  it.each(Object.values(foreignHashes))('signs in with an imported hash: $kind', async (hash) => {
    const email = `${hash.kind.replaceAll(/\W/g, '')}@journey.test`;
    const imported = await importUser(core(), tenantId, email, hash);
    expect(imported.body).toMatchObject({ status: 'OK', didUserAlreadyExist: false });
    expect(plain(ok(await signIn(email, hash.password)).user)).toEqual(imported.body.user);
    expect(await signIn(email, `${hash.password} `)).toEqual(wrong);
  });

  it('verifies an email by a token, and makes it unverified again', async () => {
    const userId = await signUp(tenantId, 'verify@journey.test');
    const id = recipeId(userId);
    const newToken = () => EmailVerification.createEmailVerificationToken(tenantId, id);
    const { token } = ok(await newToken());
    const redeem = () => EmailVerification.verifyEmailUsingToken(tenantId, token);
    expect(redeemedPair(await redeem())).toEqual({ userId, email: 'verify@journey.test' });
    expect(await redeem()).toEqual({ status: 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR' });
    expect(await newToken()).toEqual({ status: 'EMAIL_ALREADY_VERIFIED_ERROR' });
    expect(await EmailVerification.isEmailVerified(id)).toBe(true);
    await EmailVerification.unverifyEmail(id);
    expect(await EmailVerification.isEmailVerified(id)).toBe(false);
  });

  it('carries over a social user who comes again with another email', async () => {
    const userId = await signUpSocially(tenantId, 'journey', 'social@journey.test');
    const again = ok(
      await ThirdParty.manuallyCreateOrUpdateUser(tenantId, 'google', 'journey', 'moved@journey.test', true),
    );
    expect(again.createdNewRecipeUser).toBe(false);
    const user = await getUser(userId);
    expect(user?.loginMethods[0]).toMatchObject({ email: 'moved@journey.test', verified: true });
    const thirdParty = { id: 'google', userId: 'journey' };
    expect((await listUsersByAccountInfo(tenantId, { thirdParty })).map(({ id }) => id)).toEqual([userId]);
  });

  it('knows an imported user by the id of the old system from then on', async () => {
    const email = 'mapped@journey.test';
    const externalUserId = `old-${tenantId}-1`;
    const imported = await importUser(core(), tenantId, email, foreignHashes.argon2id);
    const { id: superTokensUserId } = imported.body.user as { id: string };
    expect(await createUserIdMapping({ superTokensUserId, externalUserId })).toEqual({ status: 'OK' });
    expect(await getUserIdMapping({ userId: externalUserId, userIdType: 'EXTERNAL' })).toEqual({
      status: 'OK',
      superTokensUserId,
      externalUserId,
    });
    expect(ok(await signIn(email, foreignHashes.argon2id.password)).user.id).toBe(externalUserId);
    const made = await EmailVerification.createEmailVerificationToken(tenantId, recipeId(externalUserId));
    const redeemed = await EmailVerification.verifyEmailUsingToken(tenantId, ok(made).token);
    expect(redeemedPair(redeemed)).toEqual({ userId: externalUserId, email });
    expect((await getUser(externalUserId))?.loginMethods[0]?.verified).toBe(true);
  });

  it('changes the email and the password', async () => {
    const recipeUserId = recipeId(await signUp(tenantId, 'old@journey.test', 'old 12345'));
    const change = { recipeUserId, email: 'new@journey.test', password: 'new 12345' };
    expect(await EmailPassword.updateEmailOrPassword(change)).toEqual({ status: 'OK' });
    expect(await signIn('old@journey.test', 'old 12345')).toEqual(wrong);
    expect(ok(await signIn('new@journey.test', 'new 12345')).user.id).toBe(recipeUserId.getAsString());
    await signUp(tenantId, 'old@journey.test');
    expect(await EmailPassword.updateEmailOrPassword({ recipeUserId, email: 'old@journey.test' })).toEqual({
      status: 'EMAIL_ALREADY_EXISTS_ERROR',
    });
  });

  it('resets a forgotten password, once a token', async () => {
    const email = 'forgot@journey.test';
    const userId = await signUp(tenantId, email, 'forgotten 1');
    const { token } = ok(await EmailPassword.createResetPasswordToken(tenantId, userId, email));
    const reset = (password: string) => EmailPassword.resetPasswordUsingToken(tenantId, token, password);
    expect(await reset('remembered 1')).toEqual({ status: 'OK' });
    expect(await reset('remembered 2')).toEqual({ status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR' });
    expect(ok(await signIn(email, 'remembered 1')).user.id).toBe(userId);
    expect(await signIn(email, 'forgotten 1')).toEqual(wrong);
  });

  it('pages through all users in either direction, and counts the same number', async () => {
    for (let n = 0; n < 5; n++) await signUp(tenantId, `page-${n}@journey.test`);
    const oldest = await everybody(getUsersOldestFirst, tenantId);
    const newest = await everybody(getUsersNewestFirst, tenantId);
    expect(newest).toEqual(oldest.toReversed());
    expect(new Set(oldest).size).toBe(oldest.length);
    expect(await getUserCount(undefined, tenantId)).toBe(oldest.length);
    const told = await core().get(`${core().app}/${tenantId}/users`, { limit: '500' });
    expect((told.body.users as { id: string }[]).map(({ id }) => id)).toEqual(oldest);
  });

  it('deletes a user, and only that one', async () => {
    const [gone, stays] = [
      await signUp(tenantId, 'gone@journey.test'),
      await signUp(tenantId, 'stays@journey.test'),
    ];
    const count = await getUserCount(undefined, tenantId);
    expect(await deleteUser(gone)).toEqual({ status: 'OK' });
    expect(await getUser(gone)).toBeUndefined();
    expect((await getUser(stays))?.id).toBe(stays);
    expect(await getUserCount(undefined, tenantId)).toBe(count - 1);
    expect(await signUp(tenantId, 'gone@journey.test')).not.toBe(gone);
  });
}

async function everybody(list: typeof getUsersOldestFirst, tenantId: string): Promise<string[]> {
  const met: string[] = [];
  let paginationToken: string | undefined;
  do {
    const page = await list({ tenantId, limit: 2, ...(paginationToken && { paginationToken }) });
    expect(page.users.length).toBeGreaterThan(0);
    met.push(...page.users.map(({ id }) => id));
    paginationToken = page.nextPaginationToken;
  } while (paginationToken !== undefined && met.length < 1000);
  return met;
}
