/** A sign-in is noted before it is answered: the undo of an import does not touch users who have signed in since. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewThirdPartyUser, SignInMark } from '../../src/operations/ports/ports.ts';
import { Sealer } from '../../src/process/sealer.ts';
import { createOperations, operationsContext, type Operations } from '../../src/operations/operations.ts';
import { createPasswordPool, type PasswordPool } from '../../src/threads/password-pool.ts';
import { UserIds } from '../../src/domain/ids.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { link, openTestStore, type TestStore, thirdPartyUser } from '../helpers/store.ts';

const start = 1_700_000_000_000;
const email = 'ada@b.test';

let store: TestStore;
let pool: PasswordPool;
let tenant: Tenant;
let now: number;
let lost: unknown[];
let operations: Operations;

beforeAll(async () => {
  store = await openTestStore();
  pool = createPasswordPool({
    threads: 1,
    memoryBudgetBytes: 64 * 1024 * 1024,
    queueLimit: 10,
    policy: { algorithm: 'BCRYPT', logRounds: 4 },
  });
});
afterAll(async () => {
  await pool.close();
  await store.dispose();
});
beforeEach(async () => {
  tenant = await store.newApp();
  now = start;
  lost = [];
  const ids = new UserIds({ low: 1, high: 2 });
  const context = operationsContext({
    stores: store,
    hasher: pool,
    now: () => now,
    newUserId: (timeJoined, key) => ids.next(timeJoined, key),
    onImport: () => undefined,
    coreConfig: {},
    onLostMark: (error) => void lost.push(error),
    sealer: new Sealer([Buffer.alloc(32, 7)]),
    hashReports: {
      policy: { algorithm: 'BCRYPT', logRounds: 4 },
      tally: () => Promise.reject(new Error('nobody counts here')),
      closing: new AbortController().signal,
    },
  });
  operations = createOperations({ ...context, beforeReseal: () => Promise.resolve() });
});

async function importPassword(): Promise<string> {
  const { user } = await operations.passwords.importHash(tenant, { email, passwordHash: knownHash });
  return user.id;
}

const signIn = (password = knownPassword) => operations.passwords.signIn(tenant, { email, password });
const signInUp = ({ thirdPartyId, thirdPartyUserId, email: id }: NewThirdPartyUser) =>
  operations.thirdParty.signInUp(tenant, { thirdPartyId, thirdPartyUserId, email: { id } });

async function marks(): Promise<Pick<SignInMark, 'userId' | 'at'>[]> {
  return store.sql(
    'select user_id as "userId", last_at as at from sign_ins where app_no = $1 and last_at > 0 order by 1',
    [tenant.appNo],
  );
}

test('a right password is noted, and noted again a millisecond later', async () => {
  const userId = await importPassword();
  expect(await marks()).toEqual([]);
  for (const at of [start, start + 1]) {
    now = at;
    expect((await signIn()).status).toBe('OK');
    expect(await marks()).toEqual([{ userId, at }]);
  }
});

test('a wrong one is not', async () => {
  await importPassword();
  expect((await signIn('wrong')).status).toBe('WRONG_CREDENTIALS_ERROR');
  expect(await marks()).toEqual([]);
});

test('a known social user is noted, a new one is not', async () => {
  const user = thirdPartyUser(tenant, 'g1');
  const first = await signInUp(user);
  expect(await marks()).toEqual([]);
  now = start + 7;
  expect(await signInUp(user)).toMatchObject({ status: 'OK', createdNewUser: false });
  expect(await marks()).toEqual([{ userId: 'user' in first ? first.user.id : '', at: start + 7 }]);
});

test('it is the login method that is noted, under the core’s own id', async () => {
  const [head, social] = [await importPassword(), thirdPartyUser(tenant, 'g1')];
  await store.users.putThirdPartyUser(social);
  await link(store.sql, tenant, [head, social.userId]);
  await store.mappings.map(tenant.appNo, { superTokensUserId: social.userId, externalUserId: 'ext' });
  expect((await signInUp(social)).status).toBe('OK');
  expect(await marks()).toEqual([{ userId: social.userId, at: start }]);
});

test('a social user whose new email is refused has not signed in', async () => {
  const [head, rival] = [await importPassword(), thirdPartyUser(tenant, 'rival')];
  await store.users.putThirdPartyUser(rival);
  await link(store.sql, tenant, [head]);
  await link(store.sql, tenant, [rival.userId]);
  const refused = await signInUp({ ...rival, email });
  expect(refused.status).toBe('EMAIL_CHANGE_NOT_ALLOWED_ERROR');
  expect(await marks()).toEqual([]);
});

test('a right password signs in although that cannot be noted, and the loss is reported', async () => {
  await importPassword();
  const social = thirdPartyUser(tenant, 'g1');
  await store.users.putThirdPartyUser(social);
  await store.sql('alter table sign_ins rename to elsewhere');
  try {
    expect((await signIn()).status).toBe('OK');
    expect((await signInUp(social)).status).toBe('OK');
    expect(lost).toMatchObject([{ code: '42P01' }, { code: '42P01' }]);
  } finally {
    await store.sql('alter table elsewhere rename to sign_ins');
  }
  expect((await signIn()).status).toBe('OK');
  expect(lost).toHaveLength(2);
});
