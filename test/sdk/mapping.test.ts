import {
  createUserIdMapping,
  deleteUser,
  deleteUserIdMapping,
  getUser,
  getUserIdMapping,
  getUsersNewestFirst,
  listUsersByAccountInfo,
  updateOrDeleteUserIdMappingInfo,
} from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
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

const unknown = { status: 'UNKNOWN_MAPPING_ERROR' };
const unknownUserId = '00000000-0000-7000-8000-000000000000';
const password = 'correct horse 1';

let core: SdkCore;
let coreId: string;
let externalId: string;
let email: string;
let users = 0;

beforeAll(async () => {
  core = await startCoreWithSdk();
});
beforeEach(async () => {
  users++;
  email = `user-${users}@mapping.test`;
  // As in other systems: not a UUID, and with characters that a URL must escape.
  externalId = `auth0|${users} ü+/&?`;
  coreId = await signUp('public', email, password);
});
afterAll(() => core.stop());

const map = (superTokensUserId = coreId, externalUserId = externalId) =>
  createUserIdMapping({ superTokensUserId, externalUserId });
const seenId = async (id: string) => (await getUser(id))?.id;

describe('mapping a user id', () => {
  it('gives the user the external id, by which both ids find it', async () => {
    expect(await map()).toEqual({ status: 'OK' });
    for (const id of [coreId, externalId]) {
      const user = await getUser(id);
      expect(user?.id).toBe(externalId);
      expect(user?.loginMethods[0]?.recipeUserId.getAsString()).toBe(externalId);
    }
    const told = await core.get('/user/id', { userId: externalId });
    expect(told.body).toMatchObject({ status: 'OK', user: { id: externalId } });
  });

  it.each([
    { userIdType: 'SUPERTOKENS', byCoreId: true, byExternalId: false },
    { userIdType: 'EXTERNAL', byCoreId: false, byExternalId: true },
    { userIdType: 'ANY', byCoreId: true, byExternalId: true },
    { userIdType: undefined, byCoreId: true, byExternalId: true },
  ] as const)(
    'is found as $userIdType by the core id: $byCoreId, by the external id: $byExternalId',
    async ({ userIdType, byCoreId, byExternalId }) => {
      await map();
      const type = userIdType === undefined ? {} : { userIdType };
      const mapping = { status: 'OK', superTokensUserId: coreId, externalUserId: externalId };
      expect(await getUserIdMapping({ userId: coreId, ...type })).toEqual(byCoreId ? mapping : unknown);
      expect(await getUserIdMapping({ userId: externalId, ...type })).toEqual(
        byExternalId ? mapping : unknown,
      );
    },
  );

  it('knows no mapping of a user without one, and of an unknown id', async () => {
    expect(await getUserIdMapping({ userId: coreId })).toEqual(unknown);
    expect(await getUserIdMapping({ userId: 'nobody' })).toEqual(unknown);
  });

  it('refuses a user that does not exist', async () => {
    expect(await map(unknownUserId)).toEqual({ status: 'UNKNOWN_SUPERTOKENS_USER_ID_ERROR' });
    expect(await getUserIdMapping({ userId: externalId })).toEqual(unknown);
  });

  it('refuses what is mapped already, says which side it is, and changes nothing', async () => {
    const other = await signUp('public', `other-${email}`);
    await map();
    const refused = (doesSuperTokensUserIdExist: boolean, doesExternalUserIdExist: boolean) => ({
      status: 'USER_ID_MAPPING_ALREADY_EXISTS_ERROR',
      doesSuperTokensUserIdExist,
      doesExternalUserIdExist,
    });
    expect(await map(coreId, 'another id')).toEqual(refused(true, false));
    expect(await map(other, externalId)).toEqual(refused(false, true));
    expect(await map()).toEqual(refused(true, true));
    expect(await seenId(coreId)).toBe(externalId);
    expect(await seenId(other)).toBe(other);
  });
});

