import {
  createUserIdMapping,
  deleteUser,
  getUser,
  getUserCount,
  getUsersNewestFirst,
  getUsersOldestFirst,
  listUsersByAccountInfo,
} from 'supertokens-node';
import EmailPassword from 'supertokens-node/recipe/emailpassword/index.js';
import EmailVerification from 'supertokens-node/recipe/emailverification/index.js';
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import ThirdParty from 'supertokens-node/recipe/thirdparty/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ok,
  plain,
  recipeId,
  type SdkCore,
  signUp,
  signUpSocially,
  startCoreWithSdk,
} from '../helpers/sdk.ts';

const unknownUserId = '00000000-0000-7000-8000-000000000000';

let core: SdkCore;

beforeAll(async () => {
  core = await startCoreWithSdk();
});
afterAll(() => core.stop());

async function newTenant(tenantId: string): Promise<string> {
  await Multitenancy.createOrUpdateTenant(tenantId);
  return tenantId;
}

interface Person {
  readonly id: string;
  readonly timeJoined: number;
}
type List = typeof getUsersOldestFirst;

/** Every page of the SDK's listing, with at most a hundred steps. */
async function pages(list: List, input: Parameters<List>[0]): Promise<Person[][]> {
  const all: Person[][] = [];
  let paginationToken: string | undefined;
  for (let step = 0; step < 100; step++) {
    const page = await list({ ...input, ...(paginationToken !== undefined && { paginationToken }) });
    all.push(page.users.map(({ id, timeJoined }) => ({ id, timeJoined })));
    paginationToken = page.nextPaginationToken;
    if (paginationToken === undefined) return all;
  }
  throw new Error('the listing has no end');
}

const ids = (people: readonly { id: string }[]) => people.map(({ id }) => id);

describe('a user by id', () => {
  it('is undefined for an unknown id, whatever it looks like', async () => {
    for (const id of [unknownUserId, 'nobody', "'; drop table users; --", 'ü']) {
      expect(await getUser(id)).toBeUndefined();
    }
  });

  it('is seen from every tenant of the app', async () => {
    const tenantId = await newTenant('far-away');
    const userId = await signUp(tenantId, 'far@users.test');
    expect((await getUser(userId))?.tenantIds).toEqual([tenantId]);
  });
});

describe('users by account info', () => {
  const tenantId = 'by-info';
  let password: string;
  let google: string;
  let other: string;

  beforeAll(async () => {
    await newTenant(tenantId);
    password = await signUp(tenantId, 'a+b@users.test');
    google = await signUpSocially(tenantId, 'g 1/2&3', 'a+b@users.test');
    other = await signUpSocially(tenantId, 'other', 'other@users.test');
    await signUp('public', 'a+b@users.test');
  });

  const found = async (info: Parameters<typeof listUsersByAccountInfo>[1], union?: boolean) =>
    ids(await listUsersByAccountInfo(tenantId, info, union)).sort();
  const thirdParty = { id: 'google', userId: 'g 1/2&3' };

  it('are those of the tenant with the email, in whatever case, with a password or not', async () => {
    expect(await found({ email: 'a+b@users.test' })).toEqual([password, google].sort());
    expect(await found({ email: ' A+B@Users.test' })).toEqual([password, google].sort());
    expect(await found({ email: 'nobody@users.test' })).toEqual([]);
  });

  it('are the one with the identity of a third party', async () => {
    expect(await found({ thirdParty })).toEqual([google]);
    expect(await found({ thirdParty: { ...thirdParty, id: 'apple' } })).toEqual([]);
  });

  it('match everything that is asked for, or with a union any of it', async () => {
    const both = { email: 'other@users.test', thirdParty };
    expect(await found(both)).toEqual([]);
    expect(await found(both, true)).toEqual([google, other].sort());
    expect(await found({ email: 'a+b@users.test', thirdParty })).toEqual([google]);
    expect(await found({ email: 'a+b@users.test', thirdParty }, true)).toEqual([password, google].sort());
  });

  it('come whole, as by id', async () => {
    const [user] = await listUsersByAccountInfo(tenantId, { thirdParty });
    expect(plain(user)).toEqual(plain(await getUser(google)));
  });

  it('are empty for an unknown phone number', async () => {
    expect(await found({ phoneNumber: '+41441234567' })).toEqual([]);
  });
});

