import { describe, expect, test } from 'vitest';
import type { TestCore } from '../helpers/core.ts';
import { importUser, newApp, newEmail, refusalOf } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

const unknown = { status: 'UNKNOWN_MAPPING_ERROR' };

async function map(superTokensUserId: string, externalUserId: string, more: object = {}): Promise<unknown> {
  const input = { superTokensUserId, externalUserId, ...more };
  return (await core.post(`${app}/recipe/userid/map`, input)).body;
}

async function find(userId: string, userIdType?: string): Promise<unknown> {
  const query = { userId, ...(userIdType !== undefined && { userIdType }) };
  return (await core.get(`${app}/recipe/userid/map`, query)).body;
}

async function newUser(): Promise<string> {
  return (await importUser(core, newEmail(), app)).id;
}

describe('a mapping', () => {
  test('is found by either id, as its type says', async () => {
    const id = await newUser();
    expect(await map(id, 'auth0|1', { externalUserIdInfo: 'from auth0' })).toEqual({ status: 'OK' });
    const mapping = {
      status: 'OK',
      superTokensUserId: id,
      externalUserId: 'auth0|1',
      externalUserIdInfo: 'from auth0',
    };
    for (const [userId, type] of [
      [id, undefined],
      ['auth0|1', 'ANY'],
      [id, 'SUPERTOKENS'],
      ['auth0|1', 'EXTERNAL'],
    ] as const)
      expect(await find(userId, type)).toEqual(mapping);
    expect([await find(id, 'EXTERNAL'), await find('auth0|1', 'SUPERTOKENS'), await find('nobody')]).toEqual([
      unknown,
      unknown,
      unknown,
    ]);
  });

  test('has no info unless one was given, and it can be changed and removed', async () => {
    const id = await newUser();
    await map(id, 'theirs', { externalUserIdInfo: null });
    const mapping = { status: 'OK', superTokensUserId: id, externalUserId: 'theirs' };
    expect(await find(id)).toEqual(mapping);
    const set = async (externalUserIdInfo: string | null, userId = 'theirs', more = {}) =>
      (await core.put(`${app}/recipe/userid/external-user-id-info`, { userId, externalUserIdInfo, ...more }))
        .body;
    expect(await set('new')).toEqual({ status: 'OK' });
    expect(await find(id)).toEqual({ ...mapping, externalUserIdInfo: 'new' });
    expect(await set('x', id, { userIdType: 'EXTERNAL' })).toEqual(unknown);
    expect(await set(null)).toEqual({ status: 'OK' });
    expect(await find(id)).toEqual(mapping);
    expect(await set('x', 'nobody')).toEqual(unknown);
  });

  test('gives the user the external id everywhere, and finds the user by both', async () => {
    const id = await newUser();
    await map(id, 'theirs');
    const byExternal = (await core.get(`${app}/user/id`, { userId: 'theirs' })).body;
    expect(byExternal).toMatchObject({
      status: 'OK',
      user: { id: 'theirs', loginMethods: [{ recipeUserId: 'theirs' }] },
    });
    expect((await core.get(`${app}/user/id`, { userId: id })).body).toEqual(byExternal);
    expect((await core.get(`${app}/users`)).body.users).toEqual([byExternal.user]);
  });

  test('is one to one', async () => {
    const [id, other] = [await newUser(), await newUser()];
    await map(id, 'theirs');
    const exists = (doesSuperTokensUserIdExist: boolean, doesExternalUserIdExist: boolean) => ({
      status: 'USER_ID_MAPPING_ALREADY_EXISTS_ERROR',
      doesSuperTokensUserIdExist,
      doesExternalUserIdExist,
    });
    expect(await map(id, 'new')).toEqual(exists(true, false));
    expect(await map(other, 'theirs')).toEqual(exists(false, true));
    expect(await map(id, 'theirs')).toEqual(exists(true, true));
    expect(await map(other, 'new')).toEqual({ status: 'OK' });
  });

  test('belongs to its app', async () => {
    const id = await newUser();
    await map(id, 'theirs');
    const elsewhere = await newApp(core);
    expect((await core.get(`${elsewhere}/recipe/userid/map`, { userId: 'theirs' })).body).toEqual(unknown);
  });

  test('is removed once, by either id', async () => {
    const id = await newUser();
    const remove = async (userId: string, userIdType?: string) =>
      (await core.post(`${app}/recipe/userid/map/remove`, { userId, userIdType })).body;
    await map(id, 'theirs');
    expect(await remove(id, 'EXTERNAL')).toEqual({ status: 'OK', didMappingExist: false });
    expect(await remove('theirs')).toEqual({ status: 'OK', didMappingExist: true });
    expect(await remove('theirs')).toEqual({ status: 'OK', didMappingExist: false });
    expect((await core.get(`${app}/user/id`, { userId: id })).body).toMatchObject({ user: { id } });
    expect((await core.get(`${app}/user/id`, { userId: 'theirs' })).body.status).toBe(
      'UNKNOWN_USER_ID_ERROR',
    );
  });
});

