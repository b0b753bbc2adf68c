import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withSql } from '../helpers/database-door.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { importUser, newApp, newEmail } from '../helpers/people.ts';
import { carryFrom, newOldKey, type OldKey, signOld, soon } from '../helpers/old-tokens.ts';

const [rsa, ec] = [newOldKey('rsa', 'RS256'), newOldKey('ec')];
const until = soon();

/** An old system on this machine: its answer, and the requests to it. */
let answer: (path: string, body: string) => readonly [number, unknown];
let asked: string[] = [];
let old: Server;
let url: string;
let core: TestCore;
let app: string;
let oldId: string;
beforeAll(async () => {
  core = await startTestCore();
  old = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      asked.push(request.url ?? '');
      const [status, value] = answer(request.url ?? '', body);
      response.writeHead(status, { location: `${url}/elsewhere` }).end(JSON.stringify(value));
    });
  });
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
});
afterAll(async () => {
  old.closeAllConnections();
  old.close();
  await core.stop();
});
beforeEach(() => {
  asked = [];
  answer = () => [500, {}];
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** An app with this source, and a user that the old system knows. */
async function begin(source: object): Promise<void> {
  app = await newApp(core, { session_sources: [{ name: 'old', until, ...source }] });
  const { id } = await importUser(core, newEmail(), app);
  oldId = `old|${randomUUID()}`;
  await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: oldId });
}

const carry = (token: string) => core.post(`${app}/recipe/session/carry`, { source: 'old', token });
const seconds = () => Math.floor(Date.now() / 1000);
const times = () => ({ iat: seconds() - 60, exp: seconds() + 3600, jti: randomUUID() });

const project = { project: 'shop' };
const at = (path: string) => `https://old.example${path}`;
/** The claims of each system's tokens, as its documentation has them. */
const profiles: readonly (readonly [string, OldKey, object, () => object, object])[] = [
  ['auth0', rsa, { issuer: at('/'), audience: 'spa' }, () => ({ iss: at('/'), aud: ['api', 'spa'] }), {}],
  [
    ...(['firebase', rsa, project] as const),
    () => ({
      iss: 'https://securetoken.google.com/shop',
      aud: 'shop',
      auth_time: seconds() - 100,
      firebase: { sign_in_provider: 'password', sign_in_second_factor: 'totp' },
    }),
    { amr: ['password', 'totp', 'mfa'] },
  ],
  [
    ...(['firebase-cookie', rsa, project] as const),
    () => ({ iss: 'https://session.firebase.google.com/shop', aud: 'shop' }),
    {},
  ],
  [
    ...(['cognito', rsa, { issuer: at('/pool'), audience: 'client' }] as const),
    () => ({ iss: at('/pool'), client_id: 'client', token_use: 'access' }),
    {},
  ],
  [
    ...(['supabase', ec, { issuer: at('/auth/v1') }] as const),
    () => ({
      iss: at('/auth/v1'),
      aud: 'authenticated',
      role: 'authenticated',
      amr: [{ method: 'password', timestamp: seconds() - 90 }],
    }),
    { amr: ['password'] },
  ],
  [
    ...(['clerk', rsa, { issuer: at(''), audience: 'https://app.example' }] as const),
    () => ({ iss: at(''), azp: 'https://app.example', fva: [1, 0] }),
    { amr: ['mfa'] },
  ],
  [
    ...(['keycloak', rsa, { issuer: at('/realms/r'), audience: 'web' }] as const),
    () => ({ iss: at('/realms/r'), aud: 'account', azp: 'web', typ: 'Bearer' }),
    {},
  ],
  [
    ...(['entra', rsa, { issuer: at('/t/v2.0'), audience: 'client' }] as const),
    () => ({ iss: at('/t/v2.0'), aud: 'client', oid: oldId, sub: 'pairwise' }),
    {},
  ],
  [
    ...(['supertokens', rsa, { issuer: at('/auth') }] as const),
    () => ({ iss: at('/auth'), sessionHandle: 'h', 'st-mfa': { c: { emailpassword: 1 } } }),
    { amr: ['emailpassword'] },
  ],
  ['better-auth', newOldKey('ed', 'EdDSA'), { issuer: at('') }, () => ({ iss: at(''), aud: at('') }), {}],
];

