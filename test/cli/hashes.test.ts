/** `carryover hashes` against a whole core. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePlace, type Place, type RunOptions } from '../helpers/carryover.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { importUser, knownHash, knownPassword, newApp, signIn } from '../helpers/people.ts';
import { openStoreOn, type TestStore } from '../helpers/store.ts';

let core: TestCore;
let store: TestStore;
let place: Place;
const key: RunOptions = { environment: { CARRYOVER_API_KEY: testApiKey } };
const argon2 = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$MDEyMzQ1Njc4OWFiY2RlZg';
const refusedAt = Date.now();

beforeAll(async () => {
  [core, place] = await Promise.all([startTestCore(), makePlace()]);
  store = await openStoreOn(core.database.connection);
});

afterAll(async () => {
  await store.dispose();
  await Promise.all([core.stop(), place.remove()]);
});

const hashes = (...args: string[]) => place.run(['hashes', '--url', core.url, ...args], key);

async function fill(): Promise<string> {
  const app = await newApp(core);
  for (const name of ['ada', 'bob', 'cyd']) await importUser(core, `${name}@example.com`, app);
  const path = `${app}/recipe/user/passwordhash/import`;
  await core.post(path, { email: 'strong@example.com', passwordHash: argon2 });
  await signIn(core, 'ada@example.com', knownPassword, app);
  await store.sql(
    `insert into sign_ins (app_no, user_id, refused_at, refusals)
     select u.app_no, u.user_id, $1, 2 from users u where u.email = 'bob@example.com'`,
    [refusedAt],
  );
  return app.replace('/appid-', '');
}

it('shows kinds, shares, what is weak, what was proven and who was only refused', async () => {
  const { code, stdout } = await hashes('--app', await fill(), '--days', '7', '--show-samples');
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^4 users with a password. New hashes: argon2 \(variant id, .*memoryKb 64/),
    expect.stringMatching(/^ {2}kind +cost +users +share$/),
    expect.stringMatching(/^ {2}bcrypt +logRounds 4 +3 +75.0 % +weak$/),
    expect.stringMatching(/^ {2}argon2 +variant id, version 19, memoryKb 19456, .* 1 +25.0 %$/),
    'Weak: 3 users (75.0 %)',
    'Weaker than new ones: 3 users (75.0 %); replaced at a sign-in so far: 0 users (0.0 %)',
    'Proven within 7 days: 1 of 2 active users (50.0 %)',
    expect.stringMatching(/^Only ever refused/),
    expect.stringMatching(
      /^ {2}[0-9a-f-]{36} +bob@example.com +bcrypt \(logRounds 4\) +2 refusals +last .* UTC$/,
    ),
    '',
  ]);
  expect(stdout).not.toContain(knownHash.slice(7));
});

it('prints the report as JSON for programs', async () => {
  const app = await newApp(core);
  await importUser(core, 'json@example.com', app);
  const { code, stdout } = await hashes('--app', app.replace('/appid-', ''), '--json', '--limit', '5');
  expect(code).toBe(0);
  const { body } = await core.get(`${app}/recipe/user/passwordhash/report`);
  expect(JSON.parse(stdout)).toEqual({ ...body, type: 'hashes', next: [] });
});

it('reports that no user has a password', async () => {
  const app = (await newApp(core)).replace('/appid-', '');
  expect((await hashes('--app', app)).stdout).toMatch(
    /^0 users with a password\. .*\nProven: no password was checked within 30 days\n$/,
  );
});

it.each([
  ['--days', '0'],
  ['--days', 'many'],
  ['--limit', '501'],
  ['--app', 'nobody'],
])('ends with 2 for %s %s', async (...args) => {
  expect(await hashes(...args)).toMatchObject({ code: 2, stdout: '' });
});
