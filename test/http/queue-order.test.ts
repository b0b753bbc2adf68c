/** The import queue of two cores over one database: the last sent record counts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { bcryptHash } from '../helpers/imports.ts';
import { newApp } from '../helpers/people.ts';

let core: TestCore;
let second: TestCore;
beforeAll(async () => {
  core = await startTestCore();
  // Its clock is behind: neither the order of entries nor the lease may depend on it.
  second = await startTestCore({
    database: core.database,
    overrides: { now: () => Date.now() - 90_000 },
  });
});
afterAll(async () => {
  await second.stop();
  await core.stop();
});

const rounds = 4;
const usersAtOnce = 250;
const [oldHash, newHash] = [bcryptHash(1), bcryptHash(2)];

const usersOf = (round: number, passwordHash: string) =>
  Array.from({ length: usersAtOnce }, (_, n) => ({
    externalUserId: `user-${round}-${n}`,
    loginMethods: [{ recipeId: 'emailpassword', email: `user-${round}-${n}@b.test`, passwordHash }],
  }));

test('the later of two records wins, of 1,000 pairs that were sent to one core and then the other', async () => {
  const app = await newApp(core);
  const add = async (to: TestCore, users: readonly object[]) => {
    expect(await to.post(`${app}/bulk-import/users`, { users })).toMatchObject({ http: 200 });
  };
  for (let round = 0; round < rounds; round++) {
    await add(core, usersOf(round, oldHash));
    await add(second, usersOf(round, newHash));
  }
  const waiting = async () => (await core.get(`${app}/bulk-import/users/count`)).body.count;
  while ((await waiting()) !== 0);
  const hashes = await withSql(
    core.database.connection,
    (sql) => sql`select password_hash, count(*)::int as users from carryover.users group by 1`,
  );
  expect([...hashes]).toEqual([{ password_hash: newHash, users: rounds * usersAtOnce }]);
});
