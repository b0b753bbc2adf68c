/** Other systems ask about our users: each in its own form, with a separate key. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { newApp, newTenant } from '../helpers/people.ts';

const hookKey = 'a-key-for-the-hooks-alone';
const password = 'correct horse battery';
const email = 'ada@example.com';
let core: TestCore;
let app: string;
let id: string;
beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core, { hook_keys: hookKey });
  id = await signUp(app);
});

async function signUp(prefix: string): Promise<string> {
  const { body } = await core.post(`${prefix}/recipe/signup`, { email, password });
  return (body.user as { id: string }).id;
}

interface Said {
  readonly status: number;
  readonly body: unknown;
}

async function ask(path: string, input?: object, key: string | undefined = hookKey): Promise<Said> {
  const response = await fetch(`${core.url}${path}`, {
    method: input === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

const kratos = (identifier: string, typed: string) => ({ identifier, password: typed });
const okta = (username: string, typed: string) => ({
  eventType: 'com.okta.user.credential.password.import',
  data: {
    context: {
      request: { id: 'r', method: 'POST', url: { value: '/api/v1/authn' }, ipAddress: '192.0.2.1' },
      credential: { username, password: typed },
    },
    action: { credential: 'UNVERIFIED' },
  },
});
const fusionAuth = (loginId: string, typed: string) => ({
  applicationId: 'a',
  eventInfo: {},
  loginId,
  password: typed,
  newDevice: false,
  noJWT: true,
});
const http = (given: string, typed: string) => ({ email: given, password: typed, tenantId: 'public' });
const verdict = (credential: string) => ({
  commands: [{ type: 'com.okta.action.update', value: { credential } }],
});

describe('the dialect of', () => {
  test('Ory Kratos', async () => {
    const path = `${app}/hooks/kratos`;
    expect(await ask(path, kratos(' ADA@example.com ', password))).toEqual({
      status: 200,
      body: { status: 'password_match' },
    });
    for (const pair of [kratos(email, 'wrong'), kratos('bob@example.com', password), kratos('ada', password)])
      expect(await ask(path, pair)).toEqual({ status: 403, body: { status: 'password_mismatch' } });
  });

  test('Okta', async () => {
    const path = `${app}/hooks/okta`;
    expect(await ask(path, okta(email, password))).toEqual({ status: 200, body: verdict('VERIFIED') });
    for (const pair of [okta(email, 'wrong'), okta('bob@example.com', password)])
      expect(await ask(path, pair)).toEqual({ status: 200, body: verdict('UNVERIFIED') });
  });

  test('FusionAuth', async () => {
    const path = `${app}/hooks/fusionauth`;
    const { status, body } = await ask(path, fusionAuth(email, password));
    expect([status, body]).toMatchObject([200, { user: { id, email, verified: false, active: true } }]);
    for (const pair of [fusionAuth(email, 'wrong'), fusionAuth('bob@example.com', password)])
      expect(await ask(path, pair)).toEqual({ status: 404, body: undefined });
  });

  test('another core', async () => {
    const path = `${app}/hooks/http`;
    expect(await ask(path, http(email, password))).toMatchObject({
      status: 200,
      body: { externalUserId: id, loginMethods: [{ recipeId: 'emailpassword', email, isVerified: false }] },
    });
    expect(await ask(path, http(email, 'wrong'))).toEqual({ status: 403, body: undefined });
    expect(await ask(path, http('bob@example.com', password))).toEqual({ status: 404, body: undefined });
  });

  test('Keycloak’s migration plugin, by name and by id', async () => {
    const path = `${app}/hooks/keycloak-migration`;
    for (const name of [email, encodeURIComponent('Ada@Example.com'), id]) {
      expect(await ask(`${path}/${name}`)).toMatchObject({
        status: 200,
        body: { id, username: email, email, emailVerified: false, enabled: true },
      });
      expect(await ask(`${path}/${name}`, { password })).toEqual({ status: 200, body: undefined });
      expect((await ask(`${path}/${name}`, { password: 'wrong' })).status).toBe(403);
    }
    expect((await ask(`${path}/bob@example.com`)).status).toBe(404);
    expect((await ask(`${path}/bob@example.com`, { password })).status).toBe(403);
  });
});

describe('hooks', () => {
  const statusOf = async (prefix: string, key: string) =>
    (await ask(`${prefix}/hooks/kratos`, kratos(email, password), key)).status;

  test('are opened by their own key alone, which opens nothing else', async () => {
    expect(
      await Promise.all([hookKey, core.apiKey, `${hookKey}!`, ''].map((key) => statusOf(app, key))),
    ).toEqual([200, 401, 401, 401]);
    expect((await ask(`${app}/users/count`)).status).toBe(401);
    const { body } = await core.get(`${app}/recipe/multitenancy/tenant/v2`);
    expect(body).toMatchObject({ coreConfig: { hook_keys: '***' } });
  });

  test('are off without one, also for the core’s own key', async () => {
    const other = await newApp(core);
    await signUp(other);
    for (const key of [hookKey, core.apiKey]) expect(await statusOf(other, key)).toBe(401);
    expect(await statusOf('', core.apiKey)).toBe(401);
  });

  test('answer a tenant from its own users', async () => {
    const tenant = await newTenant(core, app);
    expect(await statusOf(tenant, hookKey)).toBe(403);
    await signUp(tenant);
    expect(await statusOf(tenant, hookKey)).toBe(200);
  });

  test('admit no user who may not sign in here, and refuse a bad body by its field', async () => {
    await core.put(`${app}/user/restrictions`, { userId: id, isDisabled: true });
    expect(await statusOf(app, hookKey)).toBe(403);
    expect(
      await ask(`${app}/hooks/okta`, { data: { context: { credential: { username: email } } } }),
    ).toMatchObject({
      status: 400,
    });
  });

  test('count a guess as a sign-in does, and stop at the same limit', async () => {
    const guesses = Array.from({ length: 200 }, (_, n) =>
      ask(`${app}/hooks/kratos`, kratos(email, `guess ${n}`)),
    );
    const statuses = new Set((await Promise.all(guesses)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([403, 429]);
    const { http: signedIn } = await core.post(`${app}/recipe/signin`, { email, password: 'another guess' });
    expect(signedIn).toBe(429);
  });
});
