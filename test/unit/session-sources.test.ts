import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { parseCoreConfig, presentCoreConfig } from '../../src/config/tenant-settings.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'session-sources-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'a' };
const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const auth0 = {
  name: 'old',
  speaks: 'jwt',
  profile: 'auth0',
  issuer: 'https://t.eu.auth0.com/',
  audience: 'a',
  until,
};
const secret = 'x'.repeat(32);

const load = (sources: unknown, environment: Record<string, string> = {}) =>
  loadConfig({ environment: { SESSION_SOURCES: JSON.stringify(sources), ...environment } }).defaults
    .sessionSources;
const loadOne = (change: object) => load([{ ...auth0, ...change }]);

describe('session_sources', () => {
  test('take what a profile knows', () => {
    expect(loadOne({})).toEqual([
      {
        reach: 'any',
        name: 'old',
        speaks: 'jwt',
        profile: 'auth0',
        issuers: ['https://t.eu.auth0.com/'],
        audiences: ['a'],
        audienceClaims: ['aud'],
        algorithms: ['RS256'],
        userId: 'sub',
        keys: { from: 'url', url: 'https://t.eu.auth0.com/.well-known/jwks.json', ca: undefined },
        until: Date.parse(until) + 86_400_000,
        maxAgeMs: 30 * 86_400_000,
        skewMs: 60_000,
        acceptsExpired: false,
        acceptsUndated: false,
      },
    ]);
    const firebase = loadOne({ profile: 'firebase', issuer: null, audience: null, project: 'shop' });
    expect(firebase?.[0]).toMatchObject({
      issuers: ['https://securetoken.google.com/shop'],
      audiences: ['shop'],
    });
  });

  test.each<[string, object, RegExp]>([
    ['no end', { until: null }, /'until' is missing: say on which day/],
    ['a past end', { until: '2020-01-01' }, /'until' has passed: remove the source/],
    ['an invalid day', { until: '2031-02-30' }, /'until' must be a day/],
    ['words for an end', { until: 'soon' }, /'until' must be a day/],
    ['an age without a unit', { max_age: '30' }, /'max_age' must be a number and a unit/],
    ['no age', { max_age: '0d' }, /'max_age' must be/],
    ['an endless age', { max_age: '9999d' }, /'max_age' .*at most 400d/],
    ['an age that is a number', { max_age: 30 }, /'max_age' must be/],
    ['no issuer', { issuer: null }, /'issuer' is missing/],
    ['no audience', { audience: null }, /'audience' is missing/],
    ['alg none', { algorithms: ['none'] }, /'algorithms' may list .*"none" means no signature/],
    ['HS256 with public keys', { algorithms: ['RS256', 'HS256'] }, /HS256 needs a secret/],
    ['RS256 with a secret', { secret, algorithms: ['RS256'] }, /others need keys/],
    ['a short secret', { secret: 'short' }, /'secret' must have 32 bytes/],
    ['no key at all', { keys: [] }, /'keys' holds no key/],
    ['an empty JWKS', { keys: { keys: [] } }, /'keys' holds no key/],
    ['an invalid key', { keys: [{ kty: 'oct', k: 'AAAA' }] }, /'keys' must hold public keys/],
    ['keys and a URL', { keys: [jwk], jwks: 'https://a.example/' }, /keep one of/],
    ['keys without TLS', { jwks: 'http://keys.example/' }, /'jwks' must begin with https/],
    ['an issuer without TLS', { issuer: 'http://auth.example' }, /'jwks' is missing/],
    ['a password in a URL', { jwks: 'https://a:b@keys.example/' }, /no user name or password/],
    ['a misspelled field', { maxage: '1d' }, /unknown field 'maxage'/],
    ['an unknown dialect', { speaks: 'smoke' }, /'speaks' must be one of jwt/],
    ['an unknown profile', { profile: 'auth1' }, /'profile' must be one of auth0/],
    ['a name with a space', { name: 'a b' }, /'name' must be 1 to 64/],
  ])('refuse %s, and name field and cure', (_what, change, message) => {
    expect(() => loadOne(change)).toThrow(message);
    expect(() => loadOne(change)).toThrow(/^session_sources: source 'old|^session_sources: source 'a b'/);
  });

  test('refuse a name twice, and what is no list', () => {
    expect(() => load([auth0, auth0])).toThrow(/'name' is another source's too/);
    expect(() => load({})).toThrow(/must be a list/);
    expect(() => load(['a'])).toThrow(/source 1: must be an object/);
  });

  test('pin keys as JWKS, as JWKs and as PEM, without what is private', () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const whole = { ...pair.privateKey.export({ format: 'jwk' }), kid: 'b' };
    const pem = publicKey.export({ format: 'pem', type: 'spki' });
    for (const keys of [{ keys: [whole] }, [whole], [pem], pem])
      expect(JSON.stringify(loadOne({ keys, algorithms: ['ES256'] }))).not.toContain('"d":');
  });

  test('have secrets in the environment and in files, never in messages', () => {
    const file = path.join(folder, 'secret');
    writeFileSync(file, `${secret}\n`);
    expect(load([{ ...auth0, secret_file: file }])).toMatchObject([{ keys: { from: 'secret', secret } }]);
    expect(load([{ ...auth0, secret_env: 'OLD' }], { OLD: secret })).toMatchObject([{ keys: { secret } }]);
    expect(() => load([{ ...auth0, secret_env: 'OLD' }])).toThrow(/'secret_env': the variable OLD is empty/);
    expect(() => loadOne({ secret: 'hush' })).toThrow(expect.not.stringContaining('hush') as string);
  });

  test('of an app are held to the same, and name no files', () => {
    const refusalOf = (change: object) => parseCoreConfig({ session_sources: [{ ...auth0, ...change }] });
    expect(refusalOf({})).toMatchObject({ ok: true });
    expect(refusalOf({ until: '2020-01-01' })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/'until' has passed/) as string,
    });
    expect(refusalOf({ secret_file: '/etc/passwd' })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/unknown field 'secret_file'/) as string,
    });
  });

  test('are shown without their secrets', () => {
    expect(presentCoreConfig({ session_sources: [{ ...auth0, secret }] })).toEqual({
      session_sources: [{ ...auth0, secret: '***' }],
    });
  });

  test('are accepted as the guide shows them', () => {
    const guide = readFileSync(new URL('../../docs/guide/keep-sessions.md', import.meta.url), 'utf8');
    const shown = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(shown).toHaveLength(7);
    for (const text of shown) {
      const file = path.join(folder, 'config.yaml');
      const kept = path.join(folder, 'kept');
      writeFileSync(kept, secret);
      const list = text.startsWith('session_sources:') ? text : `session_sources:\n${text}`;
      writeFileSync(file, list.replace(/secret_file: \S+/, `secret_file: ${kept}`));
      const APP_KEY = `base64:${Buffer.alloc(32, 7).toString('base64')}`;
      const others = { AUTH_SECRET: secret, OLD_CLIENT_SECRET: secret, SESSION_SECRET: secret };
      const environment = { APP_KEY, ...others };
      const { sessionSources } = loadConfig({ file, environment, now: 0 }).defaults;
      expect(sessionSources).toHaveLength(1);
    }
  });
});
