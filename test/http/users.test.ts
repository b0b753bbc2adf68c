/** Finding, listing, counting and removing users. */
import { describe, expect, test } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import type { TestCore } from '../helpers/core.ts';
import {
  importUser,
  knownPassword,
  newEmail,
  newTenant,
  refusalOf,
  signIn,
  signInUp,
  verificationToken,
} from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

const ids = (users: unknown) => (users as User[]).map(({ id }) => id);

test('a user is found by id, and an unknown one is reported as such', async () => {
  const user = await importUser(core, newEmail(), await newTenant(core, app));
  expect((await core.get(`${app}/user/id`, { userId: user.id })).body).toEqual({ status: 'OK', user });
  for (const userId of ['nobody', '0190d9a5-7c2f-7a11-8b8e-3a4b5c6d7e8f', "' or 1=1 --"])
    expect((await core.get(`${app}/user/id`, { userId })).body).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
});

describe('by account info', () => {
  const search = async (query: Record<string, string>, prefix = app) => {
    const { http, body } = await core.get(`${prefix}/users/by-accountinfo`, query);
    expect([http, body.status]).toEqual([200, 'OK']);
    return ids(body.users).sort();
  };

  test('users are found by email and by provider, in their tenant', async () => {
    const [email, tenant] = [newEmail(), await newTenant(core, app)];
    const withPassword = await importUser(core, email, app);
    const social = await signInUp(core, 'g-1', { id: email }, app);
    const elsewhere = await importUser(core, email, tenant);
    const google = { thirdPartyId: 'google', thirdPartyUserId: 'g-1' };
    expect(await search({ email: ` ${email.toUpperCase()}` })).toEqual([withPassword.id, social.id].sort());
    expect(await search({ email }, tenant)).toEqual([elsewhere.id]);
    expect(await search(google)).toEqual([social.id]);
    expect(await search({ email, ...google })).toEqual([social.id]);
    expect(await search({ email: newEmail(), ...google })).toEqual([]);
    expect(await search({ email, ...google, doUnionOfAccountInfo: 'true' })).toHaveLength(2);
    expect(await search({ email: 'no address' })).toEqual([]);
    expect(await search({})).toEqual([]);
  });

  test('half of a provider’s identity is refused', async () => {
    for (const [given, missing] of [
      ['thirdPartyId', 'thirdPartyUserId'],
      ['thirdPartyUserId', 'thirdPartyId'],
    ] as const)
      expect(refusalOf(await core.get(`${app}/users/by-accountinfo`, { [given]: 'x' }))).toEqual([
        400,
        'MISSING_QUERY_PARAMETER',
        `Field name '${missing}' is missing in GET request`,
      ]);
  });
});

