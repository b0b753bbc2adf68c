import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import type { NewPasswordUser } from '../../src/operations/ports/ports.ts';
import { useStore, passwordUser, inTurn } from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

const now = Date.UTC(2026, 5, 1);
const email = 'a@b.test';

let store: TestStore;
let tenant: Tenant;

useStore((opened, app) => {
  [store, tenant] = [opened, app];
});

async function newUser(externalUserId?: string): Promise<NewPasswordUser> {
  const user = passwordUser(tenant, email);
  await store.users.putPasswordUser(user);
  if (externalUserId !== undefined) {
    await store.mappings.map(tenant.appNo, { superTokensUserId: user.userId, externalUserId });
  }
  return user;
}

/** @returns the hash of a new token for the pair */
async function newToken(
  userId: string,
  { of = email, where = tenant, expiresAt = now + 1000 } = {},
): Promise<string> {
  const tokenHash = randomBytes(32).toString('hex');
  const pair = { userId, email: of };
  expect(await store.verification.createToken({ tenant: where, pair, tokenHash, expiresAt })).toBe('created');
  return tokenHash;
}

const redeem = (tokenHash: string, { where = tenant, at = now } = {}) =>
  store.verification.redeemToken({ tenant: where, tokenHash, now: at });

const isVerified = (userId: string, of = email, { appNo } = tenant) =>
  store.verification.isVerified(appNo, { userId, email: of });

const flagOf = async (userId: string) =>
  (await store.users.findUser(tenant.appNo, userId))?.loginMethods[0]?.verified;

describe('a token', () => {
  it('verifies its pair, and says which one', async () => {
    const { userId } = await newUser();
    const token = await newToken(userId);
    expect(await isVerified(userId)).toBe(false);
    expect(await redeem(token)).toEqual({ userId, email });
    expect(await isVerified(userId)).toBe(true);
    expect(await flagOf(userId)).toBe(true);
  });

  it('is good once', async () => {
    const token = await newToken((await newUser()).userId);
    expect(await redeem(token)).toBeDefined();
    expect(await redeem(token)).toBeUndefined();
  });

  it('that was never made is not good', async () => {
    expect(await redeem(randomBytes(32).toString('hex'))).toBeUndefined();
  });

  it('is good until the given time reaches its end', async () => {
    const { userId } = await newUser();
    const token = await newToken(userId, { expiresAt: now });
    expect(await redeem(token, { at: now + 1 })).toBeUndefined();
    expect(await redeem(token, { at: now })).toBeUndefined();
    expect(await isVerified(userId)).toBe(false);
    expect(await redeem(token, { at: now - 1 })).toEqual({ userId, email });
  });

  it('of another tenant is not good, and stays good in its own', async () => {
    const { userId } = await newUser();
    const other = await store.newTenant(tenant);
    const token = await newToken(userId);
    expect(await redeem(token, { where: other })).toBeUndefined();
    expect(await isVerified(userId)).toBe(false);
    expect(await redeem(token)).toEqual({ userId, email });
  });

  it('of another app is not good', async () => {
    const token = await newToken((await newUser()).userId);
    expect(await redeem(token, { where: await store.newApp() })).toBeUndefined();
    expect(await redeem(token)).toBeDefined();
  });

  it('spends every other token of its pair, in every tenant, and no other', async () => {
    const { userId } = await newUser();
    const other = await store.newTenant(tenant);
    const tokens = [await newToken(userId), await newToken(userId), await newToken(userId)];
    const elsewhere = await newToken(userId, { where: other });
    const ofFormerEmail = await newToken(userId, { of: 'former@b.test' });
    const ofOtherUser = await newToken('somebody else');
    expect(await redeem(tokens[1] ?? '')).toEqual({ userId, email });
    expect(await redeem(tokens[0] ?? '')).toBeUndefined();
    expect(await redeem(tokens[2] ?? '')).toBeUndefined();
    expect(await redeem(elsewhere, { where: other })).toBeUndefined();
    expect(await redeem(ofFormerEmail)).toEqual({ userId, email: 'former@b.test' });
    expect(await redeem(ofOtherUser)).toEqual({ userId: 'somebody else', email });
  });

  it('is not made for a pair that is verified already', async () => {
    const { userId } = await newUser('ext');
    await redeem(await newToken(userId));
    for (const id of [userId, 'ext']) {
      const token = { tenant, pair: { userId: id, email }, tokenHash: '00', expiresAt: now + 1000 };
      expect(await store.verification.createToken(token)).toBe('already-verified');
    }
    expect(await redeem('00')).toBeUndefined();
  });

  it('can be made for many pairs of one batch, verified or not', async () => {
    const users = Array.from({ length: 100 }, (_, i) => passwordUser(tenant, `user${i}@b.test`));
    await Promise.all(users.map((user) => store.users.putPasswordUser(user)));
    const verified = users.filter((_, i) => i % 3 === 0);
    await Promise.all(verified.map((user) => store.verification.setVerified(tenant.appNo, user, true)));
    const outcomes = await Promise.all(
      users.map((pair) =>
        store.verification.createToken({
          tenant,
          pair,
          tokenHash: randomBytes(32).toString('hex'),
          expiresAt: now + 1000,
        }),
      ),
    );
    expect(outcomes).toEqual(users.map((user) => (verified.includes(user) ? 'already-verified' : 'created')));
  });
});

