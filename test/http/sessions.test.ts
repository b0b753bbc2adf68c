import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import type { User } from '../../src/domain/model.ts';
import { importUser, newApp, newEmail, newTenant, refusalOf } from '../helpers/people.ts';

interface TokenInfo {
  readonly token: string;
  readonly expiry: number;
  readonly createdTime: number;
}

interface Answered {
  readonly status: string;
  readonly message?: string;
  readonly session: {
    readonly handle: string;
    readonly userId: string;
    readonly recipeUserId: string;
    readonly userDataInJWT: Record<string, unknown>;
    readonly tenantId: string;
  };
  readonly accessToken: TokenInfo;
  readonly refreshToken: TokenInfo;
  readonly antiCsrfToken?: string;
}

const start = 1_700_000_000_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let now = start;
let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ overrides: { now: () => now } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  now += dayMs;
  app = await newApp(core);
});

async function post(path: string, input: object, prefix = app): Promise<Answered> {
  const answer = await core.post(`${prefix}${path}`, input);
  expect([answer.http, answer.text]).toEqual([200, answer.text]);
  return answer.body as unknown as Answered;
}

const create = (input: object = {}, prefix = app): Promise<Answered> =>
  post(
    '/recipe/session',
    { userId: 'u', enableAntiCsrf: false, userDataInJWT: {}, userDataInDatabase: {}, ...input },
    prefix,
  );
const refresh = (refreshToken: string, input: object = {}, prefix = app): Promise<Answered> =>
  post(
    '/recipe/session/refresh',
    { refreshToken, enableAntiCsrf: false, useDynamicSigningKey: true, ...input },
    prefix,
  );
const verifySession = (accessToken: string, input: object = {}, prefix = app): Promise<Answered> =>
  post(
    '/recipe/session/verify',
    { accessToken, enableAntiCsrf: false, doAntiCsrfCheck: false, checkDatabase: false, ...input },
    prefix,
  );
const regenerate = (accessToken: string, input: object = {}) =>
  post('/recipe/session/regenerate', { accessToken, ...input });

const claimsOf = (token: string) => partOf(token, 1);
const partOf = (token: string, part: number) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Jwk {
  readonly kid: string;
  readonly n: string;
  readonly e: string;
}

async function keys(prefix = app): Promise<Jwk[]> {
  const response = await fetch(`${core.url}${prefix}/.well-known/jwks.json`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { keys: Jwk[] }).keys;
}

async function isSigned(token: string): Promise<boolean> {
  const jwk = (await keys()).find(({ kid }) => kid === partOf(token, 0).kid);
  if (jwk === undefined) return false;
  const key = createPublicKey({ key: { kty: 'RSA', n: jwk.n, e: jwk.e }, format: 'jwk' });
  const [head = '', body = '', signature = ''] = token.split('.');
  return verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
}

