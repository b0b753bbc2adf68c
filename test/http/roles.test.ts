/** Roles of users, and of ids without a user. */
import { beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, knownHash, newApp, newEmail, newTenant, refusalOf } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
let tenant: string;
let user: string;

useCoreAndApps((used) => {
  ({ core, app } = used);
});
beforeEach(async () => {
  tenant = await newTenant(core, app);
  user = (await importUser(core, newEmail(), app)).id;
  for (const role of ['reader', 'writer']) await make(role);
});

const tenantName = () => tenant.split('/').at(-1) ?? '';
const make = (role: string, on = core) => on.put(`${app}/recipe/role`, { role });
const unmake = (role: string, on = core) => on.post(`${app}/recipe/role/remove`, { role });
const give = async (userId: string, role: string, prefix = app, on = core) =>
  (await on.put(`${prefix}/recipe/user/role`, { userId, role })).body;
const take = async (userId: string, role: string, prefix = app) =>
  (await core.post(`${prefix}/recipe/user/role/remove`, { userId, role })).body;
const rolesOf = async (userId: string, prefix = app) =>
  (await core.get(`${prefix}/recipe/user/roles`, { userId })).body;
const usersOf = async (role: string, prefix = app) =>
  (await core.get(`${prefix}/recipe/role/users`, { role })).body;
const map = (superTokensUserId: string, externalUserId: string) =>
  core.post(`${app}/recipe/userid/map`, { superTokensUserId, externalUserId, force: true });
const given = { status: 'OK', didUserAlreadyHaveRole: false };
const ok = (roles: readonly string[]) => ({ status: 'OK', roles });
const unknown = { status: 'UNKNOWN_ROLE_ERROR' };

