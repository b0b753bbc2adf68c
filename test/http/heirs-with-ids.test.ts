/** A login method that outlives the head of its user keeps its own external id in addition to the user's: both find the user. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import {
  importUser,
  knownPassword,
  newEmail,
  newTenant,
  signInUp,
  verificationToken,
} from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

const linking = '/recipe/accountlinking/user';
let head: string;
let arm: string;
let email: string;

async function map(superTokensUserId: string, externalUserId: string): Promise<void> {
  const mapping = { superTokensUserId, externalUserId, externalUserIdInfo: `info of ${externalUserId}` };
  expect((await core.post(`${app}/recipe/userid/map`, mapping)).body.status).toBe('OK');
}
const link = (recipeUserId: string) =>
  core.post(`${app}${linking}/link`, { recipeUserId, primaryUserId: 'head' });
const unlink = async (recipeUserId: string) =>
  (await core.post(`${app}${linking}/unlink`, { recipeUserId })).body;
const remove = (userId: string, removeAllLinkedAccounts = false) =>
  core.post(`${app}/user/remove`, { userId, removeAllLinkedAccounts });
const statusOf = async (userId: string) => (await core.get(`${app}/user/id`, { userId })).body.status;
const mappingOf = async (userId: string, userIdType: string) =>
  (await core.get(`${app}/recipe/userid/map`, { userId, userIdType })).body;

/** The result of finding the user by an id: its id, and those of its login methods. */
async function idsBy(userId: string): Promise<unknown> {
  const user = (await core.get(`${app}/user/id`, { userId })).body.user as User | undefined;
  return [user?.id, user?.loginMethods.map(({ recipeUserId }) => recipeUserId).sort()];
}

beforeEach(async () => {
  email = newEmail();
  head = (await importUser(core, newEmail(), app)).id;
  arm = (await importUser(core, email, app)).id;
  await map(head, 'head');
  await map(arm, 'arm');
  await core.post(`${app}${linking}/primary`, { recipeUserId: 'head' });
});

