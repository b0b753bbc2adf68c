import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import type { UserIdType } from '../../src/operations/ports/mapping.ts';
import type { NewPasswordUser } from '../../src/operations/ports/ports.ts';
import { openTestStore, passwordUser, inTurn } from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

const now = Date.UTC(2026, 5, 1);
const types = ['ANY', 'SUPERTOKENS', 'EXTERNAL'] as const satisfies UserIdType[];

let store: TestStore;
let tenant: Tenant;
let user: NewPasswordUser;
let second: NewPasswordUser;

beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  tenant = await store.newApp();
  user = passwordUser(tenant, 'a@b.test');
  second = passwordUser(tenant, 'second@b.test');
  await Promise.all([user, second].map((each) => store.users.putPasswordUser(each)));
});
afterAll(() => store.dispose());

const map = (superTokensUserId: string, externalUserId: string, rest = {}) =>
  store.mappings.map(tenant.appNo, { superTokensUserId, externalUserId, ...rest });
const find = (id: string, type: UserIdType = 'ANY') => store.mappings.find(tenant.appNo, id, type);
const unmap = (id: string, type: UserIdType = 'ANY') => store.mappings.unmap(tenant.appNo, id, type);
const seenId = async (id: string) => (await store.users.findUser(tenant.appNo, id))?.id;

describe('mapping', () => {
  it('gives a user an external id, by which callers see them from then on', async () => {
    expect(await map(user.userId, 'ext')).toEqual({ outcome: 'mapped' });
    for (const id of [user.userId, 'ext']) {
      expect(await store.users.findUser(tenant.appNo, id)).toMatchObject({
        id: 'ext',
        loginMethods: [{ recipeUserId: 'ext' }],
      });
      expect(await store.users.findLoginMethod(tenant.appNo, id)).toEqual({
        userId: user.userId,
        recipeId: 'emailpassword',
        shownId: 'ext',
      });
    }
  });

  it('refuses a user that does not exist, whatever the id looks like', async () => {
    const unknown = passwordUser(tenant, 'x@b.test').userId;
    for (const id of [unknown, 'no uuid', '', user.userId.toUpperCase()]) {
      expect(await map(id, 'ext')).toEqual({ outcome: 'unknown-user' });
    }
    expect(await find('ext')).toBeUndefined();
  });

  it('refuses a user that is mapped, an external id that is taken, and says which', async () => {
    await map(user.userId, 'ext');
    expect(await map(user.userId, 'other')).toEqual({
      outcome: 'exists',
      userHasMapping: true,
      externalIdHasMapping: false,
    });
    expect(await map(second.userId, 'ext')).toEqual({
      outcome: 'exists',
      userHasMapping: false,
      externalIdHasMapping: true,
    });
    expect(await map(user.userId, 'ext')).toEqual({
      outcome: 'exists',
      userHasMapping: true,
      externalIdHasMapping: true,
    });
    await map(second.userId, 'ext 2');
    expect(await map(second.userId, 'ext')).toMatchObject({
      userHasMapping: true,
      externalIdHasMapping: true,
    });
    expect([await seenId(user.userId), await seenId(second.userId)]).toEqual(['ext', 'ext 2']);
  });

  it('refuses an external id that is the core id of a user, also of the same one', async () => {
    expect(await map(user.userId, second.userId)).toEqual({ outcome: 'id-of-a-user' });
    expect(await map(user.userId, user.userId)).toEqual({ outcome: 'id-of-a-user' });
    expect(await find(user.userId)).toBeUndefined();
  });

  it('takes an external id that only looks like a core id', async () => {
    const foreign = passwordUser(tenant, 'x@b.test').userId;
    expect(await map(user.userId, foreign)).toEqual({ outcome: 'mapped' });
    expect(await seenId(foreign)).toBe(foreign);
  });

  it('takes any text as external id, and the same one in another app', async () => {
    const other = passwordUser(await store.newApp(), 'a@b.test');
    await store.users.putPasswordUser(other);
    const ext = '"quoted", \\{ürsel}\n🐢 NULL';
    expect(await map(user.userId, ext)).toEqual({ outcome: 'mapped' });
    const mapping = { superTokensUserId: other.userId, externalUserId: ext };
    expect(await store.mappings.map(other.tenant.appNo, mapping)).toEqual({ outcome: 'mapped' });
    expect(await find(ext)).toEqual({ superTokensUserId: user.userId, externalUserId: ext });
  });

  it('of many users at once gives each their own', async () => {
    const users = Array.from({ length: 200 }, (_, i) => passwordUser(tenant, `user${i}@b.test`));
    await Promise.all(users.map((each) => store.users.putPasswordUser(each)));
    const outcomes = await Promise.all(users.map(({ userId }, i) => map(userId, `ext ${i}`)));
    expect(outcomes).toEqual(users.map(() => ({ outcome: 'mapped' })));
    const seen = await Promise.all(users.map(({ userId }) => seenId(userId)));
    expect(seen).toEqual(users.map((_, i) => `ext ${i}`));
  });
});

