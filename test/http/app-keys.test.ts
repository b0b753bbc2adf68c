/** The settings that an app's own key may set and read, while a key of the core may do more. */
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { ownSource } from '../helpers/old-system.ts';
import { newApp, newEmail } from '../helpers/people.ts';
import { withAdmin } from '../helpers/postgres.ts';

const appKey = 'a-key-of-the-app-and-of-nobody-else';
let core: TestCore;
let inner: Server;
let port: number;
let connections = 0;
beforeAll(async () => {
  inner = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  ({ port } = inner.address() as AddressInfo);
  core = await startTestCore({
    // Every name resolves to this machine.
    overrides: {
      lookup: (_name, options, callback) => {
        if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(null, '127.0.0.1', 4);
      },
    },
  });
});
afterAll(async () => {
  await core.stop();
  inner.close();
});

const appWithKey = (coreConfig: object = {}) => newApp(core, { api_keys: appKey, ...coreConfig });

async function byApp(method: string, path: string, input?: object): Promise<Answer> {
  const body = input && JSON.stringify(input);
  const response = await fetch(core.url + path, {
    method,
    headers: { 'api-key': appKey },
    ...(body && { body }),
  });
  const text = await response.text();
  const parsed = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { http: response.status, body: parsed, text, headers: response.headers };
}

const putTenant = (app: string, coreConfig: object, tenantId = 'public') =>
  byApp('PUT', `${app}/recipe/multitenancy/tenant/v2`, { tenantId, coreConfig });

const putByCore = (app: string, coreConfig: object) =>
  core.put('/recipe/multitenancy/app/v2', { appId: app.replace('/appid-', ''), coreConfig });

const legacy = (url: string) => ({ legacy_sources: [ownSource(url, { unknown: 'ask' })] });
/** A name that resolves to this machine. */
const inside = () => `https://inner.example.com:${port}`;
const jwt = (jwks: string) => ({
  name: 'old',
  speaks: 'jwt',
  issuer: 'https://issuer.example.com',
  audience: 'app',
  algorithms: ['RS256'],
  until: '2999-12-31',
  jwks,
});
const carried = (source: object) => ({ session_sources: [source] });