describe('a new session', () => {
  test('has the tokens and claims of the interface, and verifies by the published keys', async () => {
    const userDataInJWT = { b: null, a: { deep: [1, 'two'] }, 'st-ev': { v: true, t: 1 } };
    const made = await create({ userDataInJWT, userDataInDatabase: { kept: null } });
    expect(Object.keys(made)).toEqual(['status', 'session', 'accessToken', 'refreshToken']);
    expect(made.session).toEqual({
      handle: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      userId: 'u',
      recipeUserId: 'u',
      userDataInJWT,
      tenantId: 'public',
    });
    const seconds = Math.floor(now / 1000);
    expect(made.accessToken).toMatchObject({ expiry: (seconds + 3600) * 1000, createdTime: seconds * 1000 });
    expect(made.refreshToken).toMatchObject({ expiry: now + 100 * dayMs, createdTime: now });
    const { token } = made.accessToken;
    expect(partOf(token, 0)).toEqual({
      kid: expect.stringMatching(/^d-/) as string,
      typ: 'JWT',
      version: '5',
      alg: 'RS256',
    });
    expect(claimsOf(token)).toEqual({
      ...userDataInJWT,
      sub: 'u',
      rsub: 'u',
      tId: 'public',
      iat: seconds,
      exp: seconds + 3600,
      sessionHandle: made.session.handle,
      refreshTokenHash1: sha256(made.refreshToken.token),
      parentRefreshTokenHash1: null,
      antiCsrfToken: null,
    });
    expect(Object.keys(claimsOf(token)).slice(0, 3)).toEqual(Object.keys(userDataInJWT));
    expect(await isSigned(token)).toBe(true);
    expect(await verifySession(token)).toEqual({ status: 'OK', session: made.session });
  });

  test('is of the login method that the id means, external or not', async () => {
    const { id } = await importUser(core, newEmail(), app);
    await core.post(`${app}/recipe/userid/map`, {
      superTokensUserId: id,
      externalUserId: 'legacy-1',
      force: true,
    });
    for (const userId of [id, 'legacy-1']) {
      const { session } = await create({ userId });
      expect([session.userId, session.recipeUserId]).toEqual(['legacy-1', 'legacy-1']);
    }
    const listed = await core.get(`${app}/recipe/session/user`, { userId: id });
    expect(listed.body.sessionHandles).toHaveLength(2);
  });

  test('may be for any text, and is adopted by the user that is mapped to it', async () => {
    const { session } = await create({ userId: 'legacy-2' });
    await create({ userId: '' });
    const { id } = await importUser(core, newEmail(), app);
    await core.post(`${app}/recipe/userid/map`, {
      superTokensUserId: id,
      externalUserId: 'legacy-2',
      force: true,
    });
    const listed = await core.get(`${app}/recipe/session/user`, { userId: id });
    expect(listed.body).toEqual({ status: 'OK', sessionHandles: [session.handle] });
  });

  test('in a tenant names it in its handle', async () => {
    const tenant = await newTenant(core, app);
    const { session, refreshToken } = await create({}, tenant);
    const tenantId = tenant.split('/').at(-1) ?? '';
    expect(session).toMatchObject({
      tenantId,
      handle: expect.stringMatching(`^[0-9a-f-]{36}_${tenantId}$`) as string,
    });
    expect((await refresh(refreshToken.token)).session).toEqual(session);
  });

  test('with a claim of its own in the payload is refused', async () => {
    for (const claim of [
      'sub',
      'exp',
      'tId',
      'rsub',
      'sessionHandle',
      'refreshTokenHash1',
      'antiCsrfToken',
    ]) {
      const input = {
        userId: 'u',
        enableAntiCsrf: false,
        userDataInJWT: { [claim]: 1 },
        userDataInDatabase: {},
      };
      const answer = await core.post(`${app}/recipe/session`, input);
      expect([answer.http, answer.body.message]).toEqual([400, 'The user payload contains protected field']);
    }
  });
});