describe('redeemed many times at the same instant', () => {
  it.each([1, 2])('one token has one winner among 50, over %i cores', async (count) => {
    const { userId } = await newUser();
    const token = await newToken(userId);
    const cores = Array.from({ length: count }, () => store.anotherCore());
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        inTurn(cores, i).verification.redeemToken({ tenant, tokenHash: token, now }),
      ),
    );
    expect(results.filter((result) => result !== undefined)).toEqual([{ userId, email }]);
    expect(await isVerified(userId)).toBe(true);
  });

  it('two tokens of one pair in one batch have one winner, the first, and the other is spent', async () => {
    const { userId } = await newUser();
    const tokens = [await newToken(userId), await newToken(userId)] as const;
    const sizes: number[] = [];
    const core = store.anotherCore({
      observe: (name, size) => {
        if (name === 'redeem-verification-token') sizes.push(size);
      },
    });
    const results = await Promise.all(
      tokens.map((tokenHash) => core.verification.redeemToken({ tenant, tokenHash, now })),
    );
    expect(sizes).toEqual([2]);
    expect(results).toEqual([{ userId, email }, undefined]);
    expect(await Promise.all(tokens.map((token) => redeem(token)))).toEqual([undefined, undefined]);
  });

  it('tokens of many pairs in one batch verify each its own', async () => {
    const pairs = Array.from({ length: 200 }, (_, i) => ({
      userId: `id ${i % 70}`,
      email: `user${i}@b.test`,
    }));
    const tokens = await Promise.all(pairs.map((pair) => newToken(pair.userId, { of: pair.email })));
    expect(await Promise.all(tokens.map((token) => redeem(token)))).toEqual(pairs);
    const verified = await Promise.all(pairs.map((pair) => isVerified(pair.userId, pair.email)));
    expect(verified).toEqual(pairs.map(() => true));
    expect(await isVerified('id 0', 'user1@b.test')).toBe(false);
  });
});

