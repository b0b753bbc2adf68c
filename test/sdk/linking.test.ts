import { getUser } from 'supertokens-node';
import AccountLinking from 'supertokens-node/recipe/accountlinking/index.js';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import Session from 'supertokens-node/recipe/session/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok, recipeId, type SdkCore, signUp, startCoreWithSdk } from '../helpers/sdk.ts';

let core: SdkCore;

beforeAll(async () => {
  core = await startCoreWithSdk();
});
afterAll(() => core.stop());

const password = 'correct horse 1';

async function newPrimary(email: string): Promise<string> {
  const id = await signUp('public', email);
  expect(await AccountLinking.canCreatePrimaryUser(recipeId(id))).toEqual({
    status: 'OK',
    wasAlreadyAPrimaryUser: false,
  });
  const { user } = ok(await AccountLinking.createPrimaryUser(recipeId(id)));
  expect([user.id, user.isPrimaryUser]).toEqual([id, true]);
  return id;
}

describe('an application with the SDK', () => {
  it('links and unlinks two users, and ends the sessions of the linked user', async () => {
    const primary = await newPrimary('primary@link.test');
    const other = await signUp('public', 'other@link.test');
    const create = () =>
      Session.createNewSessionWithoutRequestResponse('public', recipeId(other), {}, {}, true);
    await create();
    expect(await AccountLinking.canLinkAccounts(recipeId(other), primary)).toEqual({
      status: 'OK',
      accountsAlreadyLinked: false,
    });
    const linked = ok(await AccountLinking.linkAccounts(recipeId(other), primary));
    expect(linked.user.loginMethods.map(({ recipeUserId }) => recipeUserId.getAsString())).toEqual([
      primary,
      other,
    ]);
    expect(await Session.getAllSessionHandlesForUser(primary, true)).toEqual([]);
    const session = await create();
    expect([session.getUserId(), session.getRecipeUserId().getAsString()]).toEqual([primary, other]);
    expect(await AccountLinking.unlinkAccount(recipeId(other))).toEqual({
      status: 'OK',
      wasRecipeUserDeleted: false,
      wasLinked: true,
    });
    expect((await getUser(other))?.id).toBe(other);
  });

  it('names the user who has taken an email', async () => {
    const primary = await newPrimary('taken@link.test');
    const social = await ThirdParty.manuallyCreateOrUpdateUser(
      'public',
      'google',
      'taken',
      'taken@link.test',
      true,
    );
    const { recipeUserId } = ok(social);
    expect(await AccountLinking.createPrimaryUser(recipeUserId)).toMatchObject({
      status: 'ACCOUNT_INFO_ALREADY_ASSOCIATED_WITH_ANOTHER_PRIMARY_USER_ID_ERROR',
      primaryUserId: primary,
    });
    expect(ok(await AccountLinking.linkAccounts(recipeUserId, primary)).accountsAlreadyLinked).toBe(false);
  });

  it('shares a user with another tenant, who signs in there until taken out', async () => {
    await Multitenancy.createOrUpdateTenant('shared', { firstFactors: ['emailpassword'] });
    const id = await signUp('public', 'shared@link.test', password);
    const there = () => EmailPassword.signIn('shared', 'shared@link.test', password);
    expect((await there()).status).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await Multitenancy.associateUserToTenant('shared', recipeId(id))).toEqual({
      status: 'OK',
      wasAlreadyAssociated: false,
    });
    expect((await there()).status).toBe('OK');
    expect(await Multitenancy.disassociateUserFromTenant('shared', recipeId(id))).toEqual({
      status: 'OK',
      wasAssociated: true,
    });
    expect((await there()).status).toBe('WRONG_CREDENTIALS_ERROR');
  });

  it('sets the providers of a tenant, and finds them when a user signs in', async () => {
    await Multitenancy.createOrUpdateTenant('providers', { firstFactors: ['thirdparty'] });
    const config = { thirdPartyId: 'custom', clients: [{ clientId: 'ours', clientSecret: 'secret' }] };
    expect(await Multitenancy.createOrUpdateThirdPartyConfig('providers', config)).toEqual({
      status: 'OK',
      createdNew: true,
    });
    const tenant = await Multitenancy.getTenant('providers');
    expect(tenant?.thirdParty.providers).toMatchObject([config]);
    const provider = await ThirdParty.getProvider('providers', 'custom', undefined);
    expect(provider?.config.clientId).toBe('ours');
    expect(await Multitenancy.deleteThirdPartyConfig('providers', 'custom')).toEqual({
      status: 'OK',
      didConfigExist: true,
    });
  });
});