describe('a mapping', () => {
  it.each([
    ['core', 'ANY', true],
    ['core', 'SUPERTOKENS', true],
    ['core', 'EXTERNAL', false],
    ['external', 'ANY', true],
    ['external', 'SUPERTOKENS', false],
    ['external', 'EXTERNAL', true],
  ] as const)('is found by the %s id as %s: %s, and removed by it likewise', async (which, type, found) => {
    const mapping = { superTokensUserId: user.userId, externalUserId: 'ext' };
    await map(user.userId, 'ext');
    const id = which === 'core' ? user.userId : 'ext';
    expect(await find(id, type)).toEqual(found ? mapping : undefined);
    expect(await store.mappings.setInfo(tenant.appNo, id, type, 'info')).toBe(found);
    expect(await unmap(id, type)).toBe(found);
    expect(await find('ext')).toEqual(found ? undefined : mapping);
  });

  it('does not exist for users without one, for strangers and in other apps', async () => {
    await map(user.userId, 'ext');
    const other = await store.newApp();
    for (const type of types) {
      for (const id of [second.userId, 'nobody', passwordUser(tenant, 'x@b.test').userId]) {
        expect(await find(id, type)).toBeUndefined();
        expect(await unmap(id, type)).toBe(false);
        expect(await store.mappings.setInfo(tenant.appNo, id, type, 'info')).toBe(false);
      }
      expect(await store.mappings.find(other.appNo, 'ext', type)).toBeUndefined();
      expect(await store.mappings.unmap(other.appNo, 'ext', type)).toBe(false);
    }
    expect(await find('ext')).toBeDefined();
  });

  it('is removed once, and both ids are free again', async () => {
    await map(user.userId, 'ext');
    expect([await unmap('ext'), await unmap('ext'), await unmap(user.userId)]).toEqual([true, false, false]);
    expect(await seenId(user.userId)).toBe(user.userId);
    expect(await seenId('ext')).toBeUndefined();
    expect(await map(second.userId, 'ext')).toEqual({ outcome: 'mapped' });
    expect(await map(user.userId, 'ext 2')).toEqual({ outcome: 'mapped' });
  });

  it('goes with its user', async () => {
    await map(user.userId, 'ext', { externalUserIdInfo: 'info' });
    await store.users.removeUser(tenant.appNo, 'ext', true);
    expect(await find('ext')).toBeUndefined();
    expect(await map(second.userId, 'ext')).toEqual({ outcome: 'mapped' });
    expect(await find('ext')).toEqual({ superTokensUserId: second.userId, externalUserId: 'ext' });
  });
});

describe('the info of a mapping', () => {
  const info = async () => (await find('ext'))?.externalUserIdInfo;

  it('is kept when given, and absent when not', async () => {
    await map(user.userId, 'ext', { externalUserIdInfo: 'from "auth0"' });
    expect(await info()).toBe('from "auth0"');
    await map(second.userId, 'ext 2');
    expect(await find('ext 2')).not.toHaveProperty('externalUserIdInfo');
  });

  it('is set, changed, emptied and cleared', async () => {
    await map(user.userId, 'ext');
    for (const [text, expected] of [
      ['one', 'one'],
      ['two', 'two'],
      ['', ''],
      [null, undefined],
      [null, undefined],
      ['three', 'three'],
    ] as const) {
      expect(await store.mappings.setInfo(tenant.appNo, 'ext', 'ANY', text)).toBe(true);
      expect(await info()).toBe(expected);
    }
  });

  it('is gone after unmapping', async () => {
    await map(user.userId, 'ext', { externalUserIdInfo: 'old' });
    await unmap('ext');
    await map(user.userId, 'ext');
    expect(await info()).toBeUndefined();
  });
});

