import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import type { NewPasswordUser } from '../../src/operations/ports/ports.ts';
import { link, openTestStore, passwordUser } from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

const now = Date.UTC(2026, 5, 1);
const email = 'a@b.test';

let store: TestStore;
let tenant: Tenant;
let user: NewPasswordUser;

beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  tenant = await store.newApp();
  user = passwordUser(tenant, email);
  await store.users.putPasswordUser(user);
});
afterAll(() => store.dispose());

async function newToken(userId = user.userId): Promise<string> {
  const tokenHash = randomBytes(32).toString('hex');
  const token = { tenant, pair: { userId, email }, tokenHash, expiresAt: now + 1000 };
  expect(await store.resets.createToken(token)).toBe(true);
  return tokenHash;
}

const consume = (tokenHash: string, where = tenant, at = now) =>
  store.resets.consumeToken({ tenant: where, tokenHash, now: at });

describe('a password reset token', () => {
  it('is consumed once, and takes the other ones of its user along', async () => {
    const tokens = [await newToken(), await newToken()] as const;
    expect(await consume(tokens[0])).toEqual({ userId: user.userId, email });
    expect(await consume(tokens[0])).toBeUndefined();
    expect(await consume(tokens[1])).toBeUndefined();
  });

  it('is not made for a user who does not exist', async () => {
    const token = { tenant, pair: { userId: 'nobody', email }, tokenHash: '00', expiresAt: now + 1 };
    expect(await store.resets.createToken(token)).toBe(false);
    expect(await consume('00')).toBeUndefined();
  });

  it('is good until its end, in its tenant only', async () => {
    const token = await newToken();
    expect(await consume(token, await store.newTenant(tenant))).toBeUndefined();
    expect(await consume(token, await store.newApp())).toBeUndefined();
    expect(await consume(token, tenant, now + 1000)).toBeUndefined();
    expect(await consume(token, tenant, now + 999)).toEqual({ userId: user.userId, email });
  });

  it('has one winner among 50 at the same instant', async () => {
    const token = await newToken();
    const results = await Promise.all(Array.from({ length: 50 }, () => consume(token)));
    expect(results.filter((result) => result !== undefined)).toEqual([{ userId: user.userId, email }]);
  });

  it('goes with the mapping of its user and comes back', async () => {
    const [before, kept] = [await newToken(), await newToken()];
    const mapping = { superTokensUserId: user.userId, externalUserId: 'ext' };
    await store.mappings.map(tenant.appNo, mapping);
    expect(await consume(before)).toEqual({ userId: 'ext', email });
    expect(await consume(kept)).toBeUndefined();
    const byExternalId = await newToken('ext');
    await store.mappings.unmap(tenant.appNo, 'ext', 'ANY');
    expect(await consume(byExternalId)).toEqual({ userId: user.userId, email });
  });

  it('is no verification token, nor the other way round', async () => {
    const reset = await newToken();
    expect(await store.verification.redeemToken({ tenant, tokenHash: reset, now })).toBeUndefined();
    const verification = randomBytes(32).toString('hex');
    const pair = { userId: user.userId, email };
    await store.verification.createToken({ tenant, pair, tokenHash: verification, expiresAt: now + 1 });
    expect(await consume(verification)).toBeUndefined();
    expect(await consume(reset)).toBeDefined();
    expect(await store.verification.redeemToken({ tenant, tokenHash: verification, now })).toEqual(pair);
  });

  it('goes with its user', async () => {
    const token = await newToken();
    await store.users.removeUser(tenant.appNo, user.userId, true);
    expect(await consume(token)).toBeUndefined();
  });
});

describe('the password reset tokens of a user', () => {
  const change = (what: { email?: string; passwordHash?: string }) =>
    store.users.changeUser({ appNo: tenant.appNo, userId: user.userId, ...what });
  const again = (passwordHash: string) =>
    store.users.putPasswordUser(passwordUser(tenant, email, { passwordHash }));
  const ends: Record<string, () => Promise<unknown>> = {
    'the password changes': () => change({ passwordHash: 'new' }),
    'the email changes': () => change({ email: 'new@b.test' }),
    'an imported hash replaces theirs': () => again('new'),
  };
  const stays: Record<string, () => Promise<unknown>> = {
    'the email is changed to itself': () => change({ email }),
    'the hash is imported that they have': () => again(user.passwordHash),
    'a sign-up finds the email taken': () =>
      store.users.putPasswordUser({ ...passwordUser(tenant, email), passwordHash: 'new', replace: false }),
    'a sign-in upgrades the hash': () =>
      store.users.upgradeHash({
        appNo: tenant.appNo,
        userId: user.userId,
        from: user.passwordHash,
        to: 'better',
        at: now,
      }),
  };

  it.each(Object.keys(ends))('end when %s, and no other user’s do', async (what) => {
    const other = passwordUser(tenant, 'other@b.test');
    await store.users.putPasswordUser(other);
    const [own, second, others] = [await newToken(), await newToken(), await newToken(other.userId)];
    await ends[what]?.();
    expect([await consume(own), await consume(second)]).toEqual([undefined, undefined]);
    expect(await consume(others)).toEqual({ userId: other.userId, email });
  });

  it.each(Object.keys(ends))('end when %s, under every id of a linked user', async (what) => {
    const head = passwordUser(tenant, 'head@b.test');
    await store.users.putPasswordUser(head);
    await link(store.sql, tenant, [head.userId, user.userId]);
    await store.mappings.map(tenant.appNo, { superTokensUserId: head.userId, externalUserId: 'ext' });
    const tokens = [await newToken('ext'), await newToken()];
    await ends[what]?.();
    expect(await Promise.all(tokens.map((token) => consume(token)))).toEqual([undefined, undefined]);
  });

  it.each(Object.keys(stays))('stay when %s', async (what) => {
    const token = await newToken();
    await stays[what]?.();
    expect(await consume(token)).toEqual({ userId: user.userId, email });
  });

  it('of the same id in another app stay', async () => {
    const elsewhere = await store.newApp();
    await store.mappings.map(tenant.appNo, { superTokensUserId: user.userId, externalUserId: 'ext' });
    const stranger = passwordUser(elsewhere, email);
    await store.users.putPasswordUser(stranger);
    await store.mappings.map(elsewhere.appNo, { superTokensUserId: stranger.userId, externalUserId: 'ext' });
    const token = { tenant: elsewhere, pair: { userId: 'ext', email }, tokenHash: 'ab', expiresAt: now + 1 };
    await store.resets.createToken(token);
    await again('new');
    expect(await consume('ab', elsewhere)).toEqual({ userId: 'ext', email });
  });
});
