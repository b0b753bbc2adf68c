import Passwordless from 'supertokens-node/recipe/passwordless/index.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ok, recipeId, type SdkCore, startCoreWithSdk } from '../helpers/sdk.ts';

let core: SdkCore;
beforeAll(async () => {
  core = await startCoreWithSdk();
});
afterAll(() => core.stop());

const tenantId = 'public';

it('signs an imported user in by a code, after a wrong one, and by a link', async () => {
  const [email, phoneNumber] = ['moved@codes.test', '+442079460018'];
  const loginMethods = [{ recipeId: 'passwordless', email, phoneNumber }];
  await core.post('/bulk-import/import', { externalUserId: 'theirs', loginMethods });
  const { deviceId, preAuthSessionId, userInputCode } = await Passwordless.createCode({ tenantId, email });
  const presented = { tenantId, deviceId, preAuthSessionId };
  expect(await Passwordless.consumeCode({ ...presented, userInputCode: 'wrong' })).toMatchObject({
    status: 'INCORRECT_USER_INPUT_CODE_ERROR',
    failedCodeInputAttemptCount: 1,
    maximumCodeInputAttempts: 5,
  });
  const byCode = ok(await Passwordless.consumeCode({ ...presented, userInputCode }));
  expect([byCode.user.id, byCode.createdNewRecipeUser]).toEqual(['theirs', false]);
  const link = await Passwordless.createCode({ tenantId, phoneNumber: '+44 20 7946 0018' });
  const byLink = ok(
    await Passwordless.consumeCode({
      tenantId,
      preAuthSessionId: link.preAuthSessionId,
      linkCode: link.linkCode,
    }),
  );
  expect(byLink.recipeUserId.getAsString()).toBe('theirs');
});

it('signs up, lists, resends and revokes codes', async () => {
  const email = 'new@codes.test';
  const first = await Passwordless.createCode({ tenantId, email, userInputCode: 'abc' });
  const { deviceId, preAuthSessionId } = first;
  expect(
    await Passwordless.createNewCodeForDevice({ tenantId, deviceId, userInputCode: 'abc' }),
  ).toMatchObject({ status: 'USER_INPUT_CODE_ALREADY_USED_ERROR' });
  const second = ok(await Passwordless.createNewCodeForDevice({ tenantId, deviceId }));
  const listed = await Passwordless.listCodesByPreAuthSessionId({ tenantId, preAuthSessionId });
  expect(listed?.codes.map(({ codeId }) => codeId).toSorted()).toEqual(
    [first.codeId, second.codeId].toSorted(),
  );
  await Passwordless.revokeCode({ tenantId, codeId: first.codeId });
  expect(await Passwordless.listCodesByEmail({ tenantId, email })).toMatchObject([
    { codes: [{ codeId: second.codeId }] },
  ]);
  await Passwordless.revokeAllCodes({ tenantId, email });
  expect(await Passwordless.listCodesByDeviceId({ tenantId, deviceId })).toBeUndefined();
  const made = ok(await Passwordless.signInUp({ tenantId, email }));
  expect(made).toMatchObject({ createdNewRecipeUser: true, user: { emails: [email] } });
});

it('changes the contacts of its users, and not those of others', async () => {
  const { recipeUserId } = ok(await Passwordless.signInUp({ tenantId, email: 'before@codes.test' }));
  const phoneNumber = '+442079460019';
  ok(await Passwordless.updateUser({ recipeUserId, email: 'after@codes.test', phoneNumber }));
  ok(await Passwordless.updateUser({ recipeUserId, email: null }));
  const found = ok(await Passwordless.signInUp({ tenantId, phoneNumber }));
  expect(found).toMatchObject({ createdNewRecipeUser: false, user: { emails: [] } });
  expect(await Passwordless.updateUser({ recipeUserId: recipeId('nobody'), phoneNumber: '+441' })).toEqual({
    status: 'UNKNOWN_USER_ID_ERROR',
  });
});