describe('what is kept of a user', () => {
  const isVerified = (userId: string, email: string) =>
    store.verification.isVerified(tenant.appNo, { userId, email });
  const newToken = async (userId: string, email: string) => {
    const tokenHash = randomBytes(32).toString('hex');
    await store.verification.createToken({
      tenant,
      pair: { userId, email },
      tokenHash,
      expiresAt: now + 1,
    });
    return tokenHash;
  };
  const redeem = (tokenHash: string) => store.verification.redeemToken({ tenant, tokenHash, now });

  it('moves with the mapping and comes back without it: the flag, former emails, pending tokens', async () => {
    const { userId, email } = user;
    await store.verification.setVerified(tenant.appNo, { userId, email }, true);
    await store.verification.setVerified(tenant.appNo, { userId, email: 'former@b.test' }, true);
    const tokens = [await newToken(userId, 'one@b.test'), await newToken(userId, 'two@b.test')] as const;
    const state = async () => [
      await isVerified('ext', email),
      await isVerified('ext', 'former@b.test'),
      await isVerified(userId, email),
      await isVerified(userId, 'former@b.test'),
    ];
    await map(userId, 'ext');
    expect(await state()).toEqual([true, true, true, true]);
    expect(await redeem(tokens[0])).toEqual({ userId: 'ext', email: 'one@b.test' });
    await unmap('ext');
    expect(await state()).toEqual([false, false, true, true]);
    expect(await isVerified(userId, 'one@b.test')).toBe(true);
    expect(await redeem(tokens[1])).toEqual({ userId, email: 'two@b.test' });
  });

  it('joins what the external id had before: a pair verified then counts for the user', async () => {
    await store.verification.setVerified(tenant.appNo, { userId: 'ext', email: user.email }, true);
    const token = await newToken('ext', 'later@b.test');
    expect(await isVerified(user.userId, user.email)).toBe(false);
    await map(user.userId, 'ext');
    expect(await isVerified(user.userId, user.email)).toBe(true);
    const found = await store.users.findUser(tenant.appNo, 'ext');
    expect(found?.loginMethods[0]?.verified).toBe(true);
    expect(await redeem(token)).toEqual({ userId: 'ext', email: 'later@b.test' });
    await store.verification.setVerified(tenant.appNo, { userId: 'ext', email: user.email }, false);
    expect(await isVerified(user.userId, user.email)).toBe(false);
  });

  it('of another user stays where it is', async () => {
    await store.verification.setVerified(tenant.appNo, second, true);
    const token = await newToken(second.userId, 'later@b.test');
    await map(user.userId, 'ext');
    expect(await isVerified(second.userId, second.email)).toBe(true);
    expect(await redeem(token)).toEqual({ userId: second.userId, email: 'later@b.test' });
  });
});

describe('at the same instant', () => {
  it.each([1, 2])('50 users who want one external id: one has it, over %i cores', async (count) => {
    const users = Array.from({ length: 50 }, (_, i) => passwordUser(tenant, `user${i}@b.test`));
    await Promise.all(users.map((each) => store.users.putPasswordUser(each)));
    const cores = Array.from({ length: count }, () => store.anotherCore());
    const outcomes = await Promise.all(
      users.map(({ userId }, i) =>
        inTurn(cores, i).mappings.map(tenant.appNo, { superTokensUserId: userId, externalUserId: 'wanted' }),
      ),
    );
    const winner = outcomes.findIndex((result) => result.outcome === 'mapped');
    expect(outcomes.filter((_, i) => i !== winner)).toEqual(
      Array.from({ length: 49 }, () => ({
        outcome: 'exists',
        userHasMapping: false,
        externalIdHasMapping: true,
      })),
    );
    expect(await find('wanted')).toEqual({
      superTokensUserId: users[winner]?.userId,
      externalUserId: 'wanted',
    });
  });

  it('one user that two cores map to an external id gets one, with all that was kept under the own id', async () => {
    const cores = [store.anotherCore(), store.anotherCore()];
    const users = Array.from({ length: 40 }, (_, i) => passwordUser(tenant, `user${i}@b.test`));
    await Promise.all(users.map((each) => store.users.putPasswordUser(each)));
    const verifyFormer = ({ userId }: NewPasswordUser) =>
      store.verification.setVerified(tenant.appNo, { userId, email: 'former@b.test' }, true);
    await Promise.all(users.map(verifyFormer));
    for (const { userId } of users) {
      const outcomes = await Promise.all(
        cores.map((core, c) =>
          core.mappings.map(tenant.appNo, {
            superTokensUserId: userId,
            externalUserId: `core ${c} ${userId}`,
            externalUserIdInfo: `of core ${c}`,
          }),
        ),
      );
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['exists', 'mapped']);
      const winner = outcomes.findIndex(({ outcome }) => outcome === 'mapped');
      expect(await find(userId)).toEqual({
        superTokensUserId: userId,
        externalUserId: `core ${winner} ${userId}`,
        externalUserIdInfo: `of core ${winner}`,
      });
      const pairs = [0, 1].map((c) =>
        store.verification.isVerified(tenant.appNo, {
          userId: `core ${c} ${userId}`,
          email: 'former@b.test',
        }),
      );
      expect(await Promise.all(pairs)).toEqual([winner === 0, winner === 1]);
    }
  });
});