describe('a pair', () => {
  it('need not be a user', async () => {
    expect(await redeem(await newToken('auth0|42'))).toEqual({ userId: 'auth0|42', email });
    expect(await isVerified('auth0|42')).toBe(true);
    expect(await isVerified('auth0|42', 'other@b.test')).toBe(false);
    expect(await isVerified('auth0|43')).toBe(false);
  });

  it('with an unknown core id stands for itself', async () => {
    const { userId } = passwordUser(tenant, email);
    expect(await redeem(await newToken(userId))).toEqual({ userId, email });
    expect(await isVerified(userId)).toBe(true);
  });

  it('is verified in every tenant of its app, and in no other app', async () => {
    const other = await store.newTenant(tenant);
    const user = passwordUser(other, email);
    await store.users.putPasswordUser(user);
    await redeem(await newToken(user.userId, { where: other }), { where: other });
    expect(await isVerified(user.userId)).toBe(true);
    expect(await isVerified(user.userId, email, await store.newApp())).toBe(false);
    const again = { tenant, pair: user, tokenHash: '00', expiresAt: now + 1 };
    expect(await store.verification.createToken(again)).toBe('already-verified');
  });

  it('means the same by the core id and by the external one, and answers with the external one', async () => {
    const { userId } = await newUser('ext');
    for (const id of [userId, 'ext']) {
      expect(await redeem(await newToken(id))).toEqual({ userId: 'ext', email });
      expect([await isVerified(userId), await isVerified('ext'), await flagOf(id)]).toEqual([
        true,
        true,
        true,
      ]);
      await store.verification.setVerified(tenant.appNo, { userId: id, email }, false);
      expect([await isVerified(userId), await isVerified('ext'), await flagOf(id)]).toEqual([
        false,
        false,
        false,
      ]);
    }
  });

  it('of a mapped user with another email means the same by both ids, too', async () => {
    const { userId } = await newUser('ext');
    const of = 'former@b.test';
    expect(await redeem(await newToken(userId, { of }))).toEqual({ userId: 'ext', email: of });
    expect([await isVerified(userId, of), await isVerified('ext', of)]).toEqual([true, true]);
    expect([await isVerified(userId), await flagOf(userId)]).toEqual([false, false]);
    await store.verification.setVerified(tenant.appNo, { userId, email: of }, false);
    expect([await isVerified(userId, of), await isVerified('ext', of)]).toEqual([false, false]);
  });

  it('spends tokens made by either id', async () => {
    const { userId } = await newUser('ext');
    const tokens = [await newToken(userId), await newToken('ext')] as const;
    expect(await redeem(tokens[1])).toEqual({ userId: 'ext', email });
    expect(await redeem(tokens[0])).toBeUndefined();
  });

  it('says nothing of another user, nor of another user’s email', async () => {
    const first = await newUser('ext');
    const second = passwordUser(tenant, 'second@b.test');
    await store.users.putPasswordUser(second);
    await store.verification.setVerified(tenant.appNo, { userId: first.userId, email }, true);
    expect(await isVerified(second.userId)).toBe(false);
    expect(await isVerified(first.userId, 'second@b.test')).toBe(false);
  });
});

describe('a user whose email changes', () => {
  it('is unverified until the new one is verified, and changing back restores', async () => {
    const { userId } = await newUser('ext');
    const change = (to: string) => store.users.changeUser({ appNo: tenant.appNo, userId, email: to });
    await redeem(await newToken('ext'));
    expect(await change('new@b.test')).toBe('changed');
    expect([await isVerified('ext', 'new@b.test'), await flagOf('ext')]).toEqual([false, false]);
    expect(await isVerified('ext', email)).toBe(true);
    expect(await change(email)).toBe('changed');
    expect([await isVerified('ext'), await flagOf('ext')]).toEqual([true, true]);
  });

  it('has the new email verified when it was verified before it was theirs', async () => {
    const { userId } = await newUser();
    await redeem(await newToken(userId, { of: 'new@b.test' }));
    await store.users.changeUser({ appNo: tenant.appNo, userId, email: 'new@b.test' });
    expect(await flagOf(userId)).toBe(true);
  });

  it('redeems a token of the former email without verifying the present one', async () => {
    const { userId } = await newUser();
    const token = await newToken(userId);
    await store.users.changeUser({ appNo: tenant.appNo, userId, email: 'new@b.test' });
    expect(await redeem(token)).toEqual({ userId, email });
    expect([await isVerified(userId, 'new@b.test'), await isVerified(userId)]).toEqual([false, true]);
    await store.users.changeUser({ appNo: tenant.appNo, userId, email });
    expect(await flagOf(userId)).toBe(true);
  });

  it('stays unverified after changing back, when the former email was unverified meanwhile', async () => {
    const { userId } = await newUser();
    await redeem(await newToken(userId));
    await store.users.changeUser({ appNo: tenant.appNo, userId, email: 'new@b.test' });
    await store.verification.setVerified(tenant.appNo, { userId, email }, false);
    await store.users.changeUser({ appNo: tenant.appNo, userId, email });
    expect([await flagOf(userId), await isVerified(userId)]).toEqual([false, false]);
  });

  it('is not verified again by an email that was unverified after changing back', async () => {
    const { userId } = await newUser();
    await redeem(await newToken(userId));
    const change = (to: string) => store.users.changeUser({ appNo: tenant.appNo, userId, email: to });
    await change('new@b.test');
    await change(email);
    await store.verification.setVerified(tenant.appNo, { userId, email }, false);
    await change('new@b.test');
    await change(email);
    expect([await flagOf(userId), await isVerified(userId)]).toEqual([false, false]);
  });
});

