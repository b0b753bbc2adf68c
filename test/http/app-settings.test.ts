/** What an app or a tenant sets for itself (`coreConfig`), and what it does. */
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
    ['an unknown key', { colour: 'red' }, /'colour' is not a key that an app or a tenant can set/],
    ['a key of the core alone', { api_keys: 'x'.repeat(30) }, /'api_keys' is not a key/],
    [
      'a value out of range',
      { bcrypt_max_cost: 32 },
      /'bcrypt_max_cost' must be a whole number from 4 to 31/,
    ],
    ['a value of another type', { bcrypt_max_cost: 'twelve' }, /'bcrypt_max_cost' must be a whole number/],
    ['an inherited name', { constructor: 1 }, /'constructor' is not a key/],
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
