/** Login methods that are added to tenants and removed from them. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import type { TestCore } from '../helpers/core.ts';
import {
  importUser,
  knownHash,
  knownPassword,
  newEmail,
  newTenant,
  refusalOf,
  signIn,
  signInUp,
} from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
let tenant: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});
beforeEach(async () => {
  tenant = await newTenant(core, app);
});

const path = '/recipe/multitenancy/tenant/user';
const add = async (recipeUserId: string, prefix = tenant) =>
  (await core.post(`${prefix}${path}`, { recipeUserId })).body;
const remove = async (recipeUserId: string, prefix = tenant) =>
  (await core.post(`${prefix}${path}/remove`, { recipeUserId })).body;
const makePrimary = (recipeUserId: string) =>
  core.post(`${app}/recipe/accountlinking/user/primary`, { recipeUserId });
const tenantsOf = async (userId: string) =>
  ((await core.get(`${app}/user/id`, { userId })).body.user as User).tenantIds.toSorted();
const nameOf = (prefix: string) => prefix.split('/').at(-1) ?? '';

async function newPasswordless(input: object): Promise<string> {
  const record = { loginMethods: [{ recipeId: 'passwordless', ...input }] };
  const { body } = await core.post(`${app}/bulk-import/import`, record);
  expect(body.status).toBe('OK');
  return (body.user as User).id;
}

async function isAlive(sessionHandle: string): Promise<boolean> {
  return (await core.get(`${app}/recipe/session`, { sessionHandle })).body.status === 'OK';
}

async function newSession(userId: string, prefix: string): Promise<string> {
  const input = { userId, enableAntiCsrf: false, userDataInJWT: {}, userDataInDatabase: {} };
  const { body } = await core.post(`${prefix}/recipe/session`, input);
  return (body.session as { handle: string }).handle;
}

describe('a login method', () => {
  test('signs in in each tenant that it is put into, until it is taken out', async () => {
    const email = newEmail();
    const { id } = await importUser(core, email, app);
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'theirs' });
    expect(await signIn(core, email, knownPassword, tenant)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await add('theirs')).toEqual({ status: 'OK', wasAlreadyAssociated: false });
    expect(await add(id)).toEqual({ status: 'OK', wasAlreadyAssociated: true });
    expect(await signIn(core, email, knownPassword, tenant)).toBe('OK');
    expect(await tenantsOf(id)).toEqual(['public', nameOf(tenant)]);
    expect(await remove('theirs')).toEqual({ status: 'OK', wasAssociated: true });
    expect(await remove(id)).toEqual({ status: 'OK', wasAssociated: false });
    expect(await signIn(core, email, knownPassword, tenant)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  });

  test('may be in no tenant, cannot sign in then, and comes back', async () => {
    const email = newEmail();
    const { id } = await importUser(core, email, app);
    expect(await remove(id, app)).toEqual({ status: 'OK', wasAssociated: true });
    expect(await tenantsOf(id)).toEqual([]);
    expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await add(id)).toEqual({ status: 'OK', wasAlreadyAssociated: false });
    expect(await signIn(core, email, knownPassword, tenant)).toBe('OK');
  });

  test('that is unknown, or named by nothing', async () => {
    expect(await add('nobody')).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
    expect(await remove('nobody')).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
    expect(refusalOf(await core.post(`${tenant}${path}/remove`, { recipeUserId: '' }))).toEqual([
      400,
      'INVALID_FIELD',
      "Field name 'userId' cannot be an empty String",
    ]);
  });

  test('loses its sessions, tokens and roles of the tenant that it is taken out of, and no others', async () => {
    const email = newEmail();
    const record = {
      externalUserId: 'theirs',
      userRoles: [
        { role: 'here', tenantIds: [nameOf(tenant)] },
        { role: 'both', tenantIds: ['public', nameOf(tenant)] },
        { role: 'there' },
      ],
      loginMethods: [
        {
          recipeId: 'emailpassword',
          email,
          passwordHash: knownHash,
          tenantIds: ['public', nameOf(tenant)],
        },
      ],
    };
    expect((await core.post(`${app}/bulk-import/import`, record)).body.status).toBe('OK');
    const sessions = [await newSession('theirs', tenant), await newSession('theirs', app)];
    const reset = async (prefix: string) =>
      (await core.post(`${prefix}/recipe/user/password/reset/token`, { userId: 'theirs', email })).body.token;
    const tokens = [await reset(tenant), await reset(app)];
    await remove('theirs');
    expect(await Promise.all(sessions.map(isAlive))).toEqual([false, true]);
    const consume = async (prefix: string, token: unknown) =>
      (await core.post(`${prefix}/recipe/user/password/reset/token/consume`, { token })).body.status;
    expect(await consume(tenant, tokens[0])).toBe('RESET_PASSWORD_INVALID_TOKEN_ERROR');
    expect(await consume(app, tokens[1])).toBe('OK');
    const roles = async (prefix: string) =>
      (await core.get(`${prefix}/recipe/user/roles`, { userId: 'theirs' })).body.roles;
    expect(await roles(tenant)).toEqual([]);
    expect(await roles(app)).toEqual(['both', 'there']);
  });

  test('is refused where another one of its recipe has what it is found by', async () => {
    const email = newEmail();
    await importUser(core, email, tenant);
    expect(await add((await importUser(core, email, app)).id)).toEqual({
      status: 'EMAIL_ALREADY_EXISTS_ERROR',
    });
    await signInUp(core, 'g', { id: newEmail() }, tenant);
    const { id } = await signInUp(core, 'g', { id: newEmail() }, app);
    expect(await add(id)).toEqual({ status: 'THIRD_PARTY_USER_ALREADY_EXISTS_ERROR' });
    const phoneNumber = '+4915112345678';
    await add(await newPasswordless({ phoneNumber }));
    expect(await remove(await newPasswordless({ email: newEmail() }))).toMatchObject({
      wasAssociated: false,
    });
    const both = await newPasswordless({ email, phoneNumber: '+4915112345679' });
    expect(await add(both)).toEqual({ status: 'OK', wasAlreadyAssociated: false });
    expect(await tenantsOf(both)).toEqual(['public', nameOf(tenant)]);
    const third = await newTenant(core, app);
    await add(both, third);
    expect(await remove(both, app)).toMatchObject({ wasAssociated: true });
    const again = await newPasswordless({ phoneNumber: '+4915112345679' });
    expect(await add(again, third)).toEqual({ status: 'PHONE_NUMBER_ALREADY_EXISTS_ERROR' });
  });

  test('of a primary user is refused where another primary one has its email', async () => {
    const email = newEmail();
    await makePrimary((await signInUp(core, 'g', { id: email }, tenant)).id);
    const { id } = await importUser(core, email, app);
    expect((await makePrimary(id)).body.status).toBe('OK');
    expect(await add(id)).toEqual({
      status: 'ASSOCIATION_NOT_ALLOWED_ERROR',
      reason: "This user's email is already associated with another user ID",
    });
    const ordinary = await importUser(core, email, await newTenant(core, app));
    expect(await add(ordinary.id)).toMatchObject({ status: 'OK' });
  });

  test('of many with one email one is put into a tenant by requests at the same time', async () => {
    const email = newEmail();
    const homes = await Promise.all(Array.from({ length: 12 }, () => newTenant(core, app)));
    const users = await Promise.all(homes.map((home) => importUser(core, email, home)));
    const answers = await Promise.all(users.map(({ id }) => add(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 11 }, () => 'EMAIL_ALREADY_EXISTS_ERROR'),
      'OK',
    ]);
  });

  test('of many primary users with one email one is in a tenant after requests at the same time', async () => {
    const email = newEmail();
    const homes = await Promise.all(Array.from({ length: 12 }, () => newTenant(core, app)));
    const users = await Promise.all(homes.map((home, n) => signInUp(core, `g${n}`, { id: email }, home)));
    for (const { id } of users) expect((await makePrimary(id)).body.status).toBe('OK');
    const answers = await Promise.all(users.map(({ id }) => add(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 11 }, () => 'ASSOCIATION_NOT_ALLOWED_ERROR'),
      'OK',
    ]);
  });
});