describe('a list', () => {
  async function pages(query: Record<string, string>, prefix = app): Promise<string[][]> {
    const found: string[][] = [];
    let token: string | undefined;
    do {
      const more = token === undefined ? {} : { paginationToken: token };
      const { http, body } = await core.get(`${prefix}/users`, { ...query, ...more });
      expect([http, body.status]).toEqual([200, 'OK']);
      found.push(ids(body.users));
      token = body.nextPaginationToken as string | undefined;
    } while (token !== undefined);
    return found;
  }

  async function populate(prefix: string): Promise<string[]> {
    const made: string[] = [];
    for (let i = 0; i < 7; i += 1)
      made.push(
        i % 2 === 0
          ? (await importUser(core, newEmail(), prefix)).id
          : (await signInUp(core, `g-${i}`, { id: newEmail() }, prefix)).id,
      );
    return made;
  }

  test('has each user exactly once, in either direction, page by page', async () => {
    for (const prefix of [app, await newTenant(core, app)]) {
      const made = await populate(prefix);
      const forth = await pages({ limit: '3' }, prefix);
      expect(forth.map((page) => page.length)).toEqual([3, 3, 1]);
      const joined = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
      expect(forth.flat().map(joined)).toEqual(made.map(joined));
      expect(new Set(forth.flat())).toEqual(new Set(made));
      const back = await pages({ limit: '2', timeJoinedOrder: 'DESC' }, prefix);
      expect(back.flat()).toEqual(forth.flat().reverse());
      expect(await pages({ limit: '7' }, prefix)).toEqual([forth.flat()]);
      expect((await core.get(`${prefix}/users/count`)).body).toEqual({ status: 'OK', count: 7 });
    }
    expect((await core.get(`${app}/users/count`, { includeAllTenants: 'true' })).body.count).toBe(14);
  });

  test('can be kept to some recipes', async () => {
    await populate(app);
    const counted = async (includeRecipeIds: string) =>
      (await core.get(`${app}/users/count`, { includeRecipeIds })).body.count;
    for (const [recipes, count] of [
      ['emailpassword', 4],
      ['thirdparty', 3],
      ['passwordless', 0],
      ['emailpassword,thirdparty', 7],
      ['webauthn', 0],
      ['webauthn,thirdparty', 3],
    ] as const) {
      expect((await pages({ limit: '2', includeRecipeIds: recipes })).flat()).toHaveLength(count);
      expect(await counted(recipes)).toBe(count);
    }
  });

  test('has up to 500 users a page, and an empty one has no token', async () => {
    expect((await core.get(`${app}/users`, { limit: '500' })).body).toEqual({ status: 'OK', users: [] });
  });

  test.each([
    ['limit', '501', 'must be from 1 to 500'],
    ['limit', '0', 'limit must a positive integer with min value 1'],
    ['limit', '-1', 'limit must a positive integer with min value 1'],
    ['limit', 'many', 'limit must a positive integer with min value 1'],
    ['timeJoinedOrder', 'asc', 'must be one of ASC, DESC'],
    ['paginationToken', 'x', 'invalid pagination token; pass the nextPaginationToken of the page before'],
  ])('refuses %s=%s', async (name, value, why) => {
    expect(refusalOf(await core.get(`${app}/users`, { [name]: value }))).toEqual([
      400,
      'INVALID_QUERY_PARAMETER',
      `Field name '${name}' is invalid in GET request: ${why}`,
    ]);
  });
});

test('a removed user is gone with all that is known of them, and the email is free again', async () => {
  const email = newEmail();
  const { id } = await importUser(core, email, app);
  await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'theirs' });
  const token = await verificationToken(core, { userId: 'theirs', email }, app);
  for (const userId of ['theirs', 'theirs', 'nobody']) {
    const { http, body } = await core.post(`${app}/user/remove`, { userId });
    expect([http, body]).toEqual([200, { status: 'OK' }]);
  }
  expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
  expect((await core.get(`${app}/recipe/userid/map`, { userId: 'theirs' })).body.status).toBe(
    'UNKNOWN_MAPPING_ERROR',
  );
  const late = await core.post(`${app}/recipe/user/email/verify`, { method: 'token', token });
  expect(late.body.status).toBe('EMAIL_VERIFICATION_INVALID_TOKEN_ERROR');
  expect((await core.get(`${app}/users/count`)).body.count).toBe(0);
  expect((await importUser(core, email, app)).id).not.toBe(id);
});

test.each([
  [
    '/users',
    'mail=user20',
    "Unknown in GET request: 'mail'. Known here: limit, timeJoinedOrder, paginationToken, includeRecipeIds",
  ],
  [
    '/users',
    'limit=5&phoneNumber=%2B1&thirdParty=google',
    "Unknown in GET request: 'phoneNumber', 'thirdParty'. Known here: limit,",
  ],
  [
    '/users/by-accountinfo',
    'mail=a%40b.test',
    "Unknown in GET request: 'mail'. Known here: email, phoneNumber,",
  ],
  [
    '/users/count',
    '%3Cscript%3E=1',
    'Unknown in GET request: another. Known here: includeRecipeIds, includeAllTenants',
  ],
])('%s refuses what it does not know: %s', async (path, search, message) => {
  const refused = await core.get(`${path}?${search}`);
  expect(refusalOf(refused)).toEqual([400, 'INVALID_QUERY_PARAMETER', expect.stringContaining(message)]);
});