/** All remaining rows of roles, visible or not. */
const kept = () =>
  withSql(core.database.connection, async (sql) => {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from carryover.user_roles r
      where r.app_no = (select app_no from carryover.apps where app_id = ${app.replace('/appid-', '')})`;
    return row?.n;
  });

describe.each(['a user', 'nobody'])('a role of %s', (who) => {
  const id = () => (who === 'nobody' ? 'testUserId' : user);

  test('is given and taken, and each says whether it was there', async () => {
    expect(await rolesOf(id())).toEqual(ok([]));
    expect(await give(id(), ' reader ')).toEqual(given);
    expect(await give(id(), 'reader')).toEqual({ status: 'OK', didUserAlreadyHaveRole: true });
    expect(await rolesOf(id())).toEqual(ok(['reader']));
    expect(await usersOf('reader')).toEqual({ status: 'OK', users: [id()] });
    expect(await take(id(), 'reader')).toEqual({ status: 'OK', didUserHaveRole: true });
    expect(await take(id(), 'reader')).toEqual({ status: 'OK', didUserHaveRole: false });
    expect(await rolesOf(id())).toEqual(ok([]));
    expect(await usersOf('reader')).toEqual({ status: 'OK', users: [] });
  });

  test('is of the tenant in which it was given', async () => {
    await give(id(), 'reader');
    await give(id(), 'writer', tenant);
    expect(await rolesOf(id())).toEqual(ok(['reader']));
    expect(await rolesOf(id(), tenant)).toEqual(ok(['writer']));
    expect(await usersOf('reader', tenant)).toEqual({ status: 'OK', users: [] });
    expect(await take(id(), 'reader', tenant)).toEqual({ status: 'OK', didUserHaveRole: false });
    expect(await rolesOf(id(), await newApp(core))).toEqual(ok([]));
  });

  test('goes with the role, in every tenant, and does not come back with it', async () => {
    for (const prefix of [app, tenant]) await give(id(), 'reader', prefix);
    await unmake('reader');
    await make('reader');
    for (const prefix of [app, tenant]) expect(await rolesOf(id(), prefix)).toEqual(ok([]));
    expect(await kept()).toBe(0);
  });

  test('goes with the tenant', async () => {
    await give(id(), 'reader', tenant);
    await core.post(`${app}/recipe/multitenancy/tenant/remove`, { tenantId: tenantName() });
    expect(await kept()).toBe(0);
  });

  test('is given once by many at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => give(id(), 'reader')));
    expect(all.filter(({ didUserAlreadyHaveRole }) => didUserAlreadyHaveRole === false)).toHaveLength(1);
  });

  test('that is removed while it is given is an unknown one, and nothing of it is left', async () => {
    const another = await startTestCore({ database: core.database });
    try {
      for (let round = 0; round < 10; round++) {
        const role = `race ${round}`;
        await make(role);
        const answers = await Promise.all([
          ...[1, 2, 3].map((n) => give(`${id()}${n}`, role, app, n === 2 ? another : core)),
          unmake(role, another).then(({ body }) => body),
          ...[4, 5, 6].map((n) => give(`${id()}${n}`, role, app, n === 5 ? another : core)),
        ]);
        for (const { status } of answers) expect(['OK', 'UNKNOWN_ROLE_ERROR']).toContain(status);
        expect(await give(id(), role)).toEqual(unknown);
      }
      expect(await kept()).toBe(0);
    } finally {
      await another.stop();
    }
  });
});

test('a role that is not there is unknown to all, and a user who is not there has none', async () => {
  for (const answer of [await give(user, 'nothing'), await take(user, 'nothing'), await usersOf('nothing')])
    expect(answer).toEqual(unknown);
  expect(await rolesOf('nobody')).toEqual(ok([]));
});

test.each(['roles', 'metadata'])('%s of no id at all are refused', async (what) => {
  expect(refusalOf(await core.get(`${app}/recipe/user/${what}`))).toEqual([
    400,
    'MISSING_QUERY_PARAMETER',
    "Field name 'userId' is missing in GET request",
  ]);
});

describe('ids', () => {
  test('of one login method mean the same roles, and the external one is shown', async () => {
    await give(user, 'reader');
    await map(user, 'auth0|7 ü');
    expect(await give('auth0|7 ü', 'reader')).toEqual({ status: 'OK', didUserAlreadyHaveRole: true });
    await give('auth0|7 ü', 'writer');
    for (const id of [user, 'auth0|7 ü']) expect(await rolesOf(id)).toEqual(ok(['reader', 'writer']));
    expect(await usersOf('reader')).toEqual({ status: 'OK', users: ['auth0|7 ü'] });
    await core.post(`${app}/recipe/userid/map/remove`, { userId: user, force: true });
    expect(await usersOf('reader')).toEqual({ status: 'OK', users: [user] });
  });

  test('that become external ids bring their roles along', async () => {
    for (const role of ['reader', 'writer']) await give('auth0|8', role);
    await give(user, 'reader');
    await map(user, 'auth0|8');
    for (const id of [user, 'auth0|8']) expect(await rolesOf(id)).toEqual(ok(['reader', 'writer']));
    expect(await usersOf('reader')).toEqual({ status: 'OK', users: ['auth0|8'] });
    expect(await kept()).toBe(2);
  });

  test('of linked login methods have roles of their own, which go with them', async () => {
    const member = (await importUser(core, newEmail(), app)).id;
    await core.post(`${app}/recipe/accountlinking/user/primary`, { recipeUserId: user });
    await core.post(`${app}/recipe/accountlinking/user/link`, {
      recipeUserId: member,
      primaryUserId: user,
    });
    await give(user, 'reader');
    await give(member, 'writer');
    expect([await rolesOf(user), await rolesOf(member)]).toEqual([ok(['reader']), ok(['writer'])]);
    await core.post(`${app}/user/remove`, { userId: member, removeAllLinkedAccounts: false });
    expect(await kept()).toBe(1);
    expect(await rolesOf(user)).toEqual(ok(['reader']));
  });

  test('of a removed user have none', async () => {
    await give(user, 'reader');
    await core.post(`${app}/user/remove`, { userId: user });
    expect(await rolesOf(user)).toEqual(ok([]));
    expect(await kept()).toBe(0);
  });
});

describe('an import', () => {
  const record = (userRoles: object) => ({
    externalUserId: 'theirs',
    userRoles,
    loginMethods: [
      {
        recipeId: 'emailpassword',
        email: 'theirs@x.test',
        passwordHash: knownHash,
        hashingAlgorithm: 'bcrypt',
      },
    ],
  });
  const bring = async (userRoles: object) =>
    (await core.post(`${app}/bulk-import/import`, record(userRoles))).body.status;

  test('gives the roles that it states, and makes those that are missing', async () => {
    const userRoles = [
      { role: 'reader' },
      { role: 'admin', tenantIds: [tenantName()] },
      { role: 'writer', tenantIds: [tenantName(), 'public'] },
      { role: 'reader', tenantIds: ['public'] },
    ];
    expect(await bring(userRoles)).toBe('OK');
    expect(await rolesOf('theirs')).toEqual(ok(['reader', 'writer']));
    expect(await rolesOf('theirs', tenant)).toEqual(ok(['admin', 'writer']));
    expect((await core.get(`${app}/recipe/roles`)).body).toEqual(ok(['admin', 'reader', 'writer']));
  });

  test('replaces what the import before it stated, and keeps what was given here', async () => {
    await bring([{ role: 'reader' }]);
    await bring([{ role: 'admin' }]);
    expect(await rolesOf('theirs')).toEqual(ok(['admin']));
    await give('theirs', 'writer');
    await bring([{ role: 'admin' }]);
    expect(await rolesOf('theirs')).toEqual(ok(['admin', 'writer']));
  });
});
