/** Data that applications store for users and for ids that are not a user's. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, newApp, newEmail, newTenant, refusalOf } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
let user: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});
beforeEach(async () => {
  user = (await importUser(core, newEmail(), app)).id;
});

const get = async (userId: string, prefix = app) =>
  (await core.get(`${prefix}/recipe/user/metadata`, { userId })).body;
const put = async (userId: string, metadataUpdate: unknown, on = core) =>
  (await on.put(`${app}/recipe/user/metadata`, { userId, metadataUpdate })).body;
const remove = async (userId: string) =>
  (await core.post(`${app}/recipe/user/metadata/remove`, { userId })).body;
const map = (superTokensUserId: string, externalUserId: string) =>
  core.post(`${app}/recipe/userid/map`, { superTokensUserId, externalUserId, force: true });
const ok = (metadata: object) => ({ status: 'OK', metadata });

describe.each(['a user', 'nobody'])('metadata of %s', (who) => {
  const id = () => (who === 'nobody' ? 'testUserId' : user);

  test('is merged at the top level only, and null removes a key', async () => {
    const first = { a: { b: 1, c: null }, d: [1, null], e: 'x' };
    expect(await put(id(), first)).toEqual(ok(first));
    const changed = { a: { c: { deep: null } }, d: [1, null], f: false };
    expect(await put(id(), { a: { c: { deep: null } }, e: null, f: false, unknown: null })).toEqual(
      ok(changed),
    );
    expect(await put(id(), {})).toEqual(ok(changed));
    expect(await get(id())).toEqual(ok(changed));
    expect(await put(id(), { a: null, d: null, f: null })).toEqual(ok({}));
    expect(await get(id())).toEqual(ok({}));
  });

  test('is empty before there is some, and after it was removed', async () => {
    expect(await get(id())).toEqual(ok({}));
    expect(await put(id(), { a: null })).toEqual(ok({}));
    await put(id(), { a: 1 });
    expect(await remove(id())).toEqual({ status: 'OK' });
    expect(await remove(id())).toEqual({ status: 'OK' });
    expect(await get(id())).toEqual(ok({}));
  });

  test('keeps every key of many changes at the same time, on two cores', async () => {
    const another = await startTestCore({ database: core.database });
    try {
      const keys = Array.from({ length: 24 }, (_, n) => `key ${n}`);
      await Promise.all(keys.map((key, n) => put(id(), { [key]: n }, n % 2 === 0 ? core : another)));
      expect(await get(id())).toEqual(ok(Object.fromEntries(keys.map((key, n) => [key, n]))));
    } finally {
      await another.stop();
    }
  });

  test('has the odd key as any other', async () => {
    const odd = JSON.parse('{"__proto__":{"of":"all"},"constructor":1,"":"empty"}') as object;
    await put(id(), odd);
    const { text } = await core.get(`${app}/recipe/user/metadata`, { userId: id() });
    expect((JSON.parse(text) as { metadata: object }).metadata).toEqual(odd);
    expect(text).toContain('"__proto__":{"of":"all"}');
  });

  test('is of its app', async () => {
    await put(id(), { a: 1 });
    expect(await get(id(), await newApp(core))).toEqual(ok({}));
    const answer = await core.put(`${await newTenant(core, app)}/recipe/user/metadata`, {
      userId: id(),
      metadataUpdate: {},
    });
    expect(refusalOf(answer).slice(0, 2)).toEqual([403, 'APP_SPECIFIC_API']);
  });
});

describe('ids', () => {
  test('of one login method mean the same metadata', async () => {
    await put(user, { a: 1 });
    await map(user, 'auth0|1');
    expect(await get('auth0|1')).toEqual(ok({ a: 1 }));
    expect(await put('auth0|1', { b: 2 })).toEqual(ok({ a: 1, b: 2 }));
    await core.post(`${app}/recipe/userid/map/remove`, { userId: user, force: true });
    expect(await get(user)).toEqual(ok({ a: 1, b: 2 }));
    expect(await get('auth0|1')).toEqual(ok({}));
  });

  test('that become external ids bring their metadata along, where the user has none', async () => {
    await put('auth0|2', { of: 'text' });
    await map(user, 'auth0|2');
    expect(await get(user)).toEqual(ok({ of: 'text' }));
    const other = (await importUser(core, newEmail(), app)).id;
    await put('auth0|3', { of: 'text' });
    await put(other, { of: 'user' });
    await map(other, 'auth0|3');
    for (const id of [other, 'auth0|3']) expect(await get(id)).toEqual(ok({ of: 'user' }));
  });

  test('that look like core ids and have no user are texts', async () => {
    const [lower, upper] = [randomUUID(), randomUUID().toUpperCase()];
    for (const id of [lower, upper, '']) expect(await put(id, { id })).toEqual(ok({ id }));
    for (const id of [lower, upper]) expect(await get(id)).toEqual(ok({ id }));
    expect(await get(upper.toLowerCase())).toEqual(ok({}));
  });

  test('of 128 characters are taken, longer ones refused', async () => {
    expect(await put('i'.repeat(128), { a: 1 })).toEqual(ok({ a: 1 }));
    const input = { userId: 'i'.repeat(129), metadataUpdate: {} };
    expect(refusalOf(await core.put(`${app}/recipe/user/metadata`, input))[0]).toBe(400);
  });
});

describe('of linked users', () => {
  let member: string;
  beforeEach(async () => {
    member = (await importUser(core, newEmail(), app)).id;
    await withSql(core.database.connection, async (sql) => {
      await sql`update carryover.users set primary_user_id = ${user} where user_id in ${sql([user, member])}`;
    });
  });

  test('each login method has its own', async () => {
    await put(user, { of: 'head' });
    await put(member, { of: 'member' });
    expect(await get(user)).toEqual(ok({ of: 'head' }));
    expect(await get(member)).toEqual(ok({ of: 'member' }));
  });

  test('that of the head stays under the user’s id, also an external one, while others are left', async () => {
    await map(user, 'auth0|4');
    await put(user, { of: 'head' });
    await core.post(`${app}/user/remove`, { userId: user, removeAllLinkedAccounts: false });
    for (const id of [user, 'auth0|4']) expect(await get(id)).toEqual(ok({ of: 'head' }));
    expect(await put('auth0|4', { a: 1 })).toEqual(ok({ of: 'head', a: 1 }));
    expect(await get(member)).toEqual(ok({}));
    await core.post(`${app}/user/remove`, { userId: 'auth0|4' });
    expect(await kept()).toEqual([0, 0]);
  });

  test('that of a member goes with it', async () => {
    await put(user, { of: 'head' });
    await put(member, { of: 'member' });
    await core.post(`${app}/user/remove`, { userId: member, removeAllLinkedAccounts: false });
    expect(await kept()).toEqual([1, 0]);
    expect(await get(user)).toEqual(ok({ of: 'head' }));
  });

  const kept = () =>
    withSql(core.database.connection, async (sql) => {
      const [row] = await sql<{ details: number; texts: number }[]>`
        select
          (select count(*)::int from carryover.user_details d where d.user_id in ${sql([user, member])}) as details,
          (select count(*)::int from carryover.text_metadata t where t.user_key in ${sql([user, member])}) as texts`;
      return [row?.details, row?.texts];
    });
});