describe('paging through a tenant', () => {
  const tenantId = 'paged';
  const joined: string[] = [];

  beforeAll(async () => {
    await newTenant(tenantId);
    for (let n = 0; n < 17; n++) {
      const isSocial = n % 3 === 2;
      const email = `page-${n}@users.test`;
      joined.push(
        isSocial ? await signUpSocially(tenantId, `page-${n}`, email) : await signUp(tenantId, email),
      );
    }
    // One of them has an external id, in the middle of a page.
    await createUserIdMapping({ superTokensUserId: joined[8] ?? '', externalUserId: 'zzz external' });
    joined[8] = 'zzz external';
    await signUp('public', 'not-in-the-tenant@users.test');
  });

  it.each([1, 4, 5, 17])('oldest first, %i at a time, meets each user once and in order', async (limit) => {
    const met = await pages(getUsersOldestFirst, { tenantId, limit });
    expect(met.map((page) => page.length)).toEqual(pageSizes(17, limit));
    expect(ids(met.flat())).toEqual(joined);
    const times = met.flat().map(({ timeJoined }) => timeJoined);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it.each([1, 4, 5, 17])('newest first, %i at a time, meets each user once and in order', async (limit) => {
    const met = await pages(getUsersNewestFirst, { tenantId, limit });
    expect(met.map((page) => page.length)).toEqual(pageSizes(17, limit));
    expect(ids(met.flat())).toEqual(joined.toReversed());
  });

  it('without a limit comes in one page', async () => {
    expect(await pages(getUsersOldestFirst, { tenantId })).toHaveLength(1);
  });

  it('goes over the users of one recipe, page by page', async () => {
    const social = joined.filter((_, n) => n % 3 === 2);
    const includeRecipeIds = ['thirdparty'];
    const oldest = await pages(getUsersOldestFirst, { tenantId, limit: 2, includeRecipeIds });
    expect(oldest.map((page) => page.length)).toEqual(pageSizes(social.length, 2));
    expect(ids(oldest.flat())).toEqual(social);
    const newest = await pages(getUsersNewestFirst, { tenantId, limit: 2, includeRecipeIds });
    expect(ids(newest.flat())).toEqual(social.toReversed());
    const all = { tenantId, limit: 7, includeRecipeIds: ['thirdparty', 'emailpassword'] };
    expect(ids((await pages(getUsersOldestFirst, all)).flat())).toEqual(joined);
  });

  it('meets those who stay once, though others come and go between the pages', async () => {
    const here = await newTenant('busy');
    const people: string[] = [];
    for (let n = 0; n < 8; n++) people.push(await signUp(here, `busy-${n}@users.test`));
    const first = await getUsersOldestFirst({ tenantId: here, limit: 3 });
    // The one just met, the one that the token refers to, and a later one.
    for (const gone of [2, 3, 6]) await deleteUser(people[gone] ?? '');
    const newcomer = await signUp(here, 'busy-late@users.test');
    const paginationToken = first.nextPaginationToken ?? '';
    const rest = await pages((input) => getUsersOldestFirst({ paginationToken, ...input }), {
      tenantId: here,
      limit: 3,
    });
    expect(ids(first.users)).toEqual(people.slice(0, 3));
    expect(ids(rest.flat())).toEqual([people[4], people[5], people[7], newcomer]);
  });

  it('fails with what the core says about a token that it never gave', async () => {
    const asked = getUsersOldestFirst({ tenantId, paginationToken: 'made up' });
    await expect(asked).rejects.toThrow(/status code: 400 .*invalid pagination token/);
  });
});

/** `[4, 4, 4, 4, 1]` for 17 by 4. */
function pageSizes(total: number, limit: number): number[] {
  return Array.from({ length: Math.ceil(total / limit) }, (_, n) => Math.min(limit, total - n * limit));
}

describe('counting', () => {
  it('counts per tenant, over all tenants, and by recipe', async () => {
    const [one, two] = [await newTenant('count-one'), await newTenant('count-two')];
    const before = { all: await getUserCount(), social: await getUserCount(['thirdparty']) };
    const inPublic = await getUserCount(undefined, 'public');
    await signUp(one, 'c1@users.test');
    await signUp(one, 'c2@users.test');
    await signUpSocially(one, 'c3', 'c3@users.test');
    await signUpSocially(two, 'c3', 'c3@users.test');
    const counted = async (tenantId: string) => ({
      all: await getUserCount(undefined, tenantId),
      password: await getUserCount(['emailpassword'], tenantId),
      social: await getUserCount(['thirdparty'], tenantId),
      both: await getUserCount(['emailpassword', 'thirdparty'], tenantId),
      passwordless: await getUserCount(['passwordless'], tenantId),
    });
    expect(await counted(one)).toEqual({ all: 3, password: 2, social: 1, both: 3, passwordless: 0 });
    expect(await counted(two)).toEqual({ all: 1, password: 0, social: 1, both: 1, passwordless: 0 });
    expect(await getUserCount()).toBe(before.all + 4);
    expect(await getUserCount(['thirdparty'])).toBe(before.social + 2);
    expect(await getUserCount(undefined, 'public')).toBe(inPublic);
    const told = await core.get(`/${one}/users/count`);
    expect(told.body).toEqual({ status: 'OK', count: 3 });
  });
});

describe('deleting a user', () => {
  it('leaves nothing of it: not the sign-in, the verified email, nor the place in lists and counts', async () => {
    const tenantId = await newTenant('deleting');
    const email = 'gone@users.test';
    const userId = await signUp(tenantId, email, 'gone 12345');
    const made = await EmailVerification.createEmailVerificationToken(tenantId, recipeId(userId));
    await EmailVerification.verifyEmailUsingToken(tenantId, ok(made).token);
    const reset = ok(await EmailPassword.createResetPasswordToken(tenantId, userId, email)).token;

    expect(await deleteUser(userId)).toEqual({ status: 'OK' });

    expect(await getUser(userId)).toBeUndefined();
    expect((await EmailPassword.signIn(tenantId, email, 'gone 12345')).status).toBe(
      'WRONG_CREDENTIALS_ERROR',
    );
    expect(await EmailVerification.isEmailVerified(recipeId(userId), email)).toBe(false);
    expect((await EmailPassword.consumePasswordResetToken(tenantId, reset)).status).toBe(
      'RESET_PASSWORD_INVALID_TOKEN_ERROR',
    );
    expect(await listUsersByAccountInfo(tenantId, { email })).toEqual([]);
    expect((await getUsersOldestFirst({ tenantId })).users).toEqual([]);
    expect(await getUserCount(undefined, tenantId)).toBe(0);
  });

  it('frees the email and the identity of the third party for a new user', async () => {
    const password = await signUp('public', 'reborn@users.test');
    const social = await signUpSocially('public', 'reborn', 'reborn@users.test');
    await deleteUser(password);
    await deleteUser(social);
    expect(await signUp('public', 'reborn@users.test')).not.toBe(password);
    const again = ok(
      await ThirdParty.manuallyCreateOrUpdateUser('public', 'google', 'reborn', 'reborn@users.test', false),
    );
    expect(again.createdNewRecipeUser).toBe(true);
    expect(again.user.id).not.toBe(social);
  });

  it('is no error for a user who is not there, twice', async () => {
    const userId = await signUp('public', 'twice@users.test');
    const count = await getUserCount();
    for (const id of [userId, userId, unknownUserId, 'nobody']) {
      expect(await deleteUser(id)).toEqual({ status: 'OK' });
    }
    expect(await getUserCount()).toBe(count - 1);
  });
});
