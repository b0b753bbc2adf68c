import {
  deleteUser,
  getUser,
  getUserCount,
  getUsersOldestFirst,
  listUsersByAccountInfo,
} from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withAdmin } from '../helpers/postgres.ts';
import {
  ok,
  plain,
  recipeId,
  type SdkCore,
  signUp,
  signUpSocially,
  startCoreWithSdk,
} from '../helpers/sdk.ts';

const password = 'correct horse 1';

let core: SdkCore;
let tenantId: string;
let email: string;
let head: string;
let member: string;
let users = 0;

beforeAll(async () => {
  core = await startCoreWithSdk();
});
beforeEach(async () => {
  users++;
  tenantId = `linked-${users}`;
  email = `user-${users}@linked.test`;
  await Multitenancy.createOrUpdateTenant(tenantId);
  head = await signUp(tenantId, email, password);
  member = await signUpSocially(tenantId, 'member', email);
  await link(head, [head, member]);
});
afterAll(() => core.stop());

/** As a bulk import of one user with several login methods leaves them; no endpoint here links users. */
async function link(primary: string, methods: readonly string[]): Promise<void> {
  await withAdmin(core.database.connection, async (sql) => {
    await sql`update users set primary_user_id = ${primary} where user_id = any(${[...methods]}::uuid[])`;
  });
}

describe('a user with two login methods', () => {
  it('is one user, by the id of either', async () => {
    const user = await getUser(member);
    expect(plain(user)).toEqual(plain(await getUser(head)));
    expect(user).toMatchObject({ id: head, isPrimaryUser: true, emails: [email], tenantIds: [tenantId] });
    expect(user?.thirdParty).toEqual([{ id: 'google', userId: 'member' }]);
    expect(user?.loginMethods.map(({ recipeUserId }) => recipeUserId.getAsString())).toEqual([head, member]);
    expect(user?.timeJoined).toBe(Math.min(...(user?.loginMethods.map((each) => each.timeJoined) ?? [])));
  });

  it('is found, listed and counted once', async () => {
    const byEmail = await listUsersByAccountInfo(tenantId, { email });
    expect(byEmail.map(({ id }) => id)).toEqual([head]);
    const { users: listed } = await getUsersOldestFirst({ tenantId });
    expect(listed.map(({ id }) => id)).toEqual([head]);
    expect(await getUserCount(undefined, tenantId)).toBe(1);
    expect(await getUserCount(['thirdparty'], tenantId)).toBe(1);
  });

  it('signs in either way, as the same user', async () => {
    const byPassword = ok(await EmailPassword.signIn(tenantId, email, password));
    expect(byPassword.user.id).toBe(head);
    expect(byPassword.recipeUserId.getAsString()).toBe(head);
    const socially = ok(
      await ThirdParty.manuallyCreateOrUpdateUser(tenantId, 'google', 'member', email, false),
    );
    expect(socially.user.id).toBe(head);
    expect(socially.recipeUserId.getAsString()).toBe(member);
  });

  it('has the second method verified by the SDK once the first one is', async () => {
    const made = await EmailVerification.createEmailVerificationToken(tenantId, recipeId(member), email);
    await EmailVerification.verifyEmailUsingToken(tenantId, ok(made).token);
    expect(await EmailVerification.isEmailVerified(recipeId(head), email)).toBe(false);
    await EmailPassword.signIn(tenantId, email, password);
    expect(await EmailVerification.isEmailVerified(recipeId(head), email)).toBe(true);
    expect((await getUser(head))?.loginMethods.map(({ verified }) => verified)).toEqual([true, true]);
  });
});

describe('deleting', () => {
  it('removes the whole user by the id of one method', async () => {
    await deleteUser(member);
    expect(await getUser(head)).toBeUndefined();
    expect(await getUser(member)).toBeUndefined();
    expect(await getUserCount(undefined, tenantId)).toBe(0);
  });

  it('removes one method when the others are to stay', async () => {
    await deleteUser(member, false);
    const user = await getUser(head);
    expect(user?.loginMethods.map(({ recipeId: recipe }) => recipe)).toEqual(['emailpassword']);
    expect(user?.isPrimaryUser).toBe(true);
    expect(await getUser(member)).toBeUndefined();
  });

  it('keeps the id of the user when its first method goes', async () => {
    await deleteUser(head, false);
    expect((await EmailPassword.signIn(tenantId, email, password)).status).toBe('WRONG_CREDENTIALS_ERROR');
    const user = await getUser(head);
    expect(user?.id).toBe(head);
    expect(user?.loginMethods.map(({ recipeUserId }) => recipeUserId.getAsString())).toEqual([member]);
  });
});

it('does not take the email of another such user', async () => {
  const rival = await signUp(tenantId, `rival-${email}`);
  const social = await signUpSocially(tenantId, 'rival', `rival-${email}`);
  await link(rival, [rival, social]);
  const change = await ThirdParty.manuallyCreateOrUpdateUser(tenantId, 'google', 'rival', email, true);
  expect(change.status).toBe('EMAIL_CHANGE_NOT_ALLOWED_ERROR');
  expect((await getUser(rival))?.emails).toEqual([`rival-${email}`]);
  // The SDK checks before it tries; the core must refuse as well.
  const byCore = await core.post(`/${tenantId}/recipe/signinup`, {
    thirdPartyId: 'google',
    thirdPartyUserId: 'rival',
    email: { id: email, isVerified: true },
  });
  expect(byCore.body).toMatchObject({ status: 'EMAIL_CHANGE_NOT_ALLOWED_ERROR' });
  expect((await getUser(rival))?.emails).toEqual([`rival-${email}`]);
});
