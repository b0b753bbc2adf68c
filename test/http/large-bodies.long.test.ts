/** Bodies that would block the event loop for seconds, and occupy heap permanently: other requests are answered meanwhile. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uriOf } from '../helpers/bulk-client.ts';
import { headOf } from '../helpers/bulk-stand.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { testedFrontEnd } from '../helpers/front-end.ts';
import { knownHash, newApp, newEmail, refusalOf } from '../helpers/people.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { addressOf, type Program, runMain } from '../helpers/process.ts';
import { Wire } from '../helpers/wire.ts';

const bytesOfEach = 60_000_000;
const filler = 'x'.repeat(5900);
const user = (n: number, more: object = {}) => ({
  loginMethods: [{ recipeId: 'emailpassword', email: `large-${n}@b.test`, passwordHash: knownHash }],
  ...more,
});
const listOf = (users: string): Buffer => Buffer.from(`{"users":[${users}]}`);

const bodies = {
  '10,000 valid users': () =>
    listOf(
      Array.from({ length: 10_000 }, (_, n) => JSON.stringify(user(n, { userMetadata: { filler } }))).join(
        ',',
      ),
    ),
  '20 million empty users': () => listOf(`{}${',{}'.repeat(bytesOfEach / 3 - 1)}`),
  'lists in lists': () => listOf('['.repeat(bytesOfEach / 2) + ']'.repeat(bytesOfEach / 2)),
  'lists of lists': () => listOf(`[${'[],'.repeat(bytesOfEach / 3)}[]]`),
  'a user of 4 million keys': () =>
    listOf(`{${Array.from({ length: 4_000_000 }, (_, n) => `"key${n}":${n % 10}`).join(',')}}`),
};

let database: TestDatabase;
let program: Program;
let url: string;
let core: TestCore;
beforeAll(async () => {
  database = await createDatabase();
  program = runMain({
    environment: {
      NODE_OPTIONS: '--max-old-space-size=1024',
      HOST: '127.0.0.1',
      API_KEYS: testApiKey,
      FRONT_END: testedFrontEnd,
      POSTGRESQL_CONNECTION_URI: uriOf(database.connection),
    },
  });
  await program.printed(/"msg":"ready"/);
  url = await addressOf(program);
  core = await startTestCore({ settings: { MAX_BODY_BYTES: '16000000' } });
});
afterAll(async () => {
  await program.end();
  await Promise.all([database.drop(), core.stop()]);
});

/** Sends small requests repeatedly until then. @returns their number, and the longest wait in ms */
async function askUntil(over: Promise<unknown>): Promise<{ answered: number; longestMs: number }> {
  const state = { isOver: false };
  void over.finally(() => (state.isOver = true));
  let [answered, longestMs] = [0, 0];
  while (!state.isOver) {
    const begun = performance.now();
    expect((await fetch(`${url}/hello`)).status).toBe(200);
    longestMs = Math.max(longestMs, performance.now() - begun);
    answered++;
  }
  return { answered, longestMs };
}

test.each([
  ['10,000 valid users', 200, /"OK"/],
  ['20 million empty users', 400, /You can only add 10000 users at a time/],
  ['lists in lists', 400, /INVALID_JSON_INPUT.*nested deeper/],
  ['lists of lists', 400, /longer than 1 MiB/],
  ['a user of 4 million keys', 400, /longer than 1 MiB/],
] as const)('60 MB of %s keep nobody waiting', async (kind, http, said) => {
  const body = new Uint8Array(bodies[kind]());
  const sent = fetch(`${url}/bulk-import/users`, {
    method: 'POST',
    headers: { 'api-key': testApiKey },
    body,
  });
  const { answered, longestMs } = await askUntil(sent);
  const answer = await sent;
  expect([answer.status, await answer.text()]).toEqual([http, expect.stringMatching(said)]);
  expect(answered).toBeGreaterThan(5);
  // Many times the time on an idle machine; parsed on the event loop, they take 13 to 37 s.
  expect(longestMs).toBeLessThan(5000);
});

