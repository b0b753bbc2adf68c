/** Data of applications is returned as it was sent, or refused: numbers, and payloads of any size. */
import { expect, test } from 'vitest';
import type { TestCore } from '../helpers/core.ts';
import { knownHash, newEmail } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

async function send(
  method: string,
  path: string,
  body: string,
  { key = core.apiKey, type = 'application/json' } = {},
) {
  const headers = { 'api-key': key, 'content-type': type };
  const response = await fetch(core.url + app + path, { method, headers, body });
  return { http: response.status, text: await response.text() };
}

const big = '9007199254740993';
const filler = (length: number) => `"filler":"${'x'.repeat(length)}",`;
const session = (payload: string, data: string) =>
  `{"userId":"u","enableAntiCsrf":false,"userDataInJWT":${payload},"userDataInDatabase":${data}}`;
const record = (metadata: string) =>
  `{"loginMethods":[{"recipeId":"emailpassword","email":"${newEmail()}","passwordHash":"${knownHash}"}],"userMetadata":${metadata}}`;

const routes: readonly (readonly [string, string, (object: string) => string, string])[] = [
  ['PUT', '/recipe/user/metadata', (o) => `{"userId":"u","metadataUpdate":${o}}`, 'metadataUpdate'],
  ['POST', '/recipe/session', (o) => session(o, '{}'), 'userDataInJWT'],
  ['POST', '/recipe/session', (o) => session('{}', o), 'userDataInDatabase'],
  [
    'PUT',
    '/recipe/session/data',
    (o) => `{"sessionHandle":"h","userDataInDatabase":${o}}`,
    'userDataInDatabase',
  ],
  ['PUT', '/recipe/jwt/data', (o) => `{"sessionHandle":"h","userDataInJWT":${o}}`, 'userDataInJWT'],
  [
    'POST',
    '/recipe/jwt',
    (o) => `{"algorithm":"RS256","jwksDomain":"https://a.b","validity":9,"payload":${o}}`,
    'payload',
  ],
  ['POST', '/bulk-import/import', record, 'userMetadata'],
  ['POST', '/bulk-import/users', (o) => `{"users":[${record(o)}]}`, 'userMetadata'],
];

test.each(routes)(
  '%s %s refuses a number that it would alter, in small and large bodies',
  async (method, path, body, field) => {
    for (const number of [big, `-${big}`, '1e400'])
      for (const more of ['', filler(100_000)]) {
        const { http, text } = await send(method, path, body(`{${more}"deep":[{"id":${number}}]}`));
        expect([http, text.slice(0, 400)], number).toEqual([
          400,
          expect.stringContaining(`${field}.deep.0.id`),
        ]);
      }
  },
);

test('a line of a job with such metadata is rejected, and its neighbour is not', async () => {
  const lines = [`{"id":${big}}`, `{"id":"${big}","at":1700000000000000000}`].map(
    (each) => `${record(each)}\n`,
  );
  const { text } = await send('PUT', '/bulk-import/jobs', lines.join(''), { type: 'application/x-ndjson' });
  const { job } = JSON.parse(text) as { job: { id: string } };
  expect(job).toMatchObject({ created: 1, rejected: 1 });
  const rejects = (await core.get(`${app}/bulk-import/jobs/${job.id}/rejects`)).text;
  expect(JSON.parse(rejects)).toMatchObject({ line: 1, code: 'INVALID_FIELD', field: 'userMetadata.id' });
});

test('numbers that it can keep come back exactly', async () => {
  const kept = '{"a":9007199254740991,"b":-9007199254740991,"c":1.5,"d":1700000000000000000,"e":0.1}';
  await send('PUT', '/recipe/user/metadata', `{"userId":"u","metadataUpdate":${kept}}`);
  expect((await core.get(`${app}/recipe/user/metadata`, { userId: 'u' })).text).toContain(kept.slice(1, -1));
});

test('null for an optional field of a record is as if it were left out', async () => {
  const email = newEmail();
  const method = {
    recipeId: 'emailpassword',
    email,
    passwordHash: knownHash,
    isVerified: null,
    tenantIds: null,
  };
  const nulls = {
    externalUserId: null,
    userMetadata: null,
    userRoles: null,
    totpDevices: null,
    isDisabled: null,
  };
  const line = `${JSON.stringify({ ...nulls, loginMethods: [{ ...method, timeJoinedInMSSinceEpoch: null }] })}\n`;
  const { text } = await send('PUT', '/bulk-import/jobs', line, { type: 'application/x-ndjson' });
  expect(JSON.parse(text)).toMatchObject({ job: { created: 1, rejected: 0 } });
  const one = await core.post(`${app}/bulk-import/import`, {
    ...nulls,
    loginMethods: [{ ...method, email: newEmail() }],
  });
  expect(one.body.status).toBe('OK');
});

test.each([50_000, 500_000, 1_048_000])(
  'a session with a payload of %i bytes is verified and regenerated',
  async (size) => {
    const own = 'a-key-that-is-of-this-app-alone';
    const appId = app.replace('/appid-', '');
    const made = await send('POST', '/recipe/session', session(`{${filler(size)}"n":1}`, '{}'));
    expect([made.http, made.text.slice(0, 200)]).toEqual([200, expect.stringContaining('"OK"')]);
    const { accessToken } = JSON.parse(made.text) as { accessToken: { token: string } };
    const verify = {
      accessToken: accessToken.token,
      doAntiCsrfCheck: false,
      enableAntiCsrf: false,
      checkDatabase: true,
    };
    const bodies = [
      ['/recipe/session/verify', verify],
      [
        '/recipe/session/regenerate',
        { accessToken: accessToken.token, userDataInJWT: { filler: 'y'.repeat(size) } },
      ],
    ] as const;
    for (const [path, body] of bodies) expect((await core.post(app + path, body)).body.status).toBe('OK');
    await core.put('/recipe/multitenancy/app/v2', { appId, coreConfig: { api_keys: own } });
    const { http } = await send('POST', '/recipe/session/verify', JSON.stringify(verify), { key: own });
    expect(http).toBe(200);
  },
);

test('a payload that grows beyond that as JSON is refused when it is given, and not when it comes back', async () => {
  const grows = `{"n":[${Array.from({ length: 90_000 }, () => '1e20').join()}]}`;
  const { http, text } = await send('POST', '/recipe/session', session(grows, '{}'));
  expect([http, text]).toEqual([413, expect.stringContaining('userDataInJWT is larger than 1048576 bytes')]);
});
