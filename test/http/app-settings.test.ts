/** Settings of an app or a tenant (`coreConfig`), and their effects. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { knownHash, newApp, newEmail, newTenant, refusalOf, signIn } from '../helpers/people.ts';
import { usualHashes as usual } from '../helpers/usual-hashes.ts';
import { readVectors, scryptVariantString, type Vector } from '../helpers/vectors.ts';

const vector = (id: string): Required<Pick<Vector, 'hash' | 'signerKey' | 'password'>> => {
  const found = readVectors().find((each) => each.id === id);
  if (!found?.signerKey || !found.password) throw new Error(`no vector ${id}`);
  return { hash: scryptVariantString(found), signerKey: found.signerKey, password: found.password };
};
/** Two users of two projects of the provider, so of two signer keys. */
const [ofCore, ofApp] = [vector('142'), vector('144')];
const key = 'provider_password_hashing_signer_key';

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({ settings: { [key.toUpperCase()]: ofCore.signerKey } });
});
afterAll(() => core.stop());

function importScrypt({ hash }: { hash: string }, email: string, prefix = ''): Promise<Answer> {
  const input = { email, passwordHash: hash, hashingAlgorithm: 'provider_scrypt' };
  return core.post(`${prefix}/recipe/user/passwordhash/import`, input);
}

function putApp(prefix: string, coreConfig: object): Promise<Answer> {
  return core.put('/recipe/multitenancy/app/v2', { appId: prefix.replace('/appid-', ''), coreConfig });
}

async function configOf(prefix: string): Promise<unknown> {
  return (await core.get(`${prefix}/recipe/multitenancy/tenant/v2`)).body.coreConfig;
}