describe('rotation', () => {
  test('a refresh changes nothing; the first use of its child spends the parent', async () => {
    const { refreshToken: r0 } = await create();
    const [first, second] = [await refresh(r0.token), await refresh(r0.token)];
    expect(claimsOf(first.accessToken.token).parentRefreshTokenHash1).toBe(sha256(r0.token));
    const verified = await verifySession(first.accessToken.token);
    expect(Object.keys(verified)).toEqual(['status', 'session', 'accessToken']);
    expect(claimsOf(verified.accessToken.token).parentRefreshTokenHash1).toBeNull();
    expect(await refresh(r0.token)).toEqual({
      status: 'TOKEN_THEFT_DETECTED',
      session: { handle: first.session.handle, userId: 'u', recipeUserId: 'u' },
    });
    expect((await refresh(second.refreshToken.token)).status).toBe('TOKEN_THEFT_DETECTED');
    const sibling = await verifySession(second.accessToken.token);
    expect([sibling.status, 'accessToken' in sibling]).toEqual(['OK', false]);
    expect((await refresh(first.refreshToken.token)).status).toBe('OK');
  });

  test('a refresh with a child spends the parent, too, and only then does the session last longer', async () => {
    const { session, refreshToken: r0 } = await create();
    const expiry = async () =>
      (await core.get(`${app}/recipe/session`, { sessionHandle: session.handle })).body.expiry;
    now += dayMs;
    const r1 = await refresh(r0.token);
    expect(await expiry()).toBe(r0.expiry);
    const r2 = await refresh(r1.refreshToken.token);
    expect([r2.status, await expiry()]).toEqual(['OK', now + 100 * dayMs]);
    expect((await refresh(r0.token)).status).toBe('TOKEN_THEFT_DETECTED');
  });

  test('many refreshes of one token at once all get children; the one that is used first wins', async () => {
    const { refreshToken } = await create();
    const children = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken.token)));
    expect(new Set(children.map((child) => child.refreshToken.token)).size).toBe(50);
    const used = await Promise.all(children.map((child) => refresh(child.refreshToken.token)));
    const statuses = used.map(({ status }) => status).sort();
    expect([statuses[0], new Set(statuses.slice(1))]).toEqual(['OK', new Set(['TOKEN_THEFT_DETECTED'])]);
  });

  test('many uses of one child at once are one promotion', async () => {
    const child = await refresh((await create()).refreshToken.token);
    const uses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? verifySession(child.accessToken.token) : refresh(child.refreshToken.token),
      ),
    );
    expect(new Set(uses.map(({ status }) => status))).toEqual(new Set(['OK']));
  });

  test('a foreign token, one of another app, a changed or a late one is unauthorised', async () => {
    const { refreshToken, session } = await create();
    const foreign = (await create({}, await newApp(core))).refreshToken.token;
    const { token } = refreshToken;
    const changed = token.slice(0, 40) + (token[40] === 'A' ? 'B' : 'A') + token.slice(41);
    for (const text of ['', 'garbage', `${token}=`, changed, foreign, 'x'.repeat(5000)])
      expect((await refresh(text)).status).toBe('UNAUTHORISED');
    now += 101 * dayMs;
    expect((await refresh(token)).status).toBe('UNAUTHORISED');
    const found = await core.get(`${app}/recipe/session`, { sessionHandle: session.handle });
    expect(found.body).toEqual({ status: 'UNAUTHORISED', message: 'Session does not exist.' });
  });
});