/** A JWT whose key has to be fetched. */
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${part({ alg: 'RS256', kid: 'a' })}.${part({ iss: 'https://issuer.example.com' })}.c2lnbmF0dXJl`;

/** @returns the number of connections that the request made to this machine */
async function connectionsOf(work: () => Promise<unknown>): Promise<number> {
  const before = connections;
  await work();
  return connections - before;
}

describe('a source at an address of the machine or its network', () => {
  const refresh = { ...jwt('https://issuer.example.com/jwks'), speaks: 'refresh', client_id: 'app' };
  test.each([
    ['legacy_sources', legacy('http://127.0.0.1')],
    ['legacy_sources', legacy('https://localhost')],
    ['legacy_sources', legacy('https://2130706433')],
    ['legacy_sources', legacy('https://[::1]')],
    ['legacy_sources', legacy('https://[::ffff:10.0.0.1]')],
    ['legacy_sources', legacy('https://169.254.169.254')],
    ['legacy_sources', legacy('https://10.0.0.1')],
    ['legacy_sources', legacy('https://0')],
    ['session_sources', carried(jwt('https://127.0.0.1/jwks'))],
    ['session_sources', carried(jwt('https://[fe80::1]/jwks'))],
    ['session_sources', carried({ ...refresh, token_url: 'https://192.168.1.1/token' })],
  ])('is not set with an app\u2019s own key: %s %j', async (setting, coreConfig) => {
    const app = await appWithKey();
    for (const tenantId of ['public', 'other']) {
      const answer = await putTenant(app, coreConfig, tenantId);
      expect([answer.http, answer.body.status]).toEqual([400, 'INVALID_CORE_CONFIG']);
      expect(answer.body.message).toMatch(new RegExp(`'${setting}'.*set it with a key of the core`));
    }
    expect((await putByCore(app, coreConfig)).body).toEqual({ status: 'OK', createdNew: false });
  });

  test('is not asked about a password by the name that an app\u2019s own key set', async () => {
    const app = await appWithKey();
    const signIn = async () => {
      const answer = await byApp('POST', `${app}/recipe/signin`, { email: newEmail(), password: 'any' });
      expect([answer.http, answer.body.status]).toEqual([503, 'LEGACY_UNAVAILABLE']);
    };
    expect((await putTenant(app, legacy(inside()))).http).toBe(200);
    expect(await connectionsOf(signIn)).toBe(0);
    expect(core.log.some((line) => line.includes('ADDRESS_NOT_ALLOWED'))).toBe(true);
    await putByCore(app, legacy(inside()));
    expect(await connectionsOf(signIn)).toBeGreaterThan(0);
  });

  test('is not asked for keys or tokens by the name that an app\u2019s own key set', async () => {
    const app = await appWithKey();
    const carry = async () => {
      const answer = await byApp('POST', `${app}/recipe/session/carry`, { source: 'old', token });
      expect([answer.http, answer.body.status]).toEqual([503, 'OLD_SYSTEM_UNAVAILABLE']);
    };
    const sources = [
      jwt(`${inside()}/jwks`),
      { ...jwt(`${inside()}/jwks`), speaks: 'refresh', client_id: 'app', token_url: `${inside()}/token` },
    ];
    for (const source of sources) {
      expect((await putTenant(app, carried(source))).http).toBe(200);
      expect(await connectionsOf(carry)).toBe(0);
      await putByCore(app, carried(source));
      expect(await connectionsOf(carry)).toBeGreaterThan(0);
    }
  });

  test('that was set before anything was stored of who set it is the app\u2019s where it has a key', async () => {
    const [withKey, without] = [await appWithKey(legacy(inside())), await newApp(core)];
    await putByCore(without, legacy(inside()));
    await withAdmin(core.database.connection, async (sql) => {
      await sql`update carryover.tenants set core_config = core_config - 'legacy_sources_reach'`;
    });
    // The result is cached for a second.
    await putByCore(without, {});
    const signIn = (app: string) => () =>
      byApp('POST', `${app}/recipe/signin`, { email: newEmail(), password: 'any' });
    const signInByCore = () => core.post(`${without}/recipe/signin`, { email: newEmail(), password: 'any' });
    expect(await connectionsOf(signIn(withKey))).toBe(0);
    expect(await connectionsOf(signInByCore)).toBeGreaterThan(0);
  });

  test('is nothing that a request may state by itself', async () => {
    const app = await appWithKey();
    for (const key of ['legacy_sources_reach', 'session_sources_reach']) {
      const answer = await putTenant(app, { [key]: 'any' });
      expect([answer.http, answer.body.message]).toEqual([
        400,
        `Invalid core config: Invalid config key: ${key}`,
      ]);
    }
    await putTenant(app, { ...legacy(inside()), ...carried(jwt('https://a.example.com/jwks')) });
    const { body } = await byApp('GET', `${app}/recipe/multitenancy/tenant/v2`);
    expect(Object.keys(body.coreConfig as object).toSorted()).toEqual([
      'api_keys',
      'legacy_sources',
      'session_sources',
    ]);
  });
});

describe('a ceiling', () => {
  test('above the core\u2019s own is set with a key of the core alone', async () => {
    const app = await appWithKey();
    for (const [setting, above] of [
      ['pbkdf2_max_iterations', 10_000_001],
      ['bcrypt_max_cost', 16],
      ['argon2_max_memory_kb', 1_048_577],
    ] as const) {
      for (const value of [above, String(above)]) {
        const answer = await putTenant(app, { [setting]: value });
        expect([answer.http, answer.body.status]).toEqual([400, 'INVALID_CORE_CONFIG']);
        expect(answer.body.message).toBe(
          `Invalid core config: '${setting}' must be at most ${above - 1} with a key of the app: lower it, or set it with a key of the core`,
        );
      }
      expect((await putByCore(app, { [setting]: above })).http).toBe(200);
      // An app may give its tenants what a key of the core gave the app.
      expect((await putTenant(app, { [setting]: above }, 'other')).http).toBe(200);
    }
  });

  test('is lowered with an app\u2019s own key', async () => {
    const app = await appWithKey();
    expect((await putTenant(app, { pbkdf2_max_iterations: 1000 })).http).toBe(200);
    expect((await putTenant(app, { pbkdf2_max_iterations: 10_000_000 })).http).toBe(200);
  });
});

describe('/metrics', () => {
  test('is not for an app\u2019s own key, under any path', async () => {
    const app = await appWithKey();
    for (const path of [`${app}/metrics`, `${app}/public/metrics`, '/metrics']) {
      const answer = await byApp('GET', path);
      expect([answer.http, answer.body.status]).toEqual([401, 'INVALID_API_KEY']);
      expect(answer.text).not.toContain('carryover_');
    }
  });

  test('is for a key of the core under the path of any app', async () => {
    for (const app of [await appWithKey(), await newApp(core), '']) {
      const { http, text } = await core.get(`${app}/metrics`);
      expect([http, text]).toEqual([200, expect.stringContaining('carryover_requests_total')]);
    }
  });
});
