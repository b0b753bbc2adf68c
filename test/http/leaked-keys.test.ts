/** The statements of the page about leaked keys, by scope: each possible action is carried out, and impossible ones are refused. */
import { beforeEach, describe, expect, test } from 'vitest';
import { keyScopes, type KeyScope } from '../../src/domain/access/key-holder.ts';
import type { TestCore } from '../helpers/core.ts';
import { importUser, knownHash, knownPassword, newEmail, signIn, signInUp } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

const keyOf = (scope: KeyScope) => `the-leaked-key-with-${scope}-alone`;
const named = keyScopes.map((scope) => ({
  name: `leaked-${scope.replace(':', '-')}`,
  scopes: [scope],
  key: keyOf(scope),
}));

let core: TestCore;
let app: string;
useCoreAndApps(
  (used) => {
    ({ core, app } = used);
  },
  { settings: { NAMED_KEYS: JSON.stringify(named), ALLOW_HASH_EXPORT: 'true' } },
);

type Json = Record<string, unknown>;

/** @param input text: lines of an import */
async function use(scope: KeyScope, method: string, path: string, input?: object | string): Promise<Json> {
  const isText = typeof input === 'string';
  const response = await fetch(core.url + (path === '/metrics' ? path : app + path), {
    method,
    headers: { 'api-key': keyOf(scope), ...(isText && { 'content-type': 'application/x-ndjson' }) },
    ...(input !== undefined && { body: isText ? input : JSON.stringify(input) }),
  });
  const text = await response.text();
  return { http: response.status, text, ...(text.startsWith('{"s') ? (JSON.parse(text) as Json) : {}) };
}

let victim: { readonly id: string; readonly email: string };
beforeEach(async () => {
  const email = newEmail();
  victim = { id: (await importUser(core, email, app)).id, email };
});

const record = (more: object = {}, email = victim.email) =>
  `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: knownHash }], ...more })}\n`;
const ok = { http: 200, status: 'OK' };
const session = () => ({
  userId: victim.id,
  enableAntiCsrf: false,
  userDataInJWT: {},
  userDataInDatabase: {},
});
const password = 'what the thief 1 chose';

describe('a leaked key with sign-in', () => {
  test('sets passwords and emails, begins sessions, signs JWTs and makes tokens and codes for any user', async () => {
    const change = { recipeUserId: victim.id, password };
    expect(await use('sign-in', 'PUT', '/recipe/user', change)).toMatchObject(ok);
    expect(await signIn(core, victim.email, password, app)).toBe('OK');
    expect(await use('sign-in', 'POST', '/recipe/session', session())).toMatchObject(ok);
    const jwt = {
      algorithm: 'RS256',
      jwksDomain: 'https://a.test',
      payload: { sub: victim.id },
      validity: 60,
    };
    expect(await use('sign-in', 'POST', '/recipe/jwt', jwt)).toMatchObject(ok);
    const reset = { userId: victim.id, email: victim.email };
    expect(await use('sign-in', 'POST', '/recipe/user/password/reset/token', reset)).toMatchObject(ok);
    expect(await use('sign-in', 'POST', '/recipe/signinup/code', { email: victim.email })).toMatchObject({
      ...ok,
      userInputCode: expect.any(String) as string,
    });
    const metadata = { userId: victim.id, metadataUpdate: { plan: 'evil' } };
    expect(await use('sign-in', 'PUT', '/recipe/user/metadata', metadata)).toMatchObject(ok);
    const email = newEmail();
    expect(await use('sign-in', 'PUT', '/recipe/user', { recipeUserId: victim.id, email })).toMatchObject(ok);
  });

  test('removes a second factor, and links an account of its own', async () => {
    const device = { userId: victim.id, deviceName: 'phone', skew: 1, period: 30 };
    await core.post(`${app}/recipe/totp/device`, device);
    const removed = { userId: victim.id, deviceName: 'phone' };
    expect(await use('sign-in', 'POST', '/recipe/totp/device/remove', removed)).toMatchObject({
      ...ok,
      didDeviceExist: true,
    });
    const thief = await signInUp(core, 'thief', { id: newEmail() }, app);
    const path = '/recipe/accountlinking/user';
    await use('sign-in', 'POST', `${path}/primary`, { recipeUserId: victim.id });
    const pair = { recipeUserId: thief.id, primaryUserId: victim.id };
    expect(await use('sign-in', 'POST', `${path}/link`, pair)).toMatchObject(ok);
  });
});

test('a leaked key with read gets all users, and client secrets of providers', async () => {
  const clients = [{ clientId: 'ours', clientSecret: 'secret-of-the-provider' }];
  await core.put(`${app}/recipe/multitenancy/config/thirdparty`, {
    config: { thirdPartyId: 'google', clients },
  });
  expect((await use('read', 'GET', '/recipe/multitenancy/tenant/v2')).text).toContain(
    'secret-of-the-provider',
  );
  const { text } = await use('read', 'GET', '/users');
  expect(text).toContain(victim.email);
  expect(text).not.toContain(knownHash);
});