describe('the external ids of the user and of the login method that is left', () => {
  const ways = {
    'the head is unlinked': async () => {
      await link('arm');
      expect(await unlink('head')).toEqual({
        status: 'OK',
        wasRecipeUserDeleted: true,
        wasLinked: true,
      });
    },
    'the head is removed': async () => {
      await link('arm');
      await remove('head');
    },
  };
  for (const [way, happen] of Object.entries(ways))
    test(`find the user when ${way}`, async () => {
      await happen();
      for (const id of ['head', 'arm', head, arm]) expect(await idsBy(id)).toEqual(['head', ['arm']]);
      expect(await mappingOf('arm', 'EXTERNAL')).toEqual({
        status: 'OK',
        superTokensUserId: arm,
        externalUserId: 'arm',
        externalUserIdInfo: 'info of arm',
      });
      expect(await mappingOf('head', 'EXTERNAL')).toMatchObject({
        externalUserId: 'head',
        externalUserIdInfo: 'info of head',
      });
      expect(await mappingOf(arm, 'SUPERTOKENS')).toMatchObject({ externalUserId: 'arm' });
    });

  test('find it when the tenant of the head is removed', async () => {
    const tenant = await newTenant(core, app);
    const inTenant = (await signInUp(core, 'g-1', { id: newEmail() }, tenant)).id;
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: inTenant, externalUserId: 'elsewhere' });
    await core.post(`${app}${linking}/primary`, { recipeUserId: inTenant });
    await core.post(`${app}${linking}/link`, { recipeUserId: 'arm', primaryUserId: inTenant });
    const tenantId = tenant.split('/').at(-1);
    await core.post(`${app}/recipe/multitenancy/tenant/remove`, { tenantId });
    for (const id of ['elsewhere', 'arm']) expect(await idsBy(id)).toEqual(['elsewhere', ['arm']]);
  });

  test('keep metadata, roles and devices apart', async () => {
    await core.put(`${app}/recipe/role`, { role: 'of-head' });
    await core.put(`${app}/recipe/role`, { role: 'of-arm' });
    for (const userId of ['head', 'arm']) {
      await core.put(`${app}/recipe/user/metadata`, { userId, metadataUpdate: { of: userId } });
      await core.put(`${app}/recipe/user/role`, { userId, role: `of-${userId}` });
      await core.post(`${app}/recipe/totp/device`, { userId, deviceName: userId, skew: 1, period: 30 });
    }
    await link('arm');
    await unlink('head');
    const holders: unknown[] = [];
    for (const userId of ['head', 'arm']) {
      expect((await core.get(`${app}/recipe/user/metadata`, { userId })).body.metadata).toEqual({
        of: userId,
      });
      expect((await core.get(`${app}/recipe/user/roles`, { userId })).body.roles).toEqual([`of-${userId}`]);
      const { body } = await core.get(`${app}/recipe/totp/device/list`, { userId });
      expect((body.devices as { name: string }[]).map(({ name }) => name)).toEqual([userId]);
      holders.push((await core.get(`${app}/recipe/role/users`, { role: `of-${userId}` })).body.users);
    }
    expect(holders).toEqual([['head'], ['arm']]);
  });

  test('are those of sign-ins, sessions and tokens', async () => {
    await link('arm');
    const reset = await core.post(`${app}/recipe/user/password/reset/token`, { userId: 'arm', email });
    const unused = await verificationToken(core, { userId: 'arm', email }, app);
    await unlink('head');
    const consumed = await core.post(`${app}/recipe/user/password/reset/token/consume`, {
      token: reset.body.token,
    });
    expect(consumed.body).toEqual({ status: 'OK', userId: 'arm', email });
    const redeemed = await core.post(`${app}/recipe/user/email/verify`, { method: 'token', token: unused });
    expect(redeemed.body).toEqual({ status: 'OK', userId: 'arm', email });
    for (const userId of ['head', 'arm'])
      expect((await core.get(`${app}/recipe/user/email/verify`, { userId, email })).body.isVerified).toBe(
        true,
      );
    const signedIn = await core.post(`${app}/recipe/signin`, { email, password: knownPassword });
    expect(signedIn.body).toMatchObject({ status: 'OK', recipeUserId: 'arm', user: { id: 'head' } });
    const input = { userId: 'arm', enableAntiCsrf: false, userDataInJWT: {}, userDataInDatabase: {} };
    const { session } = (await core.post(`${app}/recipe/session`, input)).body as {
      session: { handle: string };
    };
    expect(session).toMatchObject({ userId: 'head', recipeUserId: 'arm' });
    expect((await core.get(`${app}/recipe/session`, { sessionHandle: session.handle })).body).toMatchObject({
      status: 'OK',
      userId: 'head',
      recipeUserId: 'arm',
    });
    const changed = await core.put(`${app}/recipe/user`, { recipeUserId: 'arm', password: 'another' });
    expect(changed.body.status).toBe('OK');
    expect((await core.post(`${app}/recipe/signin`, { email, password: 'another' })).body.status).toBe('OK');
  });

  test('go on from one to the next, and with the one that leaves', async () => {
    const last = (await signInUp(core, 'g-1', { id: newEmail() }, app)).id;
    await map(last, 'last');
    for (const id of ['arm', 'last']) await link(id);
    await unlink('head');
    for (const id of ['head', 'arm', 'last']) expect(await idsBy(id)).toEqual(['head', ['arm', 'last']]);
    expect(await unlink('arm')).toEqual({ status: 'OK', wasRecipeUserDeleted: false, wasLinked: true });
    expect(await idsBy('arm')).toEqual(['arm', ['arm']]);
    expect(await mappingOf('arm', 'EXTERNAL')).toMatchObject({ externalUserIdInfo: 'info of arm' });
    for (const id of ['head', 'last']) expect(await idsBy(id)).toEqual(['head', ['last']]);
    // The last one becomes a user with only its own id, and the caller's rows have the former user's.
    await unlink('last');
    for (const id of ['head', 'last']) expect(await idsBy(id)).toEqual(['head', ['last']]);
  });

  test('are taken while the login method lives, and forgotten with it', async () => {
    await link('arm');
    await unlink('head');
    const other = (await importUser(core, newEmail(), app)).id;
    for (const externalUserId of ['head', 'arm']) {
      const { body } = await core.post(`${app}/recipe/userid/map`, {
        superTokensUserId: other,
        externalUserId,
      });
      expect(body).toMatchObject({ status: 'USER_ID_MAPPING_ALREADY_EXISTS_ERROR' });
    }
    await remove('arm', true);
    for (const id of ['head', 'arm']) expect(await statusOf(id)).toBe('UNKNOWN_USER_ID_ERROR');
    const rows = await withSql(
      core.database.connection,
      (sql) => sql`
        select 1 from carryover.own_external_ids join carryover.apps using (app_no)
        where app_id = ${app.replace('/appid-', '')}`,
    );
    expect(rows).toEqual([]);
    await map(other, 'arm');
  });

  test('are unmapped individually, and their notes changed', async () => {
    await link('arm');
    await unlink('head');
    for (const userId of ['arm', 'head'])
      await core.put(`${app}/recipe/userid/external-user-id-info`, {
        userId,
        externalUserIdInfo: `new of ${userId}`,
      });
    for (const id of ['arm', 'head'])
      expect(await mappingOf(id, 'EXTERNAL')).toMatchObject({ externalUserIdInfo: `new of ${id}` });
    await core.post(`${app}/recipe/userid/map/remove`, { userId: 'arm', userIdType: 'EXTERNAL' });
    expect(await statusOf('arm')).toBe('UNKNOWN_USER_ID_ERROR');
    expect(await idsBy('head')).toEqual(['head', ['head']]);
  });
});
