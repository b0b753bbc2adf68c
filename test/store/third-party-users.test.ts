import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { useStore, passwordUser, thirdPartyUser, inTurn } from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

let store: TestStore;
let tenant: Tenant;

useStore((opened, app) => {
  [store, tenant] = [opened, app];
});

const put = (id: string, rest?: Parameters<typeof thirdPartyUser>[2]) =>
  store.users.putThirdPartyUser(thirdPartyUser(tenant, id, rest));

const idsByEmail = async (email: string, where = tenant) =>
  (await store.users.findUsersByAccountInfo(where, { email }, false)).map(({ id }) => id);

describe('a social user', () => {
  it('is created with what the provider says', async () => {
    const user = thirdPartyUser(tenant, 'g1', { email: 'a@b.test', isVerified: true });
    expect(await store.users.putThirdPartyUser(user)).toEqual({ outcome: 'created' });
    expect(await store.users.findUser(tenant.appNo, user.userId)).toMatchObject({
      id: user.userId,
      emails: ['a@b.test'],
      thirdParty: [{ id: 'google', userId: 'g1' }],
      loginMethods: [{ recipeId: 'thirdparty', verified: true, timeJoined: user.timeJoined }],
    });
  });

  it('is found again with what is stored, and nothing is changed by that', async () => {
    const user = thirdPartyUser(tenant, 'g1', { email: 'a@b.test' });
    await store.users.putThirdPartyUser(user);
    expect(await put('g1', { email: 'new@b.test', isVerified: true })).toEqual({
      outcome: 'existing',
      userId: user.userId,
      email: 'a@b.test',
      isVerified: false,
    });
    expect((await store.users.findUser(tenant.appNo, user.userId))?.emails).toEqual(['a@b.test']);
  });

  it('is created once by 100 sign-ins at the same instant on two cores', async () => {
    const cores = [store.anotherCore({ maxBatch: 7 }), store.anotherCore({ maxBatch: 7 })];
    const users = Array.from({ length: 100 }, () => thirdPartyUser(tenant, 'same'));
    const outcomes = await Promise.all(
      users.map((user, i) => inTurn(cores, i).users.putThirdPartyUser(user)),
    );
    const winners = users.filter((_, i) => outcomes[i]?.outcome === 'created');
    expect(winners).toHaveLength(1);
    expect(outcomes.filter((each) => each.outcome !== 'created')).toEqual(
      Array.from({ length: 99 }, () => ({
        outcome: 'existing',
        userId: winners[0]?.userId,
        email: 'same@social.test',
        isVerified: false,
      })),
    );
    expect(await store.users.countUsers(tenant, [], true)).toBe(1);
  });

  it('is another one in another tenant, and with another provider', async () => {
    const other = await store.newTenant(tenant);
    expect(await put('1')).toEqual({ outcome: 'created' });
    expect(await put('1', { thirdPartyId: 'github' })).toEqual({ outcome: 'created' });
    expect(await put('1', { tenant: other })).toEqual({ outcome: 'created' });
    expect(await put('1')).toMatchObject({ outcome: 'existing' });
  });

  it('may share an email with others', async () => {
    expect(await put('1', { email: 'a@b.test' })).toEqual({ outcome: 'created' });
    expect(await put('2', { email: 'a@b.test' })).toEqual({ outcome: 'created' });
    expect(await idsByEmail('a@b.test')).toHaveLength(2);
  });

  it('is kept apart from another whose two ids read the same together', async () => {
    const pairs = [
      ['google', '1'],
      ['googl', 'e1'],
      ['google1', ''],
      ['a:b', 'c'],
      ['a', ':bc'],
      ['a', 'b:c'],
      ['1:a', 'b'],
      ['1', ':ab'],
      ['ü', 'x'],
      ['GOOGLE', '1'],
    ] as const;
    const users = pairs.map(([thirdPartyId, id]) =>
      thirdPartyUser(tenant, id, { thirdPartyId, email: 'a@b.test' }),
    );
    const outcomes = await Promise.all(users.map((user) => store.users.putThirdPartyUser(user)));
    expect(outcomes).toEqual(pairs.map(() => ({ outcome: 'created' })));
    for (const { thirdPartyId, thirdPartyUserId, userId } of users) {
      const info = { thirdParty: { id: thirdPartyId, userId: thirdPartyUserId } };
      const found = await store.users.findUsersByAccountInfo(tenant, info, false);
      expect(found.map(({ id }) => id)).toEqual([userId]);
    }
  });
});

describe('a changed email of a social user', () => {
  it('is stored and found, the former one is not', async () => {
    const user = thirdPartyUser(tenant, 'g1', { email: 'old@b.test' });
    await store.users.putThirdPartyUser(user);
    const change = { appNo: tenant.appNo, userId: user.userId, email: 'new@b.test' };
    expect(await store.users.changeUser(change)).toBe('changed');
    expect(await idsByEmail('new@b.test')).toEqual([user.userId]);
    expect(await idsByEmail('old@b.test')).toEqual([]);
    expect(await put('g1')).toMatchObject({ outcome: 'existing', email: 'new@b.test', isVerified: false });
  });

  it('may be one that another user has', async () => {
    const user = thirdPartyUser(tenant, 'g1');
    const own = passwordUser(tenant, 'taken@b.test');
    await store.users.putThirdPartyUser(user);
    await store.users.putPasswordUser(own);
    const change = { appNo: tenant.appNo, userId: user.userId, email: 'taken@b.test' };
    expect(await store.users.changeUser(change)).toBe('changed');
    expect(await idsByEmail('taken@b.test')).toEqual([user.userId, own.userId].sort());
  });

  it('is unverified until verified, and verified again when it is changed back', async () => {
    const user = thirdPartyUser(tenant, 'g1', { email: 'old@b.test', isVerified: true });
    await store.users.putThirdPartyUser(user);
    const verifiedAfter = async (email: string) => {
      await store.users.changeUser({ appNo: tenant.appNo, userId: user.userId, email });
      return (await store.users.findUser(tenant.appNo, user.userId))?.loginMethods[0]?.verified;
    };
    expect(await verifiedAfter('new@b.test')).toBe(false);
    expect(await verifiedAfter('old@b.test')).toBe(true);
    expect(await verifiedAfter('new@b.test')).toBe(false);
  });
});

describe('a search by email', () => {
  it('finds social users of this tenant only', async () => {
    const other = await store.newTenant(tenant);
    const here = thirdPartyUser(tenant, '1', { email: 'a@b.test' });
    const there = thirdPartyUser(other, '1', { email: 'a@b.test' });
    await Promise.all([here, there].map((user) => store.users.putThirdPartyUser(user)));
    expect(await idsByEmail('a@b.test')).toEqual([here.userId]);
    expect(await idsByEmail('a@b.test', other)).toEqual([there.userId]);
    expect(await idsByEmail('a@b.test', await store.newApp())).toEqual([]);
  });
});