describe('a JWT', () => {
  test.each(profiles)('of %s is exchanged', async (...[profile, key, rules, claims, carried]) => {
    await begin({ speaks: 'jwt', profile, keys: [key.jwk], ...rules });
    const { body } = await carry(await signOld(key, { sub: oldId, ...times(), ...claims() }));
    expect(body).toMatchObject({ status: 'OK', carried: { userId: oldId, ...carried } });
  });

  const logout = { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };
  const others: readonly (readonly [string, object, object])[] = [
    ['a logout token by its events', logout, {}],
    ['another event', { events: {} }, {}],
    ...['logout+jwt', 'secevent+jwt', 'application/secevent+jwt', 'dpop+jwt', 'kb+jwt', 7].map(
      (typ) => [`the type ${typ}`, {}, { typ }] as const,
    ),
    ['a machine, by its grant', { gty: 'client-credentials' }, {}],
    ['a refresh', { token_use: 'refresh' }, {}],
    ['a refresh, by type', { type: 'refresh' }, {}],
    ['a reset of a password', { purpose: 'password_reset' }, {}],
    ['the verification of an email', { typ: 'verify-email' }, {}],
  ];
  const wide = {
    auth0: { issuer: 'https://old.example/', audience: 'app' },
    firebase: { project: 'app' },
    none: { issuer: 'https://old.example/', audience: 'app', algorithms: ['RS256'] },
  };
  test.each(
    (Object.keys(wide) as (keyof typeof wide)[]).flatMap((profile) =>
      others.map(([what, change, header]) => [what, profile, change, header] as const),
    ),
  )('for %s does not belong to a session: %s', async (_what, profile, change, header) => {
    await begin({ speaks: 'jwt', profile, keys: [rsa.jwk], ...wide[profile] });
    const iss = profile === 'firebase' ? 'https://securetoken.google.com/app' : 'https://old.example/';
    const firebase = { sign_in_provider: 'password' };
    const claims = { iss, aud: 'app', sub: oldId, firebase, ...times() };
    const { body } = await carry(await signOld(rsa, { ...claims, ...change }, header));
    expect(body).toEqual({ status: 'CARRY_REFUSED_ERROR', reason: 'INVALID_TOKEN' });
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt'])
      expect((await carry(await signOld(rsa, { ...claims, jti: randomUUID() }, { typ }))).body.status).toBe(
        'OK',
      );
  });

  test('of firebase that does not say how its user signed in does not belong to a session', async () => {
    await begin({ speaks: 'jwt', profile: 'firebase', keys: [rsa.jwk], project: 'app' });
    const claims = { iss: 'https://securetoken.google.com/app', aud: 'app', sub: oldId, ...times() };
    expect((await carry(await signOld(rsa, claims))).body.reason).toBe('INVALID_TOKEN');
  });

  test('that is forged, foreign, expired or of another algorithm is never exchanged: 300 of them', async () => {
    const rules = { issuer: 'iss', audience: 'aud', algorithms: ['RS256', 'ES256'] };
    await begin({ speaks: 'jwt', ...rules, keys: [rsa.jwk, ec.jwk] });
    const right = () => ({ iss: 'iss', aud: 'aud', sub: oldId, ...times() });
    const attempts: string[] = [];
    for (let n = 0; n < 10; n++) attempts.push(...(await wrongTokens(right)));
    expect(attempts.length).toBeGreaterThanOrEqual(300);
    for (const attempt of attempts)
      expect([attempt, (await carry(attempt)).body.status]).toEqual([attempt, 'CARRY_REFUSED_ERROR']);
    expect((await carry(await signOld(rsa, right()))).body.status).toBe('OK');
  });

  test('is checked against fetched keys, and unknown ids are asked for once a minute', async () => {
    const key = newOldKey('now');
    const rules = { issuer: 'iss', audience: 'aud', algorithms: ['ES256'], jwks: `${url}/jwks` };
    answer = () => [200, { keys: [key.jwk, { kty: 'oct', k: 'AAAA', kid: 'shared' }] }];
    await begin({ speaks: 'jwt', ...rules });
    const token = (by: OldKey) => signOld(by, { iss: 'iss', aud: 'aud', sub: oldId, ...times() });
    expect((await carry(await token(key))).body.status).toBe('OK');
    for (let n = 0; n < 20; n++)
      expect((await carry(await token(newOldKey(`other ${n}`)))).body.reason).toBe('INVALID_TOKEN');
    expect(asked).toEqual(['/jwks']);
  });

  test.each<[string, () => readonly [number, unknown]]>([
    ['an error', () => [500, {}]],
    ['a redirect', () => [302, {}]],
    ['no key', () => [200, { keys: [] }]],
    ['too much', () => [200, { keys: [{ ...ec.jwk, x5c: 'x'.repeat(1_000_000) }] }]],
  ])('is not judged while the old system answers with %s', async (what, failing) => {
    answer = failing;
    const path = `/${what.replaceAll(' ', '-')}`;
    const rules = { issuer: 'iss', audience: 'aud', algorithms: ['ES256'], jwks: `${url}${path}` };
    await begin({ speaks: 'jwt', ...rules });
    const answered = await carry(await signOld(ec, { iss: 'iss', aud: 'aud', sub: oldId, ...times() }));
    expect([answered.http, answered.body.status]).toEqual([503, 'OLD_SYSTEM_UNAVAILABLE']);
    expect(answered.headers.get('retry-after')).toBe('5');
    expect(asked).toEqual([path]);
  });
});