describe('setting by hand', () => {
  it('verifies and unverifies users and strangers, as often as one likes', async () => {
    const { userId } = await newUser();
    for (const id of [userId, 'a stranger']) {
      for (const verified of [true, true, false, false, true]) {
        await store.verification.setVerified(tenant.appNo, { userId: id, email }, verified);
        expect(await isVerified(id)).toBe(verified);
      }
    }
    expect(await flagOf(userId)).toBe(true);
  });

  it('of one pair leaves the other emails of the same id alone', async () => {
    const { userId } = await newUser();
    for (const of of [email, 'former@b.test']) {
      await store.verification.setVerified(tenant.appNo, { userId, email: of }, true);
    }
    await store.verification.setVerified(tenant.appNo, { userId, email }, false);
    expect([await isVerified(userId), await isVerified(userId, 'former@b.test')]).toEqual([false, true]);
  });
});

describe('removing tokens', () => {
  it.each(['by the core id', 'by the external id'])(
    'spends every one of the pair in the tenant, %s',
    async (by) => {
      const { userId } = await newUser('ext');
      const other = await store.newTenant(tenant);
      const tokens = [await newToken(userId), await newToken('ext')] as const;
      const elsewhere = await newToken('ext', { where: other });
      const ofFormerEmail = await newToken('ext', { of: 'former@b.test' });
      await store.verification.removeTokens(tenant, { userId: by.includes('core') ? userId : 'ext', email });
      expect([await redeem(tokens[0]), await redeem(tokens[1])]).toEqual([undefined, undefined]);
      expect(await redeem(ofFormerEmail)).toEqual({ userId: 'ext', email: 'former@b.test' });
      expect(await redeem(elsewhere, { where: other })).toEqual({ userId: 'ext', email });
    },
  );

  it('works for an unknown user, and without one', async () => {
    const token = await newToken('a stranger');
    await store.verification.removeTokens(tenant, { userId: 'nobody', email });
    await store.verification.removeTokens(tenant, { userId: 'a stranger', email });
    expect(await redeem(token)).toBeUndefined();
  });
});

describe('a user who is removed', () => {
  it('takes verified pairs and tokens along, under both ids', async () => {
    const { userId } = await newUser('ext');
    await store.verification.setVerified(tenant.appNo, { userId, email }, true);
    await store.verification.setVerified(tenant.appNo, { userId, email: 'former@b.test' }, true);
    const token = await newToken('ext', { of: 'third@b.test' });
    await store.users.removeUser(tenant.appNo, 'ext', true);
    const left = [
      await isVerified('ext'),
      await isVerified('ext', 'former@b.test'),
      await isVerified(userId),
    ];
    expect(left).toEqual([false, false, false]);
    expect(await redeem(token)).toBeUndefined();
  });
});
