/** Plain-text passwords that arrive through the queue: no part of them may reach the database's files. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { newApp, newEmail, refusalOf, signIn } from '../helpers/people.ts';

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({ settings: { ALLOW_PLAIN_TEXT_IMPORT: 'true' } });
});
afterAll(() => core.stop());

/** Names of the cluster's files with the text, including its log (pg_wal). */
async function filesWith(text: string): Promise<string[]> {
  const [row] = await withSql(
    core.database.connection,
    (sql) => sql<{ data_directory: string }[]>`show data_directory`,
  );
  // Files appear and disappear during the search: grep's errors about those are ignored.
  const grep = promisify(execFile)('grep', ['-rlaF', text, row?.data_directory ?? '']);
  const { stdout } = await grep.catch((error: unknown) => error as { stdout: string });
  return stdout.split('\n').filter((name) => name !== '');
}

const plain = (email: string, plainTextPassword: string) => ({
  loginMethods: [{ recipeId: 'emailpassword', email, plainTextPassword }],
});

async function untilImported(app: string): Promise<void> {
  while ((await core.get(`${app}/bulk-import/users/count`)).body.count !== 0);
}

test('a plain-text password is hashed before its record is stored', async () => {
  const [app, email, password] = [await newApp(core), newEmail(), `secret ${randomUUID()}`];
  expect(await core.post(`${app}/bulk-import/users`, { users: [plain(email, password)] })).toMatchObject({
    http: 200,
    body: { status: 'OK' },
  });
  await untilImported(app);
  expect(await signIn(core, email, password, app)).toBe('OK');
  expect(await filesWith(email)).not.toEqual([]);
  expect(await filesWith(password)).toEqual([]);
});

test('a record that fails later was stored without it, too', async () => {
  const [app, email, password] = [await newApp(core), newEmail(), `secret ${randomUUID()}`];
  const holder = { ...plain(email, 'holder'), externalUserId: 'holder' };
  await core.post(`${app}/bulk-import/import`, holder);
  await core.post(`${app}/bulk-import/users`, {
    users: [{ ...plain(email, password), externalUserId: 'thief' }],
  });
  const failed = async () =>
    (await core.get(`${app}/bulk-import/users/count`, { status: 'FAILED' })).body.count;
  while ((await failed()) !== 1);
  expect(await filesWith(password)).toEqual([]);
});

test('too many plain-text passwords in one request are refused with the cure', async () => {
  const app = await newApp(core);
  const users = Array.from({ length: 1001 }, (_, n) => plain(`many-${n}@b.test`, 'secret'));
  expect(refusalOf(await core.post(`${app}/bulk-import/users`, { users }))).toEqual([
    400,
    'INVALID_FIELD',
    expect.stringMatching(/at most 1000 plainTextPassword .*send fewer users at a time/),
  ]);
  expect((await core.get(`${app}/bulk-import/users/count`)).body.count).toBe(0);
});