/** Thirty, each with a fault. */
async function wrongTokens(right: () => Readonly<Record<string, unknown>>): Promise<string[]> {
  const signed = (claims: object, header: object = {}, key: OldKey = rsa) =>
    signOld(key, { ...right(), ...claims }, header);
  const stranger = newOldKey('rsa');
  const whole = await signed({});
  const [head = '', body = '', signature = ''] = whole.split('.');
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = (header: object) => `${encoded(header)}.${body}.`;
  const byPublicKey = `${encoded({ alg: 'HS256', kid: 'rsa' })}.${body}`;
  const hmac = createHmac('sha256', JSON.stringify(rsa.jwk)).update(byPublicKey).digest('base64url');
  const altered = encoded({ ...right(), sub: 'admin' });
  return [
    unsigned({ alg: 'none' }),
    unsigned({ alg: 'None', kid: 'rsa' }),
    unsigned({ alg: 'RS256', kid: 'rsa' }),
    `${byPublicKey}.${hmac}`,
    `${head}.${altered}.${signature}`,
    `${head}.${body}.${signature.slice(4)}`,
    `${head}.${body}.AAAA`,
    `${head}.${body}`,
    `${whole}.`,
    ` ${whole}`,
    `${head}..${signature}`,
    await signed({}, { alg: 'ES256', kid: 'ec' }, stranger),
    await signed({}, { kid: 'rsa' }, { ...ec, kid: 'rsa' }),
    await signed({}, { kid: 'unknown' }),
    await signed({}, { kid: 'unknown' }, ec),
    await signed({}, { kid: 'rsa', jwk: stranger.jwk }, { ...stranger, kid: 'rsa' }),
    await signed({}, { kid: 'ec' }, { ...stranger, kid: 'ec' }),
    await signed({ iss: 'other' }),
    await signed({ iss: ['iss'] }),
    await signed({ iss: undefined }),
    await signed({ aud: 'other' }),
    await signed({ aud: undefined }),
    await signed({ aud: [] }),
    await signed({ exp: seconds() - 120 }),
    await signed({ exp: 'never' }),
    await signed({ nbf: seconds() + 300 }),
    await signed({ iat: seconds() + 300 }),
    await signed({ iat: undefined }),
    await signed({ iat: seconds() - 31 * 86_400 }),
    await signed({ sub: '' }),
    await signed({ sub: { id: 1 } }),
    await signed({ sub: undefined }),
  ];
}

