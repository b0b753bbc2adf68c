/** A disabled user as an app sees it by the SDK: known, listed, and refused. */
import { getUser, getUsersOldestFirst, listUsersByAccountInfo } from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { ok, type SdkCore, startCoreWithSdk } from '../helpers/sdk.ts';

const email = 'ada@example.test';

let core: SdkCore;
beforeAll(async () => {
  core = await startCoreWithSdk();
  const loginMethods = [
    { recipeId: 'emailpassword', email, passwordHash: knownHash, isPrimary: true },
    { recipeId: 'thirdparty', email, thirdPartyId: 'google', thirdPartyUserId: 'g1' },
  ];
  const record = { externalUserId: 'ada', isDisabled: true, loginMethods };
  expect((await core.post('/bulk-import/import', record)).body).toMatchObject({ status: 'OK' });
});
afterAll(() => core.stop());

it('is shown by its id, its email and in the list', async () => {
  expect(await getUser('ada')).toMatchObject({ id: 'ada', emails: [email] });
  expect(await listUsersByAccountInfo('public', { email })).toMatchObject([{ id: 'ada' }]);
  expect((await getUsersOldestFirst({ tenantId: 'public' })).users).toMatchObject([{ id: 'ada' }]);
});

it('does not come in by the password, nor after a reset, nor by the provider', async () => {
  const wrong = { status: 'WRONG_CREDENTIALS_ERROR' };
  expect(await EmailPassword.signIn('public', email, knownPassword)).toEqual(wrong);
  const made = await EmailPassword.createResetPasswordToken('public', 'ada', email);
  if (made.status !== 'OK') throw new Error(made.status);
  expect(
    await EmailPassword.resetPasswordUsingToken('public', made.token, 'another password 1'),
  ).toMatchObject({
    status: 'OK',
  });
  expect(await EmailPassword.signIn('public', email, 'another password 1')).toEqual(wrong);
  expect(await ThirdParty.manuallyCreateOrUpdateUser('public', 'google', 'g1', email, true)).toMatchObject({
    status: 'SIGN_IN_UP_NOT_ALLOWED',
  });
});

it('comes in once it is lifted', async () => {
  expect((await core.put('/user/restrictions', { userId: 'ada', isDisabled: false })).body).toMatchObject({
    status: 'OK',
    userId: 'ada',
    isDisabled: false,
  });
  const { user } = ok(await EmailPassword.signIn('public', email, 'another password 1'));
  expect(user.id).toBe('ada');
  ok(await ThirdParty.manuallyCreateOrUpdateUser('public', 'google', 'g1', email, true));
});
