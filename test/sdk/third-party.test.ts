import { getUser, getUserCount } from 'supertokens-node';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok, plain, type SdkCore, startCoreWithSdk } from '../helpers/sdk.ts';

let core: SdkCore;

beforeAll(async () => {
  core = await startCoreWithSdk();
});
afterAll(() => core.stop());

async function put(thirdPartyUserId: string, email: string, isVerified = false, thirdPartyId = 'google') {
  return ok(
    await ThirdParty.manuallyCreateOrUpdateUser('public', thirdPartyId, thirdPartyUserId, email, isVerified),
  );
}

describe('a social user that is new', () => {
  it('is made, unverified unless said otherwise, as the core itself reports', async () => {
    const { user, recipeUserId, createdNewRecipeUser } = await put('new', 'New@Social.test');
    expect(createdNewRecipeUser).toBe(true);
    expect(recipeUserId.getAsString()).toBe(user.id);
    expect(plain(user)).toMatchObject({
      isPrimaryUser: false,
      emails: ['new@social.test'],
      thirdParty: [{ id: 'google', userId: 'new' }],
      loginMethods: [
        { recipeId: 'thirdparty', verified: false, thirdParty: { id: 'google', userId: 'new' } },
      ],
    });
    const told = await core.get('/user/id', { userId: user.id });
    expect(told.body).toEqual({ status: 'OK', user: plain(user) });
  });

  it('is verified at once when the provider says so', async () => {
    const { user, recipeUserId } = await put('new-verified', 'new-verified@social.test', true);
    expect(user.loginMethods[0]?.verified).toBe(true);
    expect(await EmailVerification.isEmailVerified(recipeUserId)).toBe(true);
  });

  it('is one user when twenty report it at the same instant', async () => {
    const reports = Array.from({ length: 20 }, () => put('race', 'race@social.test'));
    const answers = await Promise.all(reports);
    expect(answers.filter(({ createdNewRecipeUser }) => createdNewRecipeUser)).toHaveLength(1);
    expect(new Set(answers.map(({ user }) => user.id)).size).toBe(1);
  });

  it.each([
    { provider: 'apple', id: 'same' },
    { provider: 'google', id: 'Same' },
    { provider: 'google', id: 'same ' },
  ])('is another one for provider $provider and id "$id"', async ({ provider, id }) => {
    const first = await put('same', 'same@social.test');
    expect((await put(id, 'same@social.test', false, provider)).user.id).not.toBe(first.user.id);
  });
});

describe('a social user that comes again', () => {
  it('is the same one, unchanged', async () => {
    const first = await put('again', 'again@social.test');
    const count = await getUserCount();
    const second = await put('again', 'again@social.test');
    expect(second.createdNewRecipeUser).toBe(false);
    expect(plain(second.user)).toEqual(plain(first.user));
    expect(await getUserCount()).toBe(count);
  });

  it('has the new email, not verified yet', async () => {
    const first = await put('moving', 'moving-from@social.test', true);
    const moved = await put('moving', 'moving-to@social.test');
    expect(moved.createdNewRecipeUser).toBe(false);
    expect(moved.user.id).toBe(first.user.id);
    const now = await getUser(first.user.id);
    expect(now?.emails).toEqual(['moving-to@social.test']);
    expect(now?.loginMethods[0]?.verified).toBe(false);
  });

  it('is verified again after it changed its email back', async () => {
    const { user, recipeUserId } = await put('returning', 'home@social.test', true);
    await put('returning', 'away@social.test');
    expect(await EmailVerification.isEmailVerified(recipeUserId)).toBe(false);
    await put('returning', 'home@social.test');
    expect(await EmailVerification.isEmailVerified(recipeUserId)).toBe(true);
    expect((await getUser(user.id))?.loginMethods[0]?.verified).toBe(true);
  });

  it('changes to an email and has it verified in one step', async () => {
    await put('step', 'step-one@social.test', true);
    const { user } = await put('step', 'step-two@social.test', true);
    expect(user.loginMethods[0]).toMatchObject({ email: 'step-two@social.test', verified: true });
    expect(plain(await getUser(user.id))).toEqual(plain(user));
  });

  it('becomes verified when the provider says so, and stays it when the provider does not', async () => {
    const { recipeUserId } = await put('later', 'later@social.test');
    expect(await EmailVerification.isEmailVerified(recipeUserId)).toBe(false);
    expect((await put('later', 'later@social.test', true)).user.loginMethods[0]?.verified).toBe(true);
    expect((await put('later', 'later@social.test', false)).user.loginMethods[0]?.verified).toBe(true);
    expect(await EmailVerification.isEmailVerified(recipeUserId)).toBe(true);
  });
});