describe('verifying', () => {
  test('asks for a refresh of what is expired, forged, of another app, or signed otherwise', async () => {
    const { accessToken } = await create();
    const { token } = accessToken;
    const [head = '', body = '', signature = ''] = token.split('.');
    const other = Buffer.from(JSON.stringify({ ...claimsOf(token), sub: 'another' })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ ...partOf(token, 0), alg: 'none' })).toString('base64url');
    const hmac = Buffer.from(JSON.stringify({ ...partOf(token, 0), alg: 'HS256' })).toString('base64url');
    const foreign = (await create({}, await newApp(core))).accessToken.token;
    const forged = [
      `${head}.${other}.${signature}`,
      `${none}.${body}.`,
      `${hmac}.${body}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      foreign,
      'garbage',
    ];
    for (const text of forged) expect((await verifySession(text)).status).toBe('TRY_REFRESH_TOKEN');
    expect((await verifySession(token)).status).toBe('OK');
    now += hourMs + 1000;
    expect((await verifySession(token)).status).toBe('TRY_REFRESH_TOKEN');
  });

  test('compares the anti-CSRF token where it is asked to', async () => {
    const made = await create({ enableAntiCsrf: true });
    expect(made.antiCsrfToken).toMatch(/^[0-9a-f-]{36}$/);
    const check = { enableAntiCsrf: true, doAntiCsrfCheck: true };
    const { token } = made.accessToken;
    expect(await verifySession(token, check)).toMatchObject({ message: 'anti-csrf check failed' });
    expect(await verifySession(token, { ...check, antiCsrfToken: made.antiCsrfToken })).toMatchObject({
      status: 'OK',
    });
    const lacking = await refresh(made.refreshToken.token, { enableAntiCsrf: true });
    expect(lacking).toEqual({
      status: 'UNAUTHORISED',
      message: 'Anti CSRF token missing, or not matching',
    });
    const child = await refresh(made.refreshToken.token, {
      enableAntiCsrf: true,
      antiCsrfToken: made.antiCsrfToken,
    });
    expect([child.status, child.antiCsrfToken === made.antiCsrfToken]).toEqual(['OK', false]);
  });

  test('with the database sees that a session has ended, and another payload', async () => {
    const { accessToken, session } = await create({ userDataInJWT: { a: 1 } });
    const asked = { checkDatabase: true };
    expect(await verifySession(accessToken.token, asked)).toEqual({ status: 'OK', session });
    const put = await core.put(`${app}/recipe/jwt/data`, {
      sessionHandle: session.handle,
      userDataInJWT: { a: 2 },
    });
    expect(put.body).toEqual({ status: 'OK' });
    const changed = await verifySession(accessToken.token, asked);
    expect(changed.session.userDataInJWT).toEqual({ a: 2 });
    expect(claimsOf(changed.accessToken.token).a).toBe(2);
    const removed = await core.post(`${app}/recipe/session/remove`, { sessionHandles: [session.handle] });
    expect(removed.body).toEqual({ status: 'OK', sessionHandlesRevoked: [session.handle] });
    expect((await verifySession(accessToken.token, asked)).status).toBe('UNAUTHORISED');
    expect((await verifySession(accessToken.token)).status).toBe('OK');
  });
});

describe('regenerating', () => {
  test('gives a token with another payload and the same end', async () => {
    const { accessToken } = await create({ userDataInJWT: { a: 1 } });
    now += 60_000;
    const renewed = await regenerate(accessToken.token, { userDataInJWT: { b: 2 } });
    expect(renewed.session.userDataInJWT).toEqual({ b: 2 });
    expect(renewed.accessToken.expiry).toBe(accessToken.expiry);
    const kept = await regenerate(renewed.accessToken.token, { userDataInJWT: null });
    expect(kept.session.userDataInJWT).toEqual({ b: 2 });
    now += hourMs;
    const late = await regenerate(accessToken.token, { userDataInJWT: { c: 3 } });
    expect(Object.keys(late)).toEqual(['status', 'session']);
  });
});

describe('the sessions of a user', () => {
  test('are listed and ended by tenant, and go with the user and the tenant', async () => {
    const { id: userId } = await importUser(core, newEmail(), app);
    const tenant = await newTenant(core, app);
    const here = (await create({ userId })).session.handle;
    const there = (await create({ userId }, tenant)).session.handle;
    const handles = async (prefix: string, all: boolean) => {
      const asked = { userId, fetchAcrossAllTenants: String(all) };
      return (await core.get(`${prefix}/recipe/session/user`, asked)).body.sessionHandles;
    };
    expect(new Set((await handles(app, true)) as string[])).toEqual(new Set([here, there]));
    expect(await handles(app, false)).toEqual([here]);
    expect(await handles(tenant, false)).toEqual([there]);
    const refused = await core.get(`${tenant}/recipe/session/user`, { userId });
    expect(refused.http).toBe(403);
    await core.post(`${tenant}/recipe/session/remove`, { userId, revokeAcrossAllTenants: false });
    expect(await handles(app, true)).toEqual([here]);
    await core.post(`${app}/user/remove`, { userId });
    expect(await handles(app, true)).toEqual([]);
    await withSql(core.database.connection, async (sql) => {
      const appId = app.slice('/appid-'.length);
      const left = await sql`select 1 from sessions join apps using (app_no) where app_id = ${appId}`;
      expect(left).toHaveLength(0);
    });
  });

  test('are those of an import that brings the user later, with all that ends them', async () => {
    const userId = 'legacy-1';
    const begun = async () => (await create({ userId })).session.handle;
    const imported = async (externalUserId: string) => {
      const loginMethods = [
        { recipeId: 'thirdparty', email: newEmail(), thirdPartyId: 'g', thirdPartyUserId: newEmail() },
      ];
      const response = await fetch(`${core.url}${app}/bulk-import/jobs`, {
        method: 'PUT',
        headers: { 'api-key': core.apiKey },
        body: JSON.stringify({ externalUserId, loginMethods }),
      });
      expect(await response.json()).toMatchObject({ job: { created: 1 } });
      const { user } = (await core.get(`${app}/user/id`, { userId: externalUserId })).body as { user: User };
      return user.loginMethods[0]?.recipeUserId ?? '';
    };
    const handles = async () =>
      (await core.get(`${app}/recipe/session/user`, { userId })).body.sessionHandles as string[];
    const linking = (what: string, input: object) =>
      core.post(`${app}/recipe/accountlinking/user/${what}`, input);
    const ways = [
      () => core.post(`${app}/recipe/session/remove`, { userId }),
      () => core.post(`${app}/user/remove`, { userId }),
      () => core.post(`${app}/recipe/multitenancy/tenant/user/remove`, { recipeUserId: userId }),
      async () => {
        const primaryUserId = await imported('primary');
        await linking('primary', { recipeUserId: primaryUserId });
        return linking('link', { recipeUserId: userId, primaryUserId });
      },
    ];
    for (const end of ways) {
      app = await newApp(core);
      const [handle] = [await begun(), await imported(userId)];
      expect(await handles()).toEqual([handle]);
      expect((await end()).http).toBe(200);
      expect(await handles()).toEqual([]);
      const found = await core.get(`${app}/recipe/session`, { sessionHandle: handle });
      expect(found.body.status).toBe('UNAUTHORISED');
    }
  });

  test('are ended by one way at a time', async () => {
    const messages = [];
    for (const input of [{}, { userId: 'u', sessionHandles: [] }])
      messages.push((await core.post(`${app}/recipe/session/remove`, input)).body.message);
    expect(new Set(messages)).toEqual(
      new Set(['Invalid JSON input - use one of userId or sessionHandles array']),
    );
    const unknown = ['', 'x_unknown', '0191f3c2-0000-4000-8000-000000000000'];
    const removed = await core.post(`${app}/recipe/session/remove`, { sessionHandles: unknown });
    expect(removed.body).toEqual({ status: 'OK', sessionHandlesRevoked: [] });
  });

  test('keep data that is replaced as a whole', async () => {
    const { session } = await create({ userDataInDatabase: { a: null } });
    const sessionHandle = session.handle;
    await core.put(`${app}/recipe/session/data`, { sessionHandle, userDataInDatabase: { b: [1] } });
    const found = await core.get(`${app}/recipe/session`, { sessionHandle });
    expect(found.body).toEqual({
      status: 'OK',
      sessionHandle,
      userId: 'u',
      recipeUserId: 'u',
      userDataInDatabase: { b: [1] },
      userDataInJWT: {},
      expiry: now + 100 * dayMs,
      timeCreated: now,
      tenantId: 'public',
    });
  });
});

describe('keys', () => {
  test('are made together, are public, and may be kept for a while', async () => {
    const { accessToken } = await create();
    const response = await fetch(`${core.url}${app}/.well-known/jwks.json`);
    expect(response.headers.get('cache-control')).toBe('max-age=604740, must-revalidate');
    const kids = (await keys()).map(({ kid }) => kid.slice(0, 2));
    expect(kids).toEqual(['d-', 's-']);
    const jwt = await post('/recipe/jwt', {
      algorithm: 'rs256',
      jwksDomain: 'https://api',
      payload: { a: 1 },
      validity: 10,
    });
    const { jwt: token } = jwt as unknown as { jwt: string };
    const iat = Math.floor(now / 1000);
    expect(claimsOf(token)).toEqual({ iss: 'https://api', a: 1, iat, exp: iat + 10 });
    expect([await isSigned(token), partOf(token, 0).kid]).toEqual([true, (await keys())[1]?.kid]);
    expect(await isSigned(accessToken.token)).toBe(true);
  });

  test('sign no JWT that ends when it begins', async () => {
    const input = { algorithm: 'RS256', jwksDomain: 'https://api', payload: {}, validity: 0 };
    expect(refusalOf(await core.post(`${app}/recipe/jwt`, input))).toEqual([
      400,
      'INVALID_FIELD',
      'validity must be greater than or equal to 0',
    ]);
  });

  test('that are dynamic are replaced, published before they sign, and believed until their tokens end', async () => {
    const first = (await create()).accessToken.token;
    const kidOf = (token: string) => partOf(token, 0).kid;
    now += 7 * dayMs - 60_000 + 1;
    const second = (await create()).accessToken.token;
    expect(kidOf(second)).toBe(kidOf(first));
    expect(await keys()).toHaveLength(3);
    now += 60_000;
    const third = (await create()).accessToken.token;
    expect(kidOf(third)).not.toBe(kidOf(first));
    expect((await verifySession(second)).status).toBe('OK');
    now += 2 * hourMs + 60_000;
    expect((await keys()).map(({ kid }) => kid)).not.toContain(kidOf(first));
  });

  test('that sign are sealed in the database', async () => {
    await create();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const known = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(4, 26);
    await withSql(core.database.connection, async (sql) => {
      const rows = await sql<{ sealed_key: Buffer }[]>`select sealed_key from signing_keys`;
      expect(rows.length).toBeGreaterThanOrEqual(3);
      // The beginning of every RSA key in PKCS #8, after its length.
      for (const row of rows) expect(row.sealed_key.includes(known)).toBe(false);
    });
  });

  test('that this core cannot open keep it from starting, and say so', async () => {
    await create();
    const other = startTestCore({
      database: core.database,
      encryptionKeys: [Buffer.alloc(32, 9)],
      overrides: { now: () => now },
    });
    await expect(other).rejects.toThrow(/set 'encryption_keys' to the keys of the other cores/);
  });

  test('are opened by any of the configured ones, and the first seals', async () => {
    const { token } = (await create()).refreshToken;
    const other = await startTestCore({
      database: core.database,
      encryptionKeys: [Buffer.alloc(32, 9), Buffer.alloc(32, 7)],
      overrides: { now: () => now },
    });
    const answer = await other.post(`${app}/recipe/session/refresh`, {
      refreshToken: token,
      enableAntiCsrf: false,
      useDynamicSigningKey: false,
    });
    const { accessToken } = answer.body as unknown as Answered;
    expect(partOf(accessToken.token, 0).kid).toMatch(/^s-/);
    expect(await isSigned(accessToken.token)).toBe(true);
    await other.close();
  });

  test('are the same for cores that begin together', async () => {
    const other = await startTestCore({ database: core.database, overrides: { now: () => now } });
    const lists = await Promise.all(
      [core, other].map(async ({ url }) => (await fetch(`${url}${app}/.well-known/jwks.json`)).text()),
    );
    expect(lists[0]).toBe(lists[1]);
    const { token } = (await create()).accessToken;
    const answer = await other.post(`${app}/recipe/session/verify`, {
      accessToken: token,
      enableAntiCsrf: false,
      doAntiCsrfCheck: false,
      checkDatabase: true,
    });
    expect(answer.body.status).toBe('OK');
    await other.close();
  });
});

test('says what to configure where secrets cannot be sealed', async () => {
  const bare = await startTestCore({ encryptionKeys: [] });
  try {
    const answer = await bare.post('/recipe/session', {
      userId: 'somebody',
      enableAntiCsrf: false,
      userDataInJWT: {},
      userDataInDatabase: {},
    });
    expect(answer).toMatchObject({ http: 400 });
    expect(answer.text).toContain("set 'encryption_keys'");
  } finally {
    await bare.stop();
  }
});

test('a changed password ends all sessions of its user where the app asks for it', async () => {
  for (const [asked, left] of [
    [false, 1],
    [true, 0],
  ] as const) {
    const prefix = await newApp(core, { end_sessions_on_password_change: asked });
    const { id: userId } = await importUser(core, newEmail(), prefix);
    await create({ userId }, prefix);
    const changed = await core.put(`${prefix}/recipe/user`, {
      recipeUserId: userId,
      password: 'another long enough one',
    });
    expect(changed.body).toEqual({ status: 'OK' });
    const listed = await core.get(`${prefix}/recipe/session/user`, { userId });
    expect(listed.body.sessionHandles).toHaveLength(left);
  }
});

test('data of more than 64 KiB are kept with a session', async () => {
  const large = { text: 'x'.repeat(900_000) };
  const { session } = await create({ userDataInDatabase: large });
  const kept = await core.get(`${app}/recipe/session`, { sessionHandle: session.handle });
  expect(kept.body.userDataInDatabase).toEqual(large);
});
