import { deleteUser, getUser, getUserCount } from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  importUser,
  ok,
  otherProject,
  recipeId,
  type SdkCore,
  signUp,
  signUpSocially,
  startCoreWithSdk,
} from '../helpers/sdk.ts';

let core: SdkCore;

beforeAll(async () => {
  core = await startCoreWithSdk();
});
afterAll(() => core.stop());

const put = (tenantId: string, coreConfig?: Record<string, unknown>) =>
  Multitenancy.createOrUpdateTenant(tenantId, coreConfig && { coreConfig });
const listed = async () =>
  (await Multitenancy.listAllTenants()).tenants.map(({ tenantId }) => tenantId).sort();
const present = (tenantId: string, coreConfig = {}) => ({
  status: 'OK',
  tenantId,
  ...(tenantId !== 'public' && { firstFactors: [] }),
  thirdParty: { providers: [] },
  coreConfig,
});

describe('a tenant', () => {
  it('is made once, and read by its name', async () => {
    expect(await Multitenancy.getTenant('made')).toBeUndefined();
    expect(await put('made')).toEqual({ status: 'OK', createdNew: true });
    expect(await put('made')).toEqual({ status: 'OK', createdNew: false });
    expect(await Multitenancy.getTenant('made')).toEqual(present('made'));
  });

  it('has a name in lower case, by whatever case it is called', async () => {
    expect(await put('Mixed-Case')).toEqual({ status: 'OK', createdNew: true });
    expect(await put('MIXED-case')).toEqual({ status: 'OK', createdNew: false });
    expect(await Multitenancy.getTenant('miXed-Case')).toEqual(present('mixed-case'));
    const userId = await signUp('MIXED-CASE', 'mixed@tenants.test');
    expect((await getUser(userId))?.tenantIds).toEqual(['mixed-case']);
  });

  it('keeps by what people may sign in there', async () => {
    const factors = {
      firstFactors: ['emailpassword', 'thirdparty'],
      requiredSecondaryFactors: ['totp'],
    };
    await Multitenancy.createOrUpdateTenant('factors', factors);
    expect(await Multitenancy.getTenant('factors')).toEqual({ ...present('factors'), ...factors });
    await Multitenancy.createOrUpdateTenant('factors', { firstFactors: null });
    const { requiredSecondaryFactors } = factors;
    const rest = { ...present('public'), tenantId: 'factors' };
    expect(await Multitenancy.getTenant('factors')).toEqual({ ...rest, requiredSecondaryFactors });
  });

  it('is listed with the public one', async () => {
    await put('listed');
    const { tenants } = await Multitenancy.listAllTenants();
    expect(tenants).toContainEqual({
      tenantId: 'listed',
      firstFactors: [],
      thirdParty: { providers: [] },
      coreConfig: {},
    });
    expect(await listed()).toContain('public');
    expect(await Multitenancy.getTenant('public')).toEqual(present('public'));
  });

  it.each(['with space', 'users', 'recipe', 'a_b', 'x'.repeat(65)])(
    'is not called "%s"',
    async (tenantId) => {
      await expect(put(tenantId)).rejects.toThrow(/status code: 400 .*tenantId/);
      expect(await listed()).not.toContain(tenantId);
    },
  );

  it('keeps its own settings: changed individually, removed by null', async () => {
    await put('settings', { email_verification_token_lifetime: 60_000 });
    await put('settings', { bcrypt_max_cost: 10 });
    const both = { email_verification_token_lifetime: 60_000, bcrypt_max_cost: 10 };
    expect(await Multitenancy.getTenant('settings')).toEqual(present('settings', both));
    await put('settings', { email_verification_token_lifetime: null });
    expect(await Multitenancy.getTenant('settings')).toEqual(present('settings', { bcrypt_max_cost: 10 }));
  });

  it('refuses a setting that does not exist, and is then not made', async () => {
    await expect(put('misled', { no_such_key: 1 })).rejects.toThrow(
      /status code: 400 .*Invalid core config: .*no_such_key/,
    );
    expect(await Multitenancy.getTenant('misled')).toBeUndefined();
  });
});

describe('a tenant with a signer key of its own', () => {
  const { hash, signerKey } = otherProject;
  const keep = { firebase_password_hashing_signer_key: signerKey };

  it("signs in users of another project, which the core's own key does not admit", async () => {
    await put('project', keep);
    for (const tenantId of ['project', 'public']) {
      const imported = await importUser(core, tenantId, 'user1@project.test', hash);
      expect(imported.body).toMatchObject({ status: 'OK', didUserAlreadyExist: false });
    }
    const signIn = (tenantId: string) => EmailPassword.signIn(tenantId, 'user1@project.test', hash.password);
    expect(ok(await signIn('project')).user.tenantIds).toEqual(['project']);
    expect(await signIn('public')).toEqual({ status: 'WRONG_CREDENTIALS_ERROR' });
  });

  it('never shows the key', async () => {
    await put('secretive', keep);
    const shown = present('secretive', { provider_password_hashing_signer_key: '***' });
    expect(await Multitenancy.getTenant('secretive')).toEqual(shown);
    expect(JSON.stringify(await Multitenancy.listAllTenants())).not.toContain(signerKey);
    expect(core.log.join('')).not.toContain(signerKey);
  });
});