test('nesting of any depth is refused, in a small body as in a large one', async () => {
  for (const depth of [600, 9000, 200_000]) {
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const [path, body] of [
      ['users', `{"users":[{"loginMethods":${nested}}]}`],
      ['import', `{"loginMethods":${nested}}`],
    ] as const) {
      const answer = await fetch(`${core.url}/bulk-import/${path}`, {
        method: 'POST',
        headers: { 'api-key': testApiKey },
        body,
      });
      expect([path, depth, answer.status, await answer.json()]).toEqual([
        path,
        depth,
        400,
        {
          status: 'INVALID_JSON_INPUT',
          message: expect.stringContaining('nested deeper than 512') as string,
        },
      ]);
    }
  }
});

test('a large body of another route does what a small one does', async () => {
  const email = newEmail();
  const filled = { unknown: 'x'.repeat(100_000) };
  const password = 'correct horse';
  expect((await core.post('/recipe/signup', { email, password, ...filled })).body.status).toBe('OK');
  expect((await core.post('/recipe/signin', { email, password, ...filled })).body.status).toBe('OK');
  expect(refusalOf(await core.post('/recipe/signin', { email, ...filled }))).toEqual([
    400,
    'INVALID_FIELD',
    "Field name 'password' is invalid in JSON input",
  ]);
  const many = { ids: Array.from({ length: 200_000 }, () => 'x') };
  expect(refusalOf(await core.post('/bulk-import/users/remove', many))).toEqual([
    400,
    'INVALID_JSON_INPUT',
    'Invalid Json Input: more than 100000 values in one body',
  ]);
});

test('a large list of users is judged as a small one, and kept in its order', async () => {
  const app = await newApp(core);
  const users = (more: object = {}) =>
    Array.from({ length: 300 }, (_, n) => user(n, { userMetadata: { filler }, ...more }));
  const wrong = users().map((each, n) => (n % 100 === 7 ? { ...each, externalUserId: 5 } : each));
  const { http, body } = await core.post(`${app}/bulk-import/users`, { users: wrong });
  expect([http, (body.users as { index: number }[]).map(({ index }) => index)]).toEqual([400, [7, 107, 207]]);
  expect((await core.post(`${app}/bulk-import/users`, { users: users() })).body).toEqual({ status: 'OK' });
  while ((await core.get(`${app}/bulk-import/users/count`)).body.count !== 0);
  expect((await core.get(`${app}/users/count`)).body.count).toBe(300);
});

test('more large bodies than there is memory for are refused before they are sent', async () => {
  const app = await newApp(core);
  const wires = await Promise.all([1, 2, 3].map(() => Wire.open(core.port)));
  const head = headOf('POST', `${app}/bulk-import/users`, {
    'Api-Key': testApiKey,
    'Content-Length': 60_000_000,
  });
  const answers = wires.map((wire) => wire.send(head).send('{').answer());
  const refused = await Promise.race(answers);
  expect(refused).toMatchObject({ status: 503, body: expect.stringContaining('OVERLOADED') as string });
  for (const wire of wires) wire.hangUp();
  await expect
    .poll(
      async () =>
        (await core.post(`${app}/bulk-import/users`, { users: [user(1, { filler: 'x'.repeat(100_000) })] }))
          .http,
    )
    .toBe(200);
});

test('bodies of strangers, whose key an app would have to judge, keep out no other large body', async () => {
  const wires = await Promise.all(Array.from({ length: 17 }, () => Wire.open(core.port)));
  const path = '/appid-there-is-none/recipe/user/metadata';
  const head = headOf('PUT', path, { 'Api-Key': 'a-stranger', 'Content-Length': 2 ** 20 });
  const refused = await Promise.race(wires.map((wire) => wire.send(head).send('{').answer()));
  expect(refused).toMatchObject({ status: 503, body: expect.stringContaining('OVERLOADED') as string });
  const large = { userId: 'u', metadataUpdate: { filler: 'x'.repeat(1_000_000) } };
  expect((await core.put(`${await newApp(core)}/recipe/user/metadata`, large)).http).toBe(200);
  for (const wire of wires) wire.hangUp();
});
