/** The queue of hashes that are upgraded after a sign-in, with a real store and real threads. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HashPolicy, Tenant } from '../../src/domain/model.ts';
import {
  maxWaiting,
  maxWaitMs,
  type UpgradeOutcome,
  Upgrades,
} from '../../src/operations/sign-in/upgrades.ts';
import { createPasswordPool, type PasswordPool } from '../../src/threads/password-pool.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { openTestStore, passwordUser, type TestStore } from '../helpers/store.ts';

const policy: HashPolicy = { algorithm: 'ARGON2', memoryKb: 64, iterations: 1, parallelism: 1 };
const made = /^\$argon2id\$v=19\$m=64,t=1,p=1\$/;

let store: TestStore;
let pool: PasswordPool;
let tenant: Tenant;
let isIdle: boolean;
let now: number;
let ended: [UpgradeOutcome, unknown][];
let wake: () => void;
let upgrades: Upgrades;

beforeAll(async () => {
  store = await openTestStore();
  pool = createPasswordPool({ threads: 1, memoryBudgetBytes: 2 ** 26, queueLimit: 10, policy });
});
afterAll(async () => {
  await pool.close();
  await store.dispose();
});
beforeEach(async () => {
  tenant = await store.newApp();
  [isIdle, now, ended, wake] = [true, 1000, [], () => undefined];
  upgrades = open();
});
afterEach(() => upgrades.close());

function open(rest: Partial<ConstructorParameters<typeof Upgrades>[0]> = {}): Upgrades {
  return new Upgrades({
    users: store.users,
    hasher: pool,
    policy,
    isIdle: () => isIdle,
    now: () => now,
    onEnd: (outcome, error) => {
      ended.push([outcome, error]);
      wake();
    },
    ...rest,
  });
}

const outcomes = () => ended.map(([outcome]) => outcome);

/** Resolves once this number of offers has ended. */
async function ends(count: number): Promise<void> {
  while (ended.length < count)
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
}

async function user(email: string, passwordHash = knownHash): Promise<string> {
  const one = passwordUser(tenant, email, { passwordHash });
  await store.users.putPasswordUser(one);
  return one.userId;
}

const offer = (userId: string, rest: { passwordHash?: string; password?: string } = {}) => {
  upgrades.offer({ tenant, userId, passwordHash: knownHash, password: knownPassword, ...rest });
};

async function hashOf(userId: string): Promise<string> {
  const [row] = await store.sql<{ hash: string }>(
    'select password_hash as hash from users where app_no = $1 and user_id = $2',
    [tenant.appNo, userId],
  );
  return row?.hash ?? '';
}