describe('a token that only the old system can read', () => {
  const digest = (token: string) => createHash('sha256').update(token).digest('hex');
  const bring = (sessions: object[]) =>
    core.post(`${app}/recipe/session/carry/import`, { source: 'old', sessions });

  test('is exchanged once by its imported digest, until its end', async () => {
    await begin({ speaks: 'opaque' });
    const expiresAt = Date.now() + 3_600_000;
    const record = { kind: 'session', userId: oldId, tokenSha256: digest('a'), expiresAt };
    const ended = { ...record, tokenSha256: digest('b'), expiresAt: Date.now() - 120_000 };
    expect((await bring([record, ended, record])).body).toEqual({ status: 'OK', imported: 3 });
    expect((await carry('a')).body).toMatchObject({ status: 'OK', carried: { userId: oldId } });
    expect((await carry('b')).body).toMatchObject({ reason: 'EXPIRED' });
    expect((await carry('c')).body).toMatchObject({ reason: 'INVALID_TOKEN' });
  });

  test('is ended by a sign-out everywhere, however late it was imported', async () => {
    await begin({ speaks: 'opaque' });
    await core.post(`${app}/recipe/session/remove`, { userId: oldId });
    await bring([{ userId: oldId, tokenSha256: digest('a'), expiresAt: Date.now() + 3_600_000 }]);
    expect((await carry('a')).body).toMatchObject({ reason: 'NOT_ALLOWED' });
  });

  test('goes with its user', async () => {
    await begin({ speaks: 'opaque' });
    await bring([{ userId: oldId, tokenSha256: digest(oldId), expiresAt: Date.now() + 3_600_000 }]);
    await core.post(`${app}/user/remove`, { userId: oldId });
    await withSql(core.database.connection, async (sql) => {
      const [kept] =
        await sql`select count(*)::int as count from carryover.opaque_tokens where user_id = ${oldId}`;
      expect(kept?.count).toBe(0);
    });
  });

  test('is imported for a source of that sort alone', async () => {
    await begin({ speaks: 'jwt', profile: 'auth0', issuer: 'i', audience: 'a', keys: [rsa.jwk] });
    const { http } = await bring([{ userId: oldId, tokenSha256: digest('a'), expiresAt: 1 }]);
    expect(http).toBe(400);
  });
});

describe('a refresh token', () => {
  const source = () => ({
    speaks: 'refresh',
    token_url: `${url}/token`,
    client_id: 'web',
    client_secret: 'hush',
    issuer: 'iss',
    audience: 'web',
    algorithms: ['ES256'],
    keys: [ec.jwk],
  });
  const jwt = () =>
    signOld(ec, { iss: 'iss', aud: 'web', sub: oldId, auth_time: seconds() - 300, ...times() });

  test('is redeemed once at the old system, however many bring it', async () => {
    await begin(source());
    const idToken = await jwt();
    answer = (_path, body) => [body.includes('client_secret=hush') ? 200 : 400, { id_token: idToken }];
    const made = await Promise.all(
      Array.from({ length: 50 }, () => carryFrom(core, app, { source: 'old', token: 'refresh-me' })),
    );
    expect(new Set(made.map(({ body }) => (body.session as { handle: string }).handle)).size).toBe(1);
    expect(asked).toEqual(['/token']);
  });

  test('is refused when the old system refuses it, and by nothing else', async () => {
    await begin(source());
    answer = () => [400, { error: 'invalid_grant' }];
    expect((await carry('spent')).body).toMatchObject({ reason: 'INVALID_TOKEN' });
    for (const [status, value] of [
      [500, {}],
      [400, { error: 'invalid_client' }],
      [302, {}],
      [200, {}],
      [200, 'x'.repeat(100_000)],
    ] as const) {
      answer = () => [status, value];
      const answered = await carry('good');
      expect([answered.http, answered.body.status]).toEqual([503, 'OLD_SYSTEM_UNAVAILABLE']);
    }
    const idToken = await jwt();
    answer = () => [200, { id_token: idToken }];
    expect((await carry('good')).body.status).toBe('OK');
  });
});