describe('the same person in two tenants', () => {
  beforeAll(async () => {
    await put('left');
    await put('right');
  });

  it('is two users with two passwords', async () => {
    const left = await signUp('left', 'same@tenants.test', 'left 12345');
    const right = await signUp('right', 'same@tenants.test', 'right 12345');
    expect(left).not.toBe(right);
    const signIn = (tenantId: string, password: string) =>
      EmailPassword.signIn(tenantId, 'same@tenants.test', password);
    expect(ok(await signIn('left', 'left 12345')).user.id).toBe(left);
    expect(ok(await signIn('right', 'right 12345')).user.id).toBe(right);
    for (const [tenantId, password] of [
      ['left', 'right 12345'],
      ['right', 'left 12345'],
      ['public', 'left 12345'],
    ] as const) {
      expect(await signIn(tenantId, password)).toEqual({ status: 'WRONG_CREDENTIALS_ERROR' });
    }
    await deleteUser(left);
    expect(ok(await signIn('right', 'right 12345')).user.id).toBe(right);
  });

  it('is two users of one third party', async () => {
    const left = await signUpSocially('left', 'same', 'same-social@tenants.test');
    const right = await signUpSocially('right', 'same', 'same-social@tenants.test');
    expect(left).not.toBe(right);
    expect((await getUser(right))?.tenantIds).toEqual(['right']);
  });

  it('resets a password only where the token was made', async () => {
    const userId = await signUp('left', 'reset@tenants.test');
    const asked = await EmailPassword.createResetPasswordToken('left', userId, 'reset@tenants.test');
    const { token } = ok(asked);
    expect(await EmailPassword.resetPasswordUsingToken('right', token, 'abcd1234')).toEqual({
      status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR',
    });
    expect(await EmailPassword.resetPasswordUsingToken('left', token, 'abcd1234')).toEqual({
      status: 'OK',
    });
    expect(ok(await EmailPassword.signIn('left', 'reset@tenants.test', 'abcd1234')).user.id).toBe(userId);
  });

  it('revokes verification tokens only of the tenant that it names', async () => {
    const userId = await signUp('left', 'revoke@tenants.test');
    const made = await EmailVerification.createEmailVerificationToken('left', recipeId(userId));
    await EmailVerification.revokeEmailVerificationTokens('right', recipeId(userId));
    const redeemed = await EmailVerification.verifyEmailUsingToken('left', ok(made).token);
    expect(redeemed.status).toBe('OK');
    expect(await EmailVerification.isEmailVerified(recipeId(userId))).toBe(true);
  });
});

describe('deleting a tenant', () => {
  it('removes its users, and leaves a name that can be made again, empty', async () => {
    await put('doomed', { bcrypt_max_cost: 10 });
    const doomed = await signUp('doomed', 'doomed@tenants.test');
    const spared = await signUp('public', 'doomed@tenants.test');
    expect(await Multitenancy.deleteTenant('doomed')).toEqual({ status: 'OK', didExist: true });

    expect(await Multitenancy.getTenant('doomed')).toBeUndefined();
    expect(await listed()).not.toContain('doomed');
    expect(await getUser(doomed)).toBeUndefined();
    expect((await getUser(spared))?.id).toBe(spared);
    await expect(EmailPassword.signIn('doomed', 'doomed@tenants.test', 'abcd1234')).rejects.toThrow(
      /AppId or tenantId not found/,
    );

    expect(await put('doomed')).toEqual({ status: 'OK', createdNew: true });
    expect(await Multitenancy.getTenant('doomed')).toEqual(present('doomed'));
    expect(await getUserCount(undefined, 'doomed')).toBe(0);
    expect(await signUp('doomed', 'doomed@tenants.test')).not.toBe(doomed);
  });

  it('says when there was none', async () => {
    expect(await Multitenancy.deleteTenant('never-was')).toEqual({ status: 'OK', didExist: false });
  });

  it('refuses the public one, which keeps its users', async () => {
    const userId = await signUp('public', 'public@tenants.test');
    await expect(Multitenancy.deleteTenant('public')).rejects.toThrow(/status code: 403/);
    expect((await getUser(userId))?.tenantIds).toEqual(['public']);
  });
});