describe('an offer', () => {
  it('becomes a hash by the policy, which the password has', async () => {
    const id = await user('a@b.test');
    offer(id);
    await ends(1);
    expect(outcomes()).toEqual(['upgraded']);
    const hash = await hashOf(id);
    expect(hash).toMatch(made);
    const context = { limits: tenant.settings.hashLimits, signerKey: undefined, pepper: undefined };
    expect(await pool.verify(knownPassword, hash, context)).toBe(true);
    expect(await pool.verify('wrong', hash, context)).toBe(false);
  });

  it('of a hash that was replaced meanwhile changes nothing', async () => {
    const id = await user('a@b.test');
    isIdle = false;
    offer(id);
    await user('a@b.test', 'replaced');
    isIdle = true;
    await ends(1);
    expect([outcomes(), await hashOf(id)]).toEqual([['outdated'], 'replaced']);
  });

  it('is one a user, the latest', async () => {
    const [id, other] = [await user('a@b.test'), await user('b@b.test')];
    isIdle = false;
    for (let n = 0; n < 100; n++) offer(id);
    expect(upgrades.waiting).toBe(1);
    const newer = knownHash.replace('$2b$', '$2y$');
    await user('a@b.test', newer);
    offer(id, { passwordHash: newer });
    offer(other);
    expect(upgrades.waiting).toBe(2);
    isIdle = true;
    await ends(2);
    expect(outcomes()).toEqual(['upgraded', 'upgraded']);
    expect([await hashOf(id), await hashOf(other)]).toEqual([
      expect.stringMatching(made),
      expect.stringMatching(made),
    ]);
  });

  it.each([
    ['a hash that is as strong', '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$MDEyMzQ1Njc4OWFiY2RlZg', 'abc'],
    ['a hash that cannot be read', 'broken', 'abc'],
    ['a password beyond 72 bytes of bcrypt', knownHash, 'x'.repeat(73)],
    ['a password of 72 bytes of bcrypt', knownHash, 'x'.repeat(72)],
  ])('is not taken: %s', async (_, passwordHash, password) => {
    const id = await user('a@b.test', passwordHash);
    offer(id, { passwordHash, password });
    expect(upgrades.waiting).toBe(0);
    await upgrades.close();
    expect([outcomes(), await hashOf(id)]).toEqual([[], passwordHash]);
  });

  it('is not taken for a policy of bcrypt that would cut the password', () => {
    upgrades = open({ policy: { algorithm: 'BCRYPT', logRounds: 4 } });
    const passwordHash = '$carryover$md5$0123456789abcdef0123456789abcdef';
    offer('anybody', { passwordHash, password: 'x'.repeat(72) });
    expect(upgrades.waiting).toBe(0);
    isIdle = false;
    offer('anybody', { passwordHash, password: 'x'.repeat(71) });
    expect(upgrades.waiting).toBe(1);
  });

  it('that fails is reported, and the next one is processed', async () => {
    await upgrades.close();
    let calls = 0;
    upgrades = open({
      hasher: {
        hash: (password) => (calls++ === 0 ? Promise.reject(new Error('no thread')) : pool.hash(password)),
      },
    });
    const [id, other] = [await user('a@b.test'), await user('b@b.test')];
    offer(id);
    offer(other);
    await ends(2);
    expect(ended).toEqual([
      ['failed', new Error('no thread')],
      ['upgraded', undefined],
    ]);
    expect(await hashOf(id)).toBe(knownHash);
  });
});

describe('the queue', () => {
  it('waits until the pool is idle, and takes no more than its bound', async () => {
    isIdle = false;
    for (let n = 0; n < maxWaiting + 3; n++) offer(`user-${n}`);
    expect(upgrades.waiting).toBe(maxWaiting);
    expect(outcomes()).toEqual(['dropped', 'dropped', 'dropped']);
    // A waiting entry is not dropped when it is offered again.
    offer('user-0', { passwordHash: knownHash.replace('$2b$', '$2y$') });
    expect([upgrades.waiting, ended.length]).toEqual([maxWaiting, 3]);
    await upgrades.close();
    expect(outcomes()).toEqual(Array(maxWaiting + 3).fill('dropped'));
  });

  it('forgets a password that has waited too long', async () => {
    isIdle = false;
    const id = await user('a@b.test');
    offer(id);
    now += maxWaitMs + 1;
    await ends(1);
    expect([outcomes(), upgrades.waiting, await hashOf(id)]).toEqual([['dropped'], 0, knownHash]);
  });

  it('works off one at a time', async () => {
    await upgrades.close();
    const running = { now: 0, most: 0 };
    upgrades = open({
      hasher: {
        hash: async (password) => {
          running.most = Math.max(running.most, ++running.now);
          const hash = await pool.hash(password);
          running.now -= 1;
          return hash;
        },
      },
    });
    for (let n = 0; n < 5; n++) offer(await user(`u${n}@b.test`));
    await ends(5);
    expect([outcomes(), running.most]).toEqual([Array(5).fill('upgraded'), 1]);
  });

  it('drops what waits when it closes, finishes what is under way, and takes nothing more', async () => {
    await upgrades.close();
    const [started, gate] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    upgrades = open({
      hasher: {
        hash: async (password) => {
          started.resolve(undefined);
          await gate.promise;
          return pool.hash(password);
        },
      },
    });
    const [first, second] = [await user('a@b.test'), await user('b@b.test')];
    offer(first);
    offer(second);
    await started.promise;
    const closing = upgrades.close();
    expect([outcomes(), upgrades.waiting]).toEqual([['dropped'], 0]);
    offer(second);
    gate.resolve(undefined);
    await closing;
    expect(outcomes()).toEqual(['dropped', 'upgraded']);
    expect([await hashOf(first), await hashOf(second)]).toEqual([expect.stringMatching(made), knownHash]);
    await upgrades.close();
  });
});
