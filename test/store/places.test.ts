/** A store over two databases, with apps in either by their number. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { byApp, type Place } from '../../src/store/places/places.ts';
import { createStore, type Store } from '../../src/store/store.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { defaultSettings, passwordUser } from '../helpers/store.ts';

const made: TestDatabase[] = [];
const databases: Database[] = [];
const batches: string[] = [];
const places: Place[] = [];
let store: Store;
let tenants: [Tenant, Tenant];

/** With the same apps and tenants, without the names of the first. */
async function openPlace(name: string): Promise<Place> {
  const database = await createMigratedDatabase();
  const live = openDatabase({ target: database.connection, poolSize: 2 });
  const imports = openDatabase({ target: database.connection, poolSize: 1, planned: 'once' });
  made.push(database);
  databases.push(live, imports);
  await migrate(live);
  await live.write(`insert into apps (app_no, app_id) values (1, 'odd')`);
  await live.write(`insert into tenants (app_no, tenant_no, tenant_id) values (1, 0, 'public')`);
  return { name, live, imports };
}

beforeAll(async () => {
  const [first, second] = [await openPlace('first'), await openPlace('second')];
  places.push(first, second);
  store = createStore(
    { all: [first, second], placeOf: (appNo) => appNo % 2 },
    { defaults: defaultSettings, isTestMode: false },
    {
      importLanes: 1,
      importLaneAt: 1,
      liveLanes: 1,
      maxBatch: 1000,
      maxBacklog: 1000,
      observe: (name, size) => void batches.push(`${name} ${size}`),
    },
  );
  const found = await Promise.all(
    ['public', 'odd'].map(async (appId) => store.tenants.find(appId, 'public')),
  );
  tenants = found as [Tenant, Tenant];
  expect(tenants.map(({ appNo }) => appNo)).toEqual([0, 1]);
});
afterAll(async () => {
  await store.drain();
  await Promise.all(databases.map((database) => database.close(1000)));
  await Promise.all(made.map((database) => database.drop()));
});

/** Rows of each place by their app. */
const rowsOf = (table: string) =>
  Promise.all(
    places.map(async ({ live }) =>
      live.read(`select app_no, count(*)::int as n from ${table} group by 1 order by 1`),
    ),
  );

it('writes what belongs to an app into the place of the app, each place in batches of its own', async () => {
  const [even, odd] = tenants;
  const users = Array.from({ length: 20 }, (_, n) =>
    passwordUser(n % 2 === 0 ? even : odd, `user-${n}@b.test`),
  );
  const outcomes = await Promise.all(users.map((user) => store.users.putPasswordUser(user)));
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
  for (const table of ['users', 'identities'])
    expect(await rowsOf(table)).toEqual([[{ app_no: 0, n: 10 }], [{ app_no: 1, n: 10 }]]);
  const sizes = batches.map((batch) => Number(batch.split(' ')[1]));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20);
});

it('reads and changes it there, in a batch or alone', async () => {
  for (const [n, tenant] of tenants.entries()) {
    const { appNo } = tenant;
    const user = passwordUser(tenant, `changing-${n}@b.test`);
    const pair = { userId: user.userId, email: user.email };
    await store.users.putPasswordUser(user);
    expect(await store.users.findUser(appNo, user.userId)).toMatchObject({ emails: [user.email] });
    expect(await store.users.findUser(1 - appNo, user.userId)).toBeUndefined();
    expect(await store.users.findCredential(tenant, user.email)).toMatchObject({
      credential: { userId: user.userId },
    });
    await store.verification.setVerified(appNo, pair, true);
    expect(await store.verification.isVerified(appNo, pair)).toBe(true);
    const mapping = { superTokensUserId: user.userId, externalUserId: 'theirs' };
    expect(await store.mappings.map(appNo, mapping)).toMatchObject({ outcome: 'mapped' });
    expect(await store.mappings.find(appNo, 'theirs', 'EXTERNAL')).toMatchObject(mapping);
    expect(await store.users.countUsers(tenant, [], true)).toBe(11);
  }
});

it('counts how many wait for a statement in all places together', () => {
  const names = store.backlogs().map(({ name }) => name);
  expect(names).toContain('put-password-user');
  expect(new Set(names).size).toBe(names.length);
});

it('refuses an app in an unknown place', () => {
  const found = byApp({ placeOf: () => 1 }, [{ find: (appNo: number) => appNo }]);
  expect(() => found.find(7)).toThrow('an app is in a place that is not in the list');
});
