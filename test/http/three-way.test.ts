/** A second import of an export, over users who were active here since the first: with real sign-ins. */
import { hashSync } from 'bcrypt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';

let core: TestCore;
let app: string;
let database: Database;

beforeAll(async () => {
  core = await startTestCore({ settings: { ALLOW_PLAIN_TEXT_IMPORT: 'true' } });
  database = openDatabase({ target: core.database.connection, poolSize: 1 });
});
afterAll(async () => {
  await database.close(1000);
  await core.stop();
});
beforeEach(async () => {
  app = await newApp(core);
});

/** Of the password below. */
const otherPassword = 'Another-Passw0rd';

const otherHash = hashSync(otherPassword, 4);

const passwordOf = (email: string, rest: object = {}) => ({
  recipeId: 'emailpassword',
  email,
  passwordHash: knownHash,
  isVerified: true,
  ...rest,
});
const google = {
  recipeId: 'thirdparty',
  thirdPartyId: 'google',
  thirdPartyUserId: 'g-1',
  email: 'ada@gmail.test',
};
const ada = (...loginMethods: object[]) => ({ externalUserId: 'ada', loginMethods });

interface JobView {
  readonly id: string;
  readonly unchanged: number;
  readonly updated: number;
  readonly created: number;
  readonly rejected: number;
  readonly conflicts: number;
}

async function imported(records: readonly object[], query = ''): Promise<JobView> {
  const response = await fetch(`${core.url}${app}/bulk-import/jobs${query}`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  });
  return ((await response.json()) as { job: JobView }).job;
}

const signIn = async (email: string, password: string) =>
  (await core.post(`${app}/recipe/signin`, { email, password })).body.status;
const change = (input: object) => core.put(`${app}/recipe/user`, { recipeUserId: 'ada', ...input });
const conflictsOf = async ({ id }: JobView) =>
  (await core.get(`${app}/bulk-import/jobs/${id}/conflicts`)).text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const user = async () => (await core.get(`${app}/user/id`, { userId: 'ada' })).body.user;

describe('the same export again', () => {
  test('puts no old password back over one that was changed here', async () => {
    const record = ada(passwordOf('ada@example.com'));
    await imported([record]);
    await change({ password: otherPassword });
    expect(await imported([record])).toMatchObject({ unchanged: 1, updated: 0, conflicts: 0 });
    expect(await signIn('ada@example.com', otherPassword)).toBe('OK');
    expect(await signIn('ada@example.com', knownPassword)).toBe('WRONG_CREDENTIALS_ERROR');
  });

  test('finds its user by the email that was changed here, and makes no other', async () => {
    const record = { loginMethods: [passwordOf('ada@example.com')] };
    await imported([record]);
    const { body } = await core.post(`${app}/recipe/signin`, {
      email: 'ada@example.com',
      password: knownPassword,
    });
    const { id } = body.user as { id: string };
    await core.put(`${app}/recipe/user`, { recipeUserId: id, email: 'new@example.com' });
    expect(await imported([record])).toMatchObject({ unchanged: 1, created: 0 });
    expect(await signIn('new@example.com', knownPassword)).toBe('OK');
    expect(await signIn('ada@example.com', knownPassword)).toBe('WRONG_CREDENTIALS_ERROR');
    expect((await core.get(`${app}/users/count`)).body.count).toBe(1);
  });

  test('applies to imported users, also among many that are new', async () => {
    await imported([{ loginMethods: [passwordOf('ada@example.com')] }]);
    const { body } = await core.post(`${app}/recipe/signin`, {
      email: 'ada@example.com',
      password: knownPassword,
    });
    const { id } = body.user as { id: string };
    await core.put(`${app}/recipe/user`, { recipeUserId: id, email: 'new@example.com' });
    const others = Array.from({ length: 20 }, (_, n) => ({
      loginMethods: [passwordOf(`other-${n}@example.com`)],
    }));
    const all = [...others, { loginMethods: [passwordOf('ada@example.com')] }];
    expect(await imported(all)).toMatchObject({ unchanged: 1, created: 20 });
  });
});