test('a leaked key with import sets passwords and roles of users who exist, and removes them', async () => {
  const hash = (await core.get(`${app}/bulk-export/users`)).text;
  expect(hash).toContain(knownHash);
  await core.put(`${app}/recipe/user`, { recipeUserId: victim.id, password });
  expect(await signIn(core, victim.email, password, app)).toBe('OK');
  const theirs = record({ userRoles: [{ role: 'admin' }] });
  expect(await use('import', 'PUT', '/bulk-import/jobs?onConflict=theirs', theirs)).toMatchObject(ok);
  expect(await signIn(core, victim.email, knownPassword, app)).toBe('OK');
  expect((await core.get(`${app}/recipe/user/roles`, { userId: victim.id })).body.roles).toEqual(['admin']);
  const device = { userId: victim.id, deviceName: 'd', skew: 1, period: 30, secretKey: 'JBSWY3DPEHPK3PXP' };
  expect(await use('import', 'POST', '/recipe/totp/device/import', device)).toMatchObject(ok);
  await use('import', 'PUT', '/bulk-import/jobs?source=a', record({}, newEmail()));
  const absent = '/bulk-import/jobs?source=a&absent=remove&absentYes=true';
  expect(await use('import', 'PUT', absent, record({}, newEmail()))).toMatchObject({
    job: { absentDone: 1 },
  });
});

test('a leaked key with import:new creates users, verified too, and changes none', async () => {
  const email = newEmail();
  const social = {
    recipeId: 'thirdparty',
    email,
    thirdPartyId: 'google',
    thirdPartyUserId: 'x',
    isVerified: true,
  };
  const created = await use('import:new', 'POST', '/bulk-import/import', { loginMethods: [social] });
  expect(created).toMatchObject({ ...ok, user: { loginMethods: [{ verified: true }] } });
  const theirs = record({ userMetadata: { plan: 'evil' } });
  expect(await use('import:new', 'PUT', '/bulk-import/jobs?onConflict=theirs', theirs)).toMatchObject({
    http: 403,
  });
  expect(await use('import:new', 'PUT', '/bulk-import/jobs?onConflict=skip', theirs)).toMatchObject({
    job: { created: 0, updated: 0, skipped: 1 },
  });
});

test('a leaked key with export reads every hash', async () => {
  expect((await use('export', 'GET', '/bulk-export/users')).text).toContain(knownHash);
});

test('a leaked key with admin removes users, gives roles, and becomes everything in an app by keys of its own', async () => {
  const map = { superTokensUserId: victim.id, externalUserId: 'another' };
  expect(await use('admin', 'POST', '/recipe/userid/map', map)).toMatchObject(ok);
  const change = { recipeUserId: victim.id, password };
  expect(await use('admin', 'PUT', '/recipe/user', change)).toMatchObject(ok);
  expect(await signIn(core, victim.email, password, app)).toBe('OK');
  await use('admin', 'PUT', '/recipe/role', { role: 'admin' });
  const role = { userId: victim.id, role: 'admin' };
  expect(await use('admin', 'PUT', '/recipe/user/role', role)).toMatchObject(ok);
  expect(await use('admin', 'POST', '/user/remove', { userId: victim.id })).toMatchObject(ok);
  const own = 'a-key-that-the-thief-has-made';
  const appId = app.replace('/appid-', '');
  const put = await fetch(`${core.url}/recipe/multitenancy/app/v2`, {
    method: 'PUT',
    headers: { 'api-key': keyOf('admin') },
    body: JSON.stringify({ appId, coreConfig: { api_keys: own } }),
  });
  expect(put.status).toBe(200);
  const users = await fetch(`${core.url}${app}/users`, { headers: { 'api-key': own } });
  expect(users.status).toBe(200);
});

test('a leaked key with move decides which system users sign in to', async () => {
  expect(await use('move', 'POST', '/move', { system: 'laravel' })).toMatchObject(ok);
  expect(await use('move', 'POST', '/move/close', { abandon: true })).toMatchObject(ok);
});

test('a leaked key with metrics reads rates', async () => {
  expect((await use('metrics', 'GET', '/metrics')).http).toBe(200);
});

const acts: Readonly<Record<string, readonly [string, string]>> = {
  'list users': ['GET', '/users'],
  'remove users': ['POST', '/user/remove'],
  'give roles': ['PUT', '/recipe/user/role'],
  'read hashes': ['GET', '/bulk-export/users'],
  import: ['PUT', '/bulk-import/jobs'],
  'begin sessions': ['POST', '/recipe/session'],
  'set passwords': ['PUT', '/recipe/user'],
  'change metadata': ['PUT', '/recipe/user/metadata'],
  'link users': ['POST', '/recipe/accountlinking/user/link'],
};
const cannot: Readonly<Record<KeyScope, readonly string[]>> = {
  'sign-in': ['list users', 'remove users', 'give roles', 'read hashes', 'import'],
  read: Object.keys(acts).filter((act) => act !== 'list users'),
  import: ['read hashes', 'begin sessions'],
  'import:new': Object.keys(acts).filter((act) => act !== 'import'),
  export: Object.keys(acts).filter((act) => act !== 'read hashes'),
  move: Object.keys(acts),
  admin: ['list users', 'begin sessions', 'read hashes', 'import'],
  metrics: Object.keys(acts),
};

test.each(keyScopes)('a leaked key with %s cannot do what the page says it cannot', async (scope) => {
  for (const act of cannot[scope]) {
    const [method, path] = acts[act] ?? ['', ''];
    const answer = await use(scope, method, path, method === 'GET' ? undefined : {});
    expect([act, answer.http, answer.status]).toEqual([act, 403, 'KEY_SCOPE_MISSING']);
  }
});