describe('the signer key', () => {
  test('of the environment is every app’s that has none of its own', async () => {
    for (const prefix of ['', await newApp(core), await newTenant(core)]) {
      const email = newEmail();
      expect((await importScrypt(ofCore, email, prefix)).http).toBe(200);
      expect(await signIn(core, email, ofCore.password, prefix)).toBe('OK');
    }
  });

  test('of the app wins over it, in the app and in its tenants', async () => {
    const app = await newApp(core, { [key]: ofApp.signerKey });
    for (const prefix of [app, await newTenant(core, app)]) {
      const [email, other] = [newEmail(), newEmail()];
      await importScrypt(ofApp, email, prefix);
      await importScrypt(ofCore, other, prefix);
      expect(await signIn(core, email, ofApp.password, prefix)).toBe('OK');
      expect(await signIn(core, other, ofCore.password, prefix)).toBe('WRONG_CREDENTIALS_ERROR');
    }
  });

  test('of a tenant wins over the app’s', async () => {
    const app = await newApp(core, { [key]: ofCore.signerKey });
    const tenant = await newTenant(core, app, { [key]: ofApp.signerKey });
    const email = newEmail();
    await importScrypt(ofApp, email, tenant);
    expect(await signIn(core, email, ofApp.password, tenant)).toBe('OK');
  });

  test('may be set later, by its alias too, and removed by null', async () => {
    const app = await newApp(core);
    const email = newEmail();
    await importScrypt(ofApp, email, app);
    expect(await signIn(core, email, ofApp.password, app)).toBe('WRONG_CREDENTIALS_ERROR');
    await putApp(app, { firebase_password_hashing_signer_key: ofApp.signerKey });
    expect(await signIn(core, email, ofApp.password, app)).toBe('OK');
    await putApp(app, { [key]: null });
    expect(await signIn(core, email, ofApp.password, app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await configOf(app)).toEqual({});
  });

  test('is read back as "***" everywhere', async () => {
    const app = await newApp(core, { [key]: ofApp.signerKey });
    expect(await configOf(app)).toEqual({ [key]: '***' });
    for (const path of [`${app}/recipe/multitenancy/tenant/list/v2`, '/recipe/multitenancy/app/list/v2']) {
      const { text } = await core.get(path);
      expect(text).toContain(`"${key}":"***"`);
      expect(text).not.toContain(ofApp.signerKey);
    }
  });

  test('must be base64, and is not repeated', async () => {
    const app = await newApp(core);
    const refusal = refusalOf(await putApp(app, { [key]: 'this is no base64!' }));
    expect(refusal).toEqual([
      400,
      'INVALID_CORE_CONFIG',
      expect.stringMatching(new RegExp(`^Invalid core config: '${key}' must be base64`)),
    ]);
    expect(refusal[2]).not.toContain('this is');
  });
});

/** The scrypt variant's kind must be named. */
const kindOf = (hash: string) =>
  hash.startsWith('$f_scrypt$') ? { hashingAlgorithm: 'provider_scrypt' } : {};

describe('a ceiling that an app lowers', () => {
  const raised = (parameters: string) =>
    `$argon2id$v=19$${parameters}$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4`;
  test.each([
    ['bcrypt_max_cost', 4, knownHash, knownHash.replace('$04$', '$05$')],
    ['argon2_max_memory_kb', 256, raised('m=256,t=2,p=1'), raised('m=257,t=2,p=1')],
    ['argon2_max_iterations', 2, raised('m=256,t=2,p=1'), raised('m=256,t=3,p=1')],
    ['argon2_max_parallelism', 1, raised('m=256,t=2,p=1'), raised('m=256,t=2,p=2')],
    ['scrypt_max_memory_mb', 16, ofCore.hash, ofCore.hash.replace('m=14', 'm=15')],
    ['scrypt_max_parallelism', 1, usual.scrypt, usual.scrypt.replace('p=1', 'p=2')],
    ['pbkdf2_max_iterations', 600_000, usual.pbkdf2, usual.pbkdf2.replace('i=600000', 'i=600001')],
    ['crypt_max_rounds', 5000, usual.sha512_crypt, usual.sha512_crypt.replace('$6$', '$6$rounds=5001$')],
    ['phpass_max_log_rounds', 13, usual.phpass, usual.phpass.replace('$P$B', '$P$C')],
    ['digest_max_iterations', 5000, usual.sha256, usual.sha256.replace('i=5000', 'i=5001')],
  ])('%s holds in its tenants, and nowhere else', async (setting, ceiling, within, over) => {
    const app = await newApp(core, { [setting]: ceiling });
    const send = (passwordHash: string, prefix: string) =>
      core.post(`${prefix}/recipe/user/passwordhash/import`, {
        email: newEmail(),
        passwordHash,
        ...kindOf(passwordHash),
      });
    for (const prefix of [app, await newTenant(core, app)]) {
      expect((await send(within, prefix)).http).toBe(200);
      const [http, status, message] = refusalOf(await send(over, prefix));
      expect([http, status]).toEqual([400, 'HASH_OVER_CEILING']);
      expect(message).toMatch(new RegExp(`the ceiling of ${ceiling}( \\w+)? set by ${setting}$`));
    }
    expect((await send(over, '')).http).toBe(200);
  });

  test('holds at sign-in too, for hashes that were imported before', async () => {
    const app = await newApp(core);
    const email = newEmail();
    const { hash = '', password = '' } = readVectors().find(({ id }) => id === '048') ?? {};
    await core.post(`${app}/recipe/user/passwordhash/import`, { email, passwordHash: hash });
    expect(await signIn(core, email, password, app)).toBe('OK');
    await putApp(app, { bcrypt_max_cost: 4 });
    expect(await signIn(core, email, password, app)).toBe('WRONG_CREDENTIALS_ERROR');
    await putApp(app, { bcrypt_max_cost: null });
    expect(await signIn(core, email, password, app)).toBe('OK');
  });
});

describe('a core config', () => {
  test('is merged: what is given replaces, null removes, the rest stays', async () => {
    const app = await newApp(core, { bcrypt_max_cost: 10, argon2_max_iterations: 3 });
    const changed = await putApp(app, { bcrypt_max_cost: 11, password_reset_token_lifetime: 1000 });
    expect(changed.body).toEqual({ status: 'OK', createdNew: false });
    await putApp(app, { argon2_max_iterations: null });
    expect(await configOf(app)).toEqual({ bcrypt_max_cost: 11, password_reset_token_lifetime: 1000 });
    await core.put('/recipe/multitenancy/app/v2', { appId: app.replace('/appid-', '') });
    expect(await configOf(app)).toEqual({ bcrypt_max_cost: 11, password_reset_token_lifetime: 1000 });
  });

  test.each([
    ['an unknown key', { colour: 'red' }, /Invalid config key: colour/],
    ['a key of the core alone', { port: 3567 }, /Invalid config key: port/],
    [
      'a value out of range',
      { bcrypt_max_cost: 32 },
      /'bcrypt_max_cost' must be a whole number from 4 to 31/,
    ],
    ['a value of another type', { bcrypt_max_cost: 'twelve' }, /'bcrypt_max_cost' must be a whole number/],
    ['an inherited name', { constructor: 1 }, /Invalid config key: constructor/],
  ])('with %s is refused and changes nothing', async (_what, coreConfig, why) => {
    const app = await newApp(core, { bcrypt_max_cost: 10 });
    for (const answer of [
      await putApp(app, coreConfig),
      await core.put(`${app}/recipe/multitenancy/tenant/v2`, { tenantId: 'fresh', coreConfig }),
    ]) {
      const [http, status, message] = refusalOf(answer);
      expect([http, status]).toEqual([400, 'INVALID_CORE_CONFIG']);
      expect(message).toMatch(new RegExp(`^Invalid core config: ${why.source}`));
    }
    expect(await configOf(app)).toEqual({ bcrypt_max_cost: 10 });
    const fresh = await core.get(`${app}/fresh/recipe/multitenancy/tenant/v2`);
    expect(fresh.body).toEqual({ status: 'TENANT_NOT_FOUND_ERROR' });
  });
});

describe('API keys of an app', () => {
  const own = 'a-key-of-the-app-and-nobody-else';
  const countAs = async (prefix: string, key: string | undefined): Promise<Answer['http']> => {
    const headers = key === undefined ? {} : { 'api-key': key };
    return (await fetch(`${core.url}${prefix}/users/count`, { headers })).status;
  };

  test('replace those of the core, in its tenants too, and are never shown', async () => {
    const app = await newApp(core, { api_keys: own });
    const tenant = await newTenant({ ...core, put: (path, input) => putAs(path, input, own) }, app);
    for (const prefix of [app, tenant])
      expect(
        await Promise.all([own, core.apiKey, `${own}!`, undefined].map((key) => countAs(prefix, key))),
      ).toEqual([200, 401, 401, 401]);
    const shown = await fetch(`${core.url}${app}/recipe/multitenancy/tenant/v2`, {
      headers: { 'api-key': own },
    });
    expect(await shown.json()).toMatchObject({ coreConfig: { api_keys: '***' } });
  });

  test('leave an app without them to the core’s, and an unknown app refused before it is looked for', async () => {
    const app = await newApp(core);
    expect(await countAs(app, own)).toBe(401);
    expect(await countAs('/appid-there-is-none', own)).toBe(401);
    expect(await countAs('/appid-there-is-none', core.apiKey)).toBe(400);
  });

  test('let in as much as an app keeps with a user, and no list of users', async () => {
    const app = await newApp(core, { api_keys: own });
    const tooLong = `The request body is larger than ${2 ** 20} bytes`;
    const metadata = (length: number) => ({ userId: 'u', metadataUpdate: { note: 'x'.repeat(length) } });
    const put = (input: object, key = own) => putAs(`${app}/recipe/user/metadata`, input, key);
    expect((await put(metadata(1_000_000))).body.metadata).toEqual({ note: 'x'.repeat(1_000_000) });
    expect(refusalOf(await put(metadata(1_000_000), `${own}!`))[0]).toBe(401);
    expect(refusalOf(await put(metadata(2 ** 20)))).toEqual([413, 'BODY_TOO_LARGE', tooLong]);
    const list = { 'api-key': own, 'content-type': 'application/json' };
    const users = JSON.stringify({ users: [], filler: 'x'.repeat(3 * 2 ** 20) });
    const sent = await fetch(`${core.url}${app}/bulk-import/users`, {
      method: 'POST',
      headers: list,
      body: users,
    });
    // The largest body of any route that an app's key opens: verification of a session with the largest payload.
    const message = `The request body is larger than ${3 * 2 ** 20} bytes`;
    expect([sent.status, await sent.json()]).toEqual([413, { status: 'BODY_TOO_LARGE', message }]);
  });

  test.each([
    ['the public app', { appId: 'public' }, '', /core's own configuration/],
    ['a tenant of it', { tenantId: 'acme' }, '', /core's own configuration/],
    ['a tenant of an app', { tenantId: 'acme' }, 'of an app', /not in one of its/],
  ])('cannot be set for %s', async (_what, names, where, why) => {
    const prefix = where === '' ? '' : await newApp(core);
    const path = `${prefix}/recipe/multitenancy/${'appId' in names ? 'app' : 'tenant'}/v2`;
    const answer = await core.put(path, { ...names, coreConfig: { api_keys: own } });
    expect([answer.http, answer.text]).toEqual([400, expect.stringMatching(why)]);
  });

  async function putAs(path: string, input: unknown, key: string): Promise<Answer> {
    const headers = { 'api-key': key, 'content-type': 'application/json' };
    const reply = await fetch(`${core.url}${path}`, { method: 'PUT', headers, body: JSON.stringify(input) });
    const text = await reply.text();
    return { http: reply.status, body: JSON.parse(text) as Answer['body'], text, headers: reply.headers };
  }
});

describe('lifetimes of sessions', () => {
  const short = { access_token_dynamic_signing_key_update_interval: '0.001' };

  test('have lower bounds, and a refresh token outlives an access token', async () => {
    const app = await newApp(core);
    for (const config of [short, { refresh_token_validity: 1, access_token_validity: 60 }])
      expect(refusalOf(await putApp(app, config))[2]).toMatch(/must be/);
    expect((await putApp(app, { refresh_token_validity: '1.5', access_token_validity: '60' })).http).toBe(
      200,
    );
  });

  test('have none in test mode', async () => {
    const test = await startTestCore({ settings: { TEST_MODE: 'true' } });
    try {
      expect(await newApp(test, short)).toMatch(/^\/appid-/);
    } finally {
      await test.stop();
    }
  });
});

test('a core that asks for no key serves every client that reaches it, except for apps with their own keys', async () => {
  const open = await startTestCore({ settings: { REQUIRE_API_KEY: 'false' } });
  try {
    const app = await newApp(open, { api_keys: 'a-key-of-the-app-and-nobody-else' });
    const count = async (prefix: string): Promise<number> =>
      (await fetch(`${open.url}${prefix}/users/count`)).status;
    expect([await count(''), await count(await newApp(open)), await count(app)]).toEqual([200, 200, 401]);
  } finally {
    await open.stop();
  }
});

test('a refusal is its message alone for a driver of the interface', async () => {
  const headers = { 'cdi-version': '5.4' };
  const [driver, other] = await Promise.all([
    fetch(`${core.url}/users/count`, { headers }),
    fetch(`${core.url}/users/count`),
  ]);
  expect([driver.headers.get('content-type'), await driver.text()]).toEqual([
    'text/plain; charset=utf-8',
    'Invalid API key\n',
  ]);
  expect(await other.json()).toEqual({ status: 'INVALID_API_KEY', message: 'Invalid API key' });
  // The supported versions are requested without one.
  expect(await (await fetch(`${core.url}/apiversion`)).text()).toBe('Invalid API key\n');
});
