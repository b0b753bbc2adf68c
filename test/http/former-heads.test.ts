/** A linked user keeps the external id that callers store, whichever of its login methods is removed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, knownPassword, newApp, verificationToken } from '../helpers/people.ts';

let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ settings: { ALLOW_HASH_EXPORT: 'true' } });
});
beforeEach(async () => {
  app = await newApp(core);
});
afterAll(() => core.stop());

const own = { recipeId: 'emailpassword', email: 'own@a.test', passwordHash: knownHash, isPrimary: true };
const second = { recipeId: 'emailpassword', email: 'second@a.test', passwordHash: knownHash };
const social = { recipeId: 'thirdparty', thirdPartyId: 'google', thirdPartyUserId: 'g', email: 'own@a.test' };

const joined = (ms: number) => ({ timeJoinedInMSSinceEpoch: 1_700_000_000_000 + ms });

async function importLinked(...more: object[]): Promise<User> {
  const record = {
    externalUserId: 'theirs',
    userMetadata: { plan: 'pro' },
    userRoles: [{ role: 'admin' }],
    loginMethods: [
      { ...own, ...joined(0) },
      { ...second, ...joined(1) },
      { ...social, ...joined(2) },
      ...more,
    ],
  };
  const { http, body } = await core.post(`${app}/bulk-import/import`, record);
  expect([http, body.status]).toEqual([200, 'OK']);
  return body.user as User;
}

async function userOf(userId: string): Promise<User | undefined> {
  return (await core.get(`${app}/user/id`, { userId })).body.user as User | undefined;
}

async function coreIdOf(): Promise<string> {
  const { body } = await core.get(`${app}/recipe/userid/map`, { userId: 'theirs', userIdType: 'EXTERNAL' });
  return String(body.superTokensUserId);
}

const remove = (userId: string) =>
  core.post(`${app}/user/remove`, { userId, removeAllLinkedAccounts: false });
/** Of a login method. */
const idOf = (user: User | undefined, email: string, recipeId = 'emailpassword') =>
  user?.loginMethods.find((method) => method.email === email && method.recipeId === recipeId)?.recipeUserId ??
  '';