describe('the text kept with a mapping', () => {
  const info = async () => {
    const mapping = ok(await getUserIdMapping({ userId: externalId }));
    return mapping.externalUserIdInfo;
  };
  const update = (userId: string, externalUserIdInfo?: string) =>
    updateOrDeleteUserIdMappingInfo({ userId, ...(externalUserIdInfo && { externalUserIdInfo }) });

  it('is given with it', async () => {
    await createUserIdMapping({
      superTokensUserId: coreId,
      externalUserId: externalId,
      externalUserIdInfo: 'from the old system',
    });
    expect(await info()).toBe('from the old system');
  });

  it('is set, changed and deleted by either id', async () => {
    await map();
    expect(await info()).toBeUndefined();
    expect(await update(externalId, 'first')).toEqual({ status: 'OK' });
    expect(await info()).toBe('first');
    expect(await update(coreId, 'second')).toEqual({ status: 'OK' });
    expect(await info()).toBe('second');
    expect(await update(externalId)).toEqual({ status: 'OK' });
    expect(await info()).toBeUndefined();
  });

  it('is nowhere to be kept without a mapping, or for an id of the other type', async () => {
    expect(await update(coreId, 'lost')).toEqual(unknown);
    await map();
    const externalUserIdInfo = 'lost';
    for (const [userId, userIdType] of [
      [coreId, 'EXTERNAL'],
      [externalId, 'SUPERTOKENS'],
    ] as const) {
      expect(await updateOrDeleteUserIdMappingInfo({ userId, userIdType, externalUserIdInfo })).toEqual(
        unknown,
      );
    }
    expect(await info()).toBeUndefined();
  });
});

describe('deleting a mapping', () => {
  it('gives the user its own id back and frees the external one', async () => {
    await map();
    expect(await deleteUserIdMapping({ userId: externalId })).toEqual({
      status: 'OK',
      didMappingExist: true,
    });
    expect(await getUserIdMapping({ userId: coreId })).toEqual(unknown);
    expect(await seenId(coreId)).toBe(coreId);
    expect(await getUser(externalId)).toBeUndefined();
    const other = await signUp('public', `heir-${email}`);
    expect(await map(other)).toEqual({ status: 'OK' });
    expect(await seenId(externalId)).toBe(externalId);
    expect((await getUser(externalId))?.emails).toEqual([`heir-${email}`]);
  });

  it('looks at the type of the id, and says when there was none', async () => {
    await map();
    const none = { status: 'OK', didMappingExist: false };
    expect(await deleteUserIdMapping({ userId: externalId, userIdType: 'SUPERTOKENS' })).toEqual(none);
    expect(await deleteUserIdMapping({ userId: coreId, userIdType: 'EXTERNAL' })).toEqual(none);
    expect(await deleteUserIdMapping({ userId: 'nobody' })).toEqual(none);
    expect(await seenId(coreId)).toBe(externalId);
    expect(await deleteUserIdMapping({ userId: coreId, userIdType: 'SUPERTOKENS' })).toEqual({
      status: 'OK',
      didMappingExist: true,
    });
    expect(await seenId(coreId)).toBe(coreId);
  });

  it('keeps a verified email verified', async () => {
    await map();
    const made = await EmailVerification.createEmailVerificationToken('public', recipeId(externalId));
    await EmailVerification.verifyEmailUsingToken('public', ok(made).token);
    await deleteUserIdMapping({ userId: externalId });
    expect(await EmailVerification.isEmailVerified(recipeId(coreId))).toBe(true);
    expect((await getUser(coreId))?.loginMethods[0]?.verified).toBe(true);
  });
});

