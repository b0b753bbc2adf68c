/** Core ids contain the place of their user, in whatever way the user was created. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeOfId, placeOfKey, places } from '../../src/domain/place.ts';
import { readPlaceSecret } from '../../src/store/places/joining.ts';
import { uploadClient } from '../helpers/bulk-client.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, knownHash, newApp, signInUp } from '../helpers/people.ts';

const emails = Array.from({ length: 40 }, (_, n) => `person-${n}@example.com`);
let core: TestCore;
let beside: TestCore;
let elsewhere: TestCore;
/** Not made from the template of the others, whose secret it would share. */
let apart: TestDatabase;
beforeAll(async () => {
  core = await startTestCore();
  apart = await createDatabase();
  [beside, elsewhere] = await Promise.all([
    startTestCore({ database: core.database }),
    startTestCore({ database: apart }),
  ]);
});
afterAll(async () => {
  await beside.stop();
  await Promise.all([core.stop(), elsewhere.stop()]);
  await apart.drop();
});

interface Method {
  readonly id: string;
  /** The first key of the user's head. */
  readonly key: string;
}

async function methodsOf(app: string): Promise<{ methods: Method[]; placed: number[] }> {
  return withSql(core.database.connection, async (sql) => {
    const methods = await sql<Method[]>`
      select u.user_id as id, (
        select i.key from carryover.identities i
        where i.app_no = u.app_no and i.user_id = coalesce(u.primary_user_id, u.user_id)
        order by i.kind limit 1
      ) as key
      from carryover.users u join carryover.apps a using (app_no)
      where a.app_id = ${app.replace('/appid-', '')} order by 1`;
    await sql`set search_path to carryover`;
    const secret = await readPlaceSecret((text) => sql.unsafe(text) as never);
    const keys = methods.map(({ key }) => Buffer.from(key.replaceAll('-', ''), 'hex'));
    return { methods, placed: keys.map((key) => placeOfKey(secret, key, 0)) };
  });
}

/** @returns the number of login methods, each of which is in the place of its head's first identity */
async function placed(app: string): Promise<number> {
  const { methods, placed: wanted } = await methodsOf(app);
  expect(methods.map(({ id }) => placeOfId(id))).toEqual(wanted);
  return methods.length;
}

async function upload(app: string, records: readonly object[]): Promise<void> {
  const file = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const client = uploadClient(core.port, testApiKey);
  await client.resume(await client.create(app, file.length), file);
}

const own = (email: string, more: object = {}) => ({
  recipeId: 'emailpassword',
  email,
  passwordHash: knownHash,
  ...more,
});
const social = (n: string, email: string) => ({
  recipeId: 'thirdparty',
  thirdPartyId: 'google',
  thirdPartyUserId: n,
  email,
});
const phone = (n: number) => ({ recipeId: 'passwordless', phoneNumber: `+4930123456${n}` });

test('of users who sign up, sign in by a provider, or are imported individually', async () => {
  const app = await newApp(core);
  await core.post(`${app}/recipe/signup`, { email: 'up@example.com', password: 'correct horse' });
  await signInUp(core, 'g-1', { id: 'social@example.com' }, app);
  await importUser(core, 'hash@example.com', app);
  await core.post(`${app}/bulk-import/import`, { loginMethods: [own('whole@example.com')] });
  expect(await placed(app)).toBe(4);
});

test('who comes by a file, all new or in part, and by the queue', async () => {
  const app = await newApp(core);
  const records = emails.map((email) => ({ loginMethods: [own(email)] }));
  await upload(app, records.slice(0, 20));
  expect(await placed(app)).toBe(20);
  await upload(app, records.slice(10));
  expect(await placed(app)).toBe(40);
  await core.post(`${app}/bulk-import/users`, { users: [{ loginMethods: [own('queued@example.com')] }] });
  await expect.poll(() => placed(app)).toBe(41);
});

test('all login methods of a linked user are in the place of its head, also those that come later', async () => {
  const app = await newApp(core);
  const linked = (n: number, ...more: object[]) => ({
    externalUserId: `theirs-${n}`,
    loginMethods: [
      own(`linked-${n}@example.com`, { isPrimary: true }),
      social(`g-${n}`, `other-${n}@example.com`),
      ...more,
    ],
  });
  await upload(app, [linked(1), linked(2), linked(3, phone(3))]);
  expect(await placed(app)).toBe(7);
  await upload(app, [linked(1, phone(1)), linked(2, phone(2)), linked(3, phone(3))]);
  expect(await placed(app)).toBe(9);
  const byHead = Map.groupBy((await methodsOf(app)).methods, ({ key }) => key);
  expect([...byHead.values()].map((methods) => new Set(methods.map(({ id }) => placeOfId(id))).size)).toEqual(
    [1, 1, 1],
  );
});

test('one email is in one place on all cores of a database, and in others elsewhere', async () => {
  const placesOn = async (where: TestCore): Promise<number[]> => {
    const app = await newApp(where);
    const users = await Promise.all(emails.map((email) => importUser(where, email, app)));
    return users.map(({ id }) => placeOfId(id));
  };
  const [here, besides, there] = [await placesOn(core), await placesOn(beside), await placesOn(elsewhere)];
  expect(besides).toEqual(here);
  const same = there.filter((place, n) => place === here[n]).length;
  expect(same).toBeLessThan(5); // each by a chance of one in 1,024
  expect(new Set(here).size).toBeGreaterThan(30);
  expect(Math.max(...here)).toBeLessThan(places);
});
