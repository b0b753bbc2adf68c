/** The real command: users blocked by an import because a guard could not be read, enabled with one command. */
import { beforeEach, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
let app: string;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});
beforeEach(async () => {
  app = await newApp(core);
});

const run = (...args: string[]) =>
  place.run([...args, '--url', core.url, '--app', app.replace('/appid-', '')], key);
const emailOf = (id: number): string => `user-${id}@example.com`;
const signIn = async (id: number): Promise<unknown> =>
  (await core.post(`${app}/recipe/signin`, { email: emailOf(id), password: knownPassword })).body.status;
const setDisabled = (id: number, isDisabled: boolean) =>
  core.put(`${app}/user/restrictions`, { userId: String(id), isDisabled });
const last = (stdout: string): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

type Row = readonly [id: number, isActive: string, bannedAt?: string];

/** Laravel's table of users, with columns of an app. @returns the job */
async function importRows(file: string, rows: readonly Row[]): Promise<string> {
  const header = 'id,name,email,email_verified_at,password,remember_token,is_active,banned_at\n';
  const text = rows.map(
    ([id, active, banned = '']) => `${id},n,${emailOf(id)},,${knownHash},,${active},${banned}\n`,
  );
  await place.write(file, header + text.join(''));
  const { stdout } = await run('import', '--yes', '--json', file);
  return (last(stdout) as { job: { id: string } }).job.id;
}

it('lets in all users that an unreadable guard alone keeps out, in pages, and no other', async () => {
  const many = Array.from({ length: 520 }, (_, n): Row => [1000 + n, 'perhaps']);
  const job = await importRows('users.csv', [
    ...([
      [1, 'perhaps'],
      [2, 'perhaps', '2024-01-01'],
      [3, '0'],
      [4, '1'],
      [5, 'perhaps'],
    ] as const),
    ...many,
  ]);
  await setDisabled(5, false);
  await setDisabled(5, true);
  const listed = await run('restrictions', 'list', '--job', job, '--json');
  expect(last(listed.stdout)).toMatchObject({ type: 'restrictions list', count: 521 });
  expect(listed.stdout).not.toContain('"1000"');
  expect((await run('restrictions', 'list', '--show-samples')).stdout).toContain('1000: CHECK_AT_SOURCE\n');

  const dry = await run('restrictions', 'lift', '--job', job, '--dry-run', '--json');
  expect(last(dry.stdout)).toMatchObject({ dryRun: true, restricted: 521 });
  const asked = await run('restrictions', 'lift', '--job', job);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('521 users')]);
  expect(await signIn(1)).toBe('WRONG_CREDENTIALS_ERROR');

  const lifted = await run('restrictions', 'lift', '--job', job, '--yes', '--json');
  expect([lifted.code, last(lifted.stdout)]).toMatchObject([0, { lifted: 521, action: 'CHECK_AT_SOURCE' }]);
  const statuses = await Promise.all([1, 1519, 4, 2, 3, 5].map(signIn));
  const wrong = 'WRONG_CREDENTIALS_ERROR';
  expect(statuses).toEqual(['OK', 'OK', 'OK', wrong, wrong, wrong]);
  expect(last((await run('restrictions', 'lift', '--yes', '--json')).stdout)).toMatchObject({ lifted: 0 });
});

it('lets in those of one import only, created or changed by it', async () => {
  const first = await importRows('users.csv', [
    [1, 'perhaps'],
    [2, '1'],
  ]);
  const second = await importRows('more.csv', [
    [2, 'perhaps'],
    [3, 'perhaps'],
  ]);
  expect(await signIn(2)).toBe('WRONG_CREDENTIALS_ERROR');
  expect(last((await run('restrictions', 'lift', '--job', second, '--yes', '--json')).stdout)).toMatchObject({
    lifted: 2,
  });
  expect(await Promise.all([1, 2, 3].map(signIn))).toEqual(['WRONG_CREDENTIALS_ERROR', 'OK', 'OK']);
  expect(last((await run('restrictions', 'list', '--job', first, '--json')).stdout)).toMatchObject({
    count: 1,
  });
});

it('does not let in users whose guard is readable by now and disables them', async () => {
  await importRows('users.csv', [
    [1, 'perhaps'],
    [2, 'perhaps'],
  ]);
  await importRows('users.csv', [
    [1, '0'],
    [2, 'perhaps'],
  ]);
  expect(last((await run('restrictions', 'lift', '--yes', '--json')).stdout)).toMatchObject({ lifted: 1 });
  expect(await Promise.all([1, 2].map(signIn))).toEqual(['WRONG_CREDENTIALS_ERROR', 'OK']);
});

it('lifts another action of users who have no second factor and no further action', async () => {
  const lines = [
    { requiredActions: ['UPDATE_PASSWORD', 'terms'] },
    { requiredActions: ['UPDATE_PASSWORD'], secondFactors: ['sms'] },
    { requiredActions: ['UPDATE_PASSWORD', 'CONFIGURE_TOTP'] },
    { requiredActions: ['UPDATE_PASSWORD'], isDisabled: true },
  ].map((more, id) => ({
    externalUserId: String(id),
    ...more,
    loginMethods: [{ recipeId: 'emailpassword', email: emailOf(id), passwordHash: knownHash }],
  }));
  await place.write('users.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await run('import', '--yes', 'users.ndjson');
  const lifted = await run('restrictions', 'lift', '--action', 'UPDATE_PASSWORD', '--yes', '--json');
  expect(last(lifted.stdout)).toMatchObject({ lifted: 2 });
  const wrong = 'WRONG_CREDENTIALS_ERROR';
  expect(await Promise.all([0, 1, 2, 3].map(signIn))).toEqual(['OK', wrong, wrong, wrong]);
});

it('says that there is no such import', async () => {
  const unknown = await run('restrictions', 'lift', '--job', '0198c0de-0000-7000-8000-000000000000', '--yes');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('There is no import')]);
  expect((await core.get(`${app}/user/restrictions`, { job: 'x' })).http).toBe(400);
});

it('is printed by the import that keeps users out', async () => {
  await place.write(
    'users.csv',
    `id,name,email,email_verified_at,password,remember_token,is_active\n1,n,${emailOf(1)},,${knownHash},,perhaps\n`,
  );
  const { code, stdout } = await run('import', '--yes', 'users.csv');
  expect([code, stdout]).toEqual([1, expect.stringContaining('restrictions lift')]);
});
