/** The endpoints that the SDK's functions call, counted by the core: the list may not shrink. */
import {
  createUserIdMapping,
  deleteUser,
  deleteUserIdMapping,
  getUser,
  getUserCount,
  getUserIdMapping,
  getUsersNewestFirst,
  getUsersOldestFirst,
  listUsersByAccountInfo,
  updateOrDeleteUserIdMappingInfo,
} from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ok, recipeId, type SdkCore, signUp, startCoreWithSdk } from '../helpers/sdk.ts';

const password = 'correct horse 1';
const externalUserId = 'known elsewhere as';

let core: SdkCore;
let email: string;
let userId: string;
let verificationToken: string;
let resetToken: string;
let users = 0;

beforeAll(async () => {
  core = await startCoreWithSdk();
});
beforeEach(async () => {
  email = `user-${++users}@calls.test`;
  userId = await signUp('public', email, password);
  const made = await EmailVerification.createEmailVerificationToken('public', recipeId(userId), email);
  verificationToken = ok(made).token;
  resetToken = ok(await EmailPassword.createResetPasswordToken('public', userId, email)).token;
});
afterAll(() => core.stop());

/** Answered requests, by `METHOD route status`, without those for the metrics themselves. */
async function answered(): Promise<Map<string, number>> {
  const { text } = await core.get('/metrics');
  const samples = text.matchAll(
    /^carryover_requests_total\{route="(.*)",method="(.*)",status="(\d+)"\} (\d+)$/gm,
  );
  const counts = new Map<string, number>();
  for (const [, route, method, status, count] of samples) {
    if (route !== '/metrics') counts.set(`${method ?? ''} ${route ?? ''} ${status ?? ''}`, Number(count));
  }
  return counts;
}

async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = await answered();
  await work();
  const after = await answered();
  return [...after.keys()].filter((call) => after.get(call) !== before.get(call)).sort();
}

it('asks for the version once, whatever follows', async () => {
  await getUser(userId);
  expect((await answered()).get('GET /apiversion 200')).toBe(1);
});

const id = () => recipeId(userId);

it.each<[string, () => Promise<unknown>, string[]]>([
  ['signUp', () => signUp('public', `new-${email}`), ['POST /recipe/signup']],
  [
    'signIn, which looks an unverified user up once more',
    () => EmailPassword.signIn('public', email, password),
    ['GET /user/id', 'POST /recipe/signin'],
  ],
  [
    'verifyCredentials',
    () => EmailPassword.verifyCredentials('public', email, password),
    ['POST /recipe/signin'],
  ],
  [
    'updateEmailOrPassword of an email, which asks first whether it is allowed',
    () => EmailPassword.updateEmailOrPassword({ recipeUserId: id(), email: `new-${email}` }),
    ['GET /recipe/user/email/verify', 'GET /user/id', 'GET /users/by-accountinfo', 'PUT /recipe/user'],
  ],
  [
    'updateEmailOrPassword of a password',
    () => EmailPassword.updateEmailOrPassword({ recipeUserId: id(), password: 'changed 1' }),
    ['GET /user/id', 'PUT /recipe/user'],
  ],
  [
    'createResetPasswordToken',
    () => EmailPassword.createResetPasswordToken('public', userId, email),
    ['POST /recipe/user/password/reset/token'],
  ],
  [
    'consumePasswordResetToken',
    () => EmailPassword.consumePasswordResetToken('public', resetToken),
    ['POST /recipe/user/password/reset/token/consume'],
  ],
  [
    'resetPasswordUsingToken, which consumes the token and sets email and password',
    () => EmailPassword.resetPasswordUsingToken('public', resetToken, 'changed 1'),
    [
      'GET /recipe/user/email/verify',
      'GET /user/id',
      'GET /users/by-accountinfo',
      'POST /recipe/user/password/reset/token/consume',
      'PUT /recipe/user',
    ],
  ],
  [
    'manuallyCreateOrUpdateUser, which looks for the user before and after',
    () => ThirdParty.manuallyCreateOrUpdateUser('public', 'google', email, email, true),
    ['GET /user/id', 'GET /users/by-accountinfo', 'POST /recipe/signinup'],
  ],
  [
    'createEmailVerificationToken without an email',
    () => EmailVerification.createEmailVerificationToken('public', id()),
    ['GET /user/id', 'POST /recipe/user/email/verify/token'],
  ],
  [
    'verifyEmailUsingToken, which then looks for users to link',
    () => EmailVerification.verifyEmailUsingToken('public', verificationToken),
    ['GET /user/id', 'GET /users/by-accountinfo', 'POST /recipe/user/email/verify'],
  ],
  [
    'isEmailVerified',
    () => EmailVerification.isEmailVerified(id(), email),
    ['GET /recipe/user/email/verify'],
  ],
  [
    'unverifyEmail',
    () => EmailVerification.unverifyEmail(id(), email),
    ['POST /recipe/user/email/verify/remove'],
  ],
  [
    'revokeEmailVerificationTokens',
    () => EmailVerification.revokeEmailVerificationTokens('public', id(), email),
    ['POST /recipe/user/email/verify/token/remove'],
  ],
  [
    'createUserIdMapping',
    () => createUserIdMapping({ superTokensUserId: userId, externalUserId }),
    ['POST /recipe/userid/map'],
  ],
  ['getUserIdMapping', () => getUserIdMapping({ userId }), ['GET /recipe/userid/map']],
  ['deleteUserIdMapping', () => deleteUserIdMapping({ userId }), ['POST /recipe/userid/map/remove']],
  [
    'updateOrDeleteUserIdMappingInfo',
    () => updateOrDeleteUserIdMappingInfo({ userId }),
    ['PUT /recipe/userid/external-user-id-info'],
  ],
  ['getUser', () => getUser(userId), ['GET /user/id']],
  [
    'listUsersByAccountInfo',
    () => listUsersByAccountInfo('public', { email }),
    ['GET /users/by-accountinfo'],
  ],
  ['getUsersOldestFirst', () => getUsersOldestFirst({ tenantId: 'public' }), ['GET /users']],
  ['getUsersNewestFirst', () => getUsersNewestFirst({ tenantId: 'public' }), ['GET /users']],
  ['getUserCount', () => getUserCount(), ['GET /users/count']],
  ['deleteUser', () => deleteUser(userId), ['POST /user/remove']],
  [
    'createOrUpdateTenant',
    () => Multitenancy.createOrUpdateTenant('called'),
    ['PUT /recipe/multitenancy/tenant/v2'],
  ],
  ['getTenant', () => Multitenancy.getTenant('called'), ['GET /recipe/multitenancy/tenant/v2']],
  ['listAllTenants', () => Multitenancy.listAllTenants(), ['GET /recipe/multitenancy/tenant/list/v2']],
  ['deleteTenant', () => Multitenancy.deleteTenant('called'), ['POST /recipe/multitenancy/tenant/remove']],
])('%s', async (_, work, expected) => {
  expect(await callsOf(work)).toEqual(expected.map((call) => `${call} 200`));
});