describe('a user with an external id', () => {
  beforeEach(async () => {
    await map();
  });

  it('signs in as that id', async () => {
    const { user, recipeUserId } = ok(await EmailPassword.signIn('public', email, password));
    expect(user.id).toBe(externalId);
    expect(recipeUserId.getAsString()).toBe(externalId);
  });

  it('is found and listed under that id', async () => {
    const [found] = await listUsersByAccountInfo('public', { email });
    expect(found?.id).toBe(externalId);
    const { users: newest } = await getUsersNewestFirst({ tenantId: 'public', limit: 1 });
    expect(newest.map(({ id }) => id)).toEqual([externalId]);
  });

  it('verifies its email under that id', async () => {
    const made = await EmailVerification.createEmailVerificationToken('public', recipeId(externalId));
    const redeemed = await EmailVerification.verifyEmailUsingToken('public', ok(made).token);
    expect(redeemedPair(redeemed)).toEqual({ userId: externalId, email });
    expect(await EmailVerification.isEmailVerified(recipeId(externalId))).toBe(true);
    expect(await EmailVerification.isEmailVerified(recipeId(coreId), email)).toBe(true);
    expect((await getUser(externalId))?.loginMethods[0]?.verified).toBe(true);
    await EmailVerification.unverifyEmail(recipeId(externalId));
    expect((await getUser(externalId))?.loginMethods[0]?.verified).toBe(false);
  });

  it('takes its tokens back under that id', async () => {
    const { token } = ok(
      await EmailVerification.createEmailVerificationToken('public', recipeId(externalId)),
    );
    await EmailVerification.revokeEmailVerificationTokens('public', recipeId(externalId));
    expect((await EmailVerification.verifyEmailUsingToken('public', token)).status).toBe(
      'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR',
    );
  });

  it('changes email and password under that id', async () => {
    const recipeUserId = recipeId(externalId);
    const change = { recipeUserId, email: `new-${email}`, password: 'changed 1' };
    expect(await EmailPassword.updateEmailOrPassword(change)).toEqual({ status: 'OK' });
    expect(ok(await EmailPassword.signIn('public', `new-${email}`, 'changed 1')).user.id).toBe(externalId);
    expect((await EmailPassword.signIn('public', email, password)).status).toBe('WRONG_CREDENTIALS_ERROR');
  });

  it('resets its password under that id', async () => {
    const { token } = ok(await EmailPassword.createResetPasswordToken('public', externalId, email));
    expect(await EmailPassword.resetPasswordUsingToken('public', token, 'reset password 1')).toEqual({
      status: 'OK',
    });
    expect(ok(await EmailPassword.signIn('public', email, 'reset password 1')).user.id).toBe(externalId);
  });

  it('is deleted under that id, mapping and all', async () => {
    expect(await deleteUser(externalId)).toEqual({ status: 'OK' });
    expect(await getUser(externalId)).toBeUndefined();
    expect(await getUser(coreId)).toBeUndefined();
    expect(await getUserIdMapping({ userId: externalId })).toEqual(unknown);
    expect(await getUserIdMapping({ userId: coreId })).toEqual(unknown);
    const heir = await signUp('public', email);
    expect(await map(heir)).toEqual({ status: 'OK' });
  });
});

describe('what was begun under the core id', () => {
  it('is still verified under the external one', async () => {
    const made = await EmailVerification.createEmailVerificationToken('public', recipeId(coreId));
    await EmailVerification.verifyEmailUsingToken('public', ok(made).token);
    await map();
    expect(await EmailVerification.isEmailVerified(recipeId(externalId))).toBe(true);
    expect((await getUser(externalId))?.loginMethods[0]?.verified).toBe(true);
  });

  it('is redeemed as the external one: a verification token and a reset token', async () => {
    const verification = ok(
      await EmailVerification.createEmailVerificationToken('public', recipeId(coreId)),
    ).token;
    const reset = ok(await EmailPassword.createResetPasswordToken('public', coreId, email)).token;
    await map();
    const redeemed = await EmailVerification.verifyEmailUsingToken('public', verification);
    expect(redeemedPair(redeemed)).toEqual({ userId: externalId, email });
    expect(await EmailPassword.consumePasswordResetToken('public', reset)).toEqual({
      status: 'OK',
      userId: externalId,
      email,
    });
  });
});

it('maps a social user who comes again under the external id', async () => {
  const social = await signUpSocially('public', `of-${email}`, `social-${email}`);
  await map(social, `social ${externalId}`);
  const again = ok(
    await ThirdParty.manuallyCreateOrUpdateUser('public', 'google', `of-${email}`, `moved-${email}`, true),
  );
  expect(again.createdNewRecipeUser).toBe(false);
  expect(again.recipeUserId.getAsString()).toBe(`social ${externalId}`);
  const user = await getUser(`social ${externalId}`);
  expect(user?.loginMethods[0]).toMatchObject({ email: `moved-${email}`, verified: true });
});