describe('an export with another email and another password', () => {
  test('leaves a linked user one password login, the new one', async () => {
    const primary = { isPrimary: true };
    await imported([ada(passwordOf('old@example.com', primary), google)]);
    const passwordHash = otherHash;
    const next = ada(passwordOf('new@example.com', { ...primary, passwordHash }), google);
    expect(await imported([next])).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await signIn('new@example.com', otherPassword)).toBe('OK');
    expect(await signIn('old@example.com', knownPassword)).toBe('WRONG_CREDENTIALS_ERROR');
    const { loginMethods, emails } = (await user()) as { loginMethods: object[]; emails: string[] };
    expect([loginMethods.length, [...emails].sort()]).toEqual([2, ['ada@gmail.test', 'new@example.com']]);
    expect(await imported([next])).toMatchObject({ unchanged: 1 });
  });

  test.each([
    ['update', 'new@example.com', 'Changed-here-1'],
    ['theirs', 'new@example.com', otherPassword],
    ['ours', 'here@example.com', 'Changed-here-1'],
    ['skip', 'here@example.com', 'Changed-here-1'],
    ['reject', 'here@example.com', 'Changed-here-1'],
  ])('meets one that has both of here: %s', async (onConflict, email, password) => {
    await imported([ada(passwordOf('old@example.com'))]);
    await change({ email: 'here@example.com', password: 'Changed-here-1' });
    const next = {
      ...ada(passwordOf('new@example.com', { passwordHash: otherHash })),
      sameIds: true,
    };
    const job = await imported([next], `?onConflict=${onConflict}`);
    expect(await signIn(email, password)).toBe('OK');
    expect(job.conflicts).toBe(2);
    const listed = await conflictsOf(job);
    expect(listed).toMatchObject([
      {
        line: 1,
        externalUserId: 'ada',
        userId: 'ada',
        group: 'email',
        here: 'here@example.com',
        source: 'new@example.com',
      },
      {
        line: 1,
        group: 'password',
        here: expect.stringContaining('changed here at 2') as unknown,
        source: 'changed at the source',
      },
    ]);
    expect(JSON.stringify(listed)).not.toContain('$');
    const again = await imported([next], `?onConflict=${onConflict}`);
    if (['skip', 'reject'].includes(onConflict)) expect(again.conflicts).toBe(2);
    else expect(again).toMatchObject({ unchanged: 1, conflicts: 0 });
  });
});

test('what an undo takes back is stated no more', async () => {
  const record = ada(passwordOf('ada@example.com'));
  const bases = () =>
    database.read<{ base: string | null }>(
      `select encode(u.base, 'hex') as base from users u join apps a using (app_no)
       where a.app_id = $1 and u.external_id = 'ada'`,
      [app.replace('/appid-', '')],
    );
  await imported([record]);
  const before = await bases();
  const passwordHash = otherHash;
  const job = await imported([ada(passwordOf('ada@example.com', { passwordHash }))]);
  expect(await bases()).not.toEqual(before);
  await core.post(`${app}/bulk-import/jobs/${job.id}/undo`, { force: true });
  expect(before).toMatchObject([{ base: expect.any(String) as unknown }]);
  expect(await bases()).toEqual(before);
  expect(await signIn('ada@example.com', knownPassword)).toBe('OK');
});

test('single imports and the queue go by it as well', async () => {
  const record = ada(passwordOf('ada@example.com'));
  expect((await core.post(`${app}/bulk-import/import`, record)).body.status).toBe('OK');
  await change({ password: otherPassword });
  await core.post(`${app}/bulk-import/import`, record);
  expect(await signIn('ada@example.com', otherPassword)).toBe('OK');
});

describe('plain-text passwords', () => {
  const plain = (plainTextPassword: string) => ({
    externalUserId: 'ada',
    loginMethods: [{ recipeId: 'emailpassword', email: 'ada@example.com', plainTextPassword }],
  });

  test('are the same when they come again, whatever hash was made of them', async () => {
    await imported([plain('First-Passw0rd')]);
    expect(await imported([plain('First-Passw0rd')])).toMatchObject({ unchanged: 1 });
    await change({ password: otherPassword });
    expect(await imported([plain('First-Passw0rd')])).toMatchObject({ unchanged: 1, conflicts: 0 });
    expect(await signIn('ada@example.com', otherPassword)).toBe('OK');
    expect(await imported([plain('Second-Passw0rd')])).toMatchObject({ conflicts: 1 });
    expect(await signIn('ada@example.com', otherPassword)).toBe('OK');
    expect(await imported([plain('Second-Passw0rd')])).toMatchObject({ unchanged: 1, conflicts: 0 });
  });

  test('are taken over when they change at the source alone', async () => {
    await imported([plain('First-Passw0rd')]);
    expect(await imported([plain('Second-Passw0rd')])).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await signIn('ada@example.com', 'Second-Passw0rd')).toBe('OK');
    expect(await signIn('ada@example.com', 'First-Passw0rd')).toBe('WRONG_CREDENTIALS_ERROR');
  });
});