/** Stores something for a user; the kind is the driver interface's word for it. */
const keeping: Record<string, (userId: string) => Promise<unknown>> = {
  UserMetadata: (userId) =>
    core.put(`${app}/recipe/user/metadata`, { userId, metadataUpdate: { plan: 'gold' } }),
  UserRoles: async (userId) => {
    await core.put(`${app}/recipe/role`, { role: 'admin' });
    await core.put(`${app}/recipe/user/role`, { userId, role: 'admin' });
  },
  Session: (userId) =>
    core.post(`${app}/recipe/session`, {
      userId,
      enableAntiCsrf: false,
      userDataInJWT: {},
      userDataInDatabase: {},
    }),
  TOTP: (userId) => core.post(`${app}/recipe/totp/device`, { userId, skew: 1, period: 30 }),
};

describe.each(Object.keys(keeping))('a mapping of a user, of which is kept: %s', (kind) => {
  const refused = [
    400,
    'INVALID_FIELD',
    expect.stringMatching(`^UserId is already in use in ${kind} recipe: `),
  ];
  const ask = async (path: string, input: object) => core.post(`${app}/recipe/userid/${path}`, input);

  test('comes and goes only by force', async () => {
    const superTokensUserId = await newUser();
    await keeping[kind]?.(superTokensUserId);
    const both = { superTokensUserId, externalUserId: 'theirs' };
    for (const force of [undefined, false])
      expect(refusalOf(await ask('map', { ...both, force }))).toEqual(refused);
    expect(await map(superTokensUserId, 'theirs', { force: true })).toEqual({ status: 'OK' });
    expect(await map(superTokensUserId, 'other')).toMatchObject({
      status: 'USER_ID_MAPPING_ALREADY_EXISTS_ERROR',
    });
    expect(refusalOf(await ask('map/remove', { userId: 'theirs' }))).toEqual(refused);
    const userIdType = 'SUPERTOKENS';
    expect((await ask('map/remove', { userId: 'theirs', userIdType })).body.didMappingExist).toBe(false);
    expect((await ask('map/remove', { userId: 'theirs', force: true })).body.didMappingExist).toBe(true);
  });
});

describe('mapping is refused', () => {
  test('for a user that does not exist', async () => {
    for (const id of ['nobody', '0190d9a5-7c2f-7a11-8b8e-3a4b5c6d7e8f'])
      expect(await map(id, 'theirs')).toEqual({ status: 'UNKNOWN_SUPERTOKENS_USER_ID_ERROR' });
  });

  test('to the core’s own id of another user', async () => {
    const [id, other] = [await newUser(), await newUser()];
    const input = { superTokensUserId: id, externalUserId: other };
    expect(refusalOf(await core.post(`${app}/recipe/userid/map`, input))).toEqual([
      400,
      'INVALID_FIELD',
      "Field name 'externalUserId' is invalid in JSON input: it is the core's own id of a user",
    ]);
  });

  test.each([
    ['129 characters', 'x'.repeat(129), 'must be at most 128 characters'],
    ['nothing', ' ', 'must not be empty'],
  ])('to an external id of %s', async (_what, externalUserId, why) => {
    const input = { superTokensUserId: await newUser(), externalUserId };
    expect(refusalOf(await core.post(`${app}/recipe/userid/map`, input))).toEqual([
      400,
      'INVALID_FIELD',
      `Field name 'externalUserId' is invalid in JSON input: ${why}`,
    ]);
  });

  test('with an unknown type', async () => {
    const query = { userId: 'x', userIdType: 'OTHER' };
    expect(refusalOf(await core.get(`${app}/recipe/userid/map`, query))).toEqual([
      400,
      'INVALID_QUERY_PARAMETER',
      "Field name 'userIdType' is invalid in GET request: must be one of ANY, SUPERTOKENS, EXTERNAL",
    ]);
  });
});