describe('a linked user whose head is removed', () => {
  test('is found, listed and exported by the external id, and by the former ids', async () => {
    const before = await importLinked();
    const head = await coreIdOf();
    await remove('theirs');
    for (const id of ['theirs', head, idOf(before, second.email), idOf(before, social.email, 'thirdparty')]) {
      const user = await userOf(id);
      expect([user?.id, user?.loginMethods.map(({ email }) => email)]).toEqual([
        'theirs',
        [second.email, social.email],
      ]);
    }
    const listed = (await core.get(`${app}/users`)).body.users as User[];
    expect(listed.map(({ id }) => id)).toEqual(['theirs']);
    const found = await core.get(`${app}/users/by-accountinfo`, { email: second.email });
    expect((found.body.users as User[]).map(({ id }) => id)).toEqual(['theirs']);
    const exported = await fetch(`${core.url}${app}/bulk-export/users`, {
      headers: { 'api-key': testApiKey },
    });
    expect(JSON.parse(await exported.text())).toMatchObject({
      externalUserId: 'theirs',
      userMetadata: { plan: 'pro' },
    });
  });

  test('keeps metadata and roles, signs in by password, and is known to the next import', async () => {
    await importLinked();
    await remove('theirs');
    const metadata = await core.get(`${app}/recipe/user/metadata`, { userId: 'theirs' });
    expect(metadata.body.metadata).toEqual({ plan: 'pro' });
    const roles = await core.get(`${app}/recipe/user/roles`, { userId: 'theirs' });
    expect(roles.body.roles).toEqual(['admin']);
    const signedIn = await core.post(`${app}/recipe/signin`, {
      email: second.email,
      password: knownPassword,
    });
    expect(signedIn.body).toMatchObject({ status: 'OK', user: { id: 'theirs' }, recipeUserId: 'theirs' });
    const again = { externalUserId: 'theirs', userMetadata: { plan: 'free' }, loginMethods: [second] };
    expect((await core.post(`${app}/bulk-import/import`, again)).body).toMatchObject({
      user: { id: 'theirs' },
    });
    expect((await core.get(`${app}/users/count`)).body.count).toBe(1);
  });

  test('keeps what was verified and what was sent, under whichever id', async () => {
    const before = await importLinked();
    const former = idOf(before, second.email);
    const unused = await verificationToken(core, { userId: former, email: second.email }, app);
    const reset = await core.post(`${app}/recipe/user/password/reset/token`, {
      userId: former,
      email: second.email,
    });
    const other = { userId: former, email: 'elsewhere@a.test' };
    const token = await verificationToken(core, other, app);
    await core.post(`${app}/recipe/user/email/verify`, { method: 'token', token });
    await remove('theirs');
    const isVerified = async (userId: string, email: string) =>
      (await core.get(`${app}/recipe/user/email/verify`, { userId, email })).body.isVerified;
    for (const id of ['theirs', former]) expect(await isVerified(id, 'elsewhere@a.test')).toBe(true);
    const redeemed = await core.post(`${app}/recipe/user/email/verify`, { method: 'token', token: unused });
    expect(redeemed.body).toEqual({ status: 'OK', userId: 'theirs', email: second.email });
    for (const id of ['theirs', former]) expect(await isVerified(id, second.email)).toBe(true);
    const consumed = await core.post(`${app}/recipe/user/password/reset/token/consume`, {
      token: reset.body.token,
    });
    expect(consumed.body).toMatchObject({ status: 'OK', userId: 'theirs' });
  });

  test('hands the id on from heir to heir, with its info, and frees it with the last', async () => {
    const before = await importLinked();
    await core.put(`${app}/recipe/userid/external-user-id-info`, {
      userId: 'theirs',
      externalUserIdInfo: 'note',
    });
    const last = idOf(before, social.email, 'thirdparty');
    for (const left of [2, 1]) {
      await remove('theirs');
      const user = await userOf('theirs');
      expect([user?.id, user?.loginMethods.length]).toEqual(['theirs', left]);
      const mapping = await core.get(`${app}/recipe/userid/map`, {
        userId: 'theirs',
        userIdType: 'EXTERNAL',
      });
      expect(mapping.body).toMatchObject({ status: 'OK', externalUserIdInfo: 'note' });
    }
    expect(await coreIdOf()).toBe(last);
    await remove('theirs');
    expect(await userOf('theirs')).toBeUndefined();
    const rows = await withSql(
      core.database.connection,
      (sql) => sql`
        select 1 from carryover.former_heads join carryover.apps using (app_no)
        where app_id = ${app.replace('/appid-', '')}`,
    );
    expect(rows).toEqual([]);
  });

  test('takes the id over from the head only: a login method with an id of its own is asked last, and keeps it', async () => {
    const before = await importLinked();
    const mapped = { superTokensUserId: idOf(before, second.email), externalUserId: 'own-id' };
    await core.post(`${app}/recipe/userid/map`, mapped);
    await remove('theirs');
    const user = await userOf('own-id');
    expect([user?.id, idOf(user, second.email), idOf(user, social.email, 'thirdparty')]).toEqual([
      'theirs',
      'own-id',
      'theirs',
    ]);
    await remove('theirs');
    expect((await userOf('theirs'))?.loginMethods.map(({ recipeUserId }) => recipeUserId)).toEqual([
      'own-id',
    ]);
  });

  test('changes nothing of the id when another login method is removed', async () => {
    const before = await importLinked();
    await remove(idOf(before, second.email));
    expect((await userOf('theirs'))?.loginMethods.map(({ email }) => email)).toEqual([
      own.email,
      social.email,
    ]);
  });

  test('keeps it, too, when its tenant is removed', async () => {
    await core.put(`${app}/recipe/multitenancy/tenant/v2`, { tenantId: 'acme' });
    const record = {
      externalUserId: 'theirs',
      loginMethods: [{ ...own, tenantIds: ['acme'] }, second],
    };
    await core.post(`${app}/bulk-import/import`, record);
    await core.post(`${app}/recipe/multitenancy/tenant/remove`, { tenantId: 'acme' });
    expect(await userOf('theirs')).toMatchObject({ id: 'theirs', emails: [second.email] });
  });
});
