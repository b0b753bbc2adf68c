/** A key that may only create users: it cannot affect an existing one, in any way of a record or a job. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { TestCore } from '../helpers/core.ts';
import { importUser, knownHash, knownPassword, newApp, newEmail, signIn } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

const keys = {
  creator: { scopes: ['import:new'], key: 'the-key-that-only-creates-users' },
  clerk: { scopes: ['import:new', 'admin'], key: 'the-key-that-creates-and-gives-roles' },
  mover: { scopes: ['import'], key: 'the-key-of-the-whole-migration' },
} as const;
type Who = keyof typeof keys;
const named = Object.entries(keys).map(([name, its]) => ({ name, ...its }));

let core: TestCore;
let app: string;
useCoreAndApps(
  (used) => {
    ({ core, app } = used);
  },
  { settings: { NAMED_KEYS: JSON.stringify(named) } },
);

type Json = Record<string, unknown>;
interface Answered {
  readonly http: number;
  readonly body: Json;
  readonly text: string;
}

interface Sent {
  readonly who?: Who;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function send(method: string, path: string, { who = 'creator', body, headers }: Sent = {}) {
  const isText = typeof body === 'string';
  const response = await fetch(core.url + app + path, {
    method,
    headers: {
      'api-key': keys[who].key,
      ...(isText && { 'content-type': 'application/x-ndjson' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = text.startsWith('{') && !text.includes('\n') ? (JSON.parse(text) as Json) : {};
  return { http: response.status, body: parsed, text } satisfies Answered;
}

const method = (email: string, more: Json = {}) => ({
  recipeId: 'emailpassword',
  email,
  passwordHash: knownHash,
  isVerified: true,
  ...more,
});
const lines = (...records: Json[]) => records.map((each) => `${JSON.stringify(each)}\n`).join('');

interface View {
  readonly id: string;
  readonly created: number;
  readonly skipped: number;
  readonly rejected: number;
}

async function job(file: string, options = 'onConflict=skip', who: Who = 'creator'): Promise<View> {
  const { http, body, text } = await send('PUT', `/bulk-import/jobs?${options}`, { who, body: file });
  expect(http, text).toBe(200);
  return body.job as View;
}

const otherHash = '$2b$04$abcdefghijklmnopqrstuu7v6gbeEoMv5mFbZ1D7W3xTxqXxqXxqX';

describe('a key with import:new', () => {
  test('creates users, by a job and one alone', async () => {
    const [one, two] = [newEmail(), newEmail()];
    expect(await job(lines({ loginMethods: [method(one)] }))).toMatchObject({ created: 1 });
    const single = await send('POST', '/bulk-import/import', { body: { loginMethods: [method(two)] } });
    expect(single.body.status, single.text).toBe('OK');
    for (const email of [one, two]) expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  });

  test('in parts: looks at its job and at what was rejected', async () => {
    const bytes = lines({ loginMethods: [method(newEmail())] }, { loginMethods: [] });
    const tus = { 'tus-resumable': '1.0.0' };
    const begun = await fetch(`${core.url}${app}/bulk-import/jobs?onConflict=reject`, {
      method: 'POST',
      headers: { ...tus, 'api-key': keys.creator.key, 'upload-length': String(bytes.length) },
    });
    expect(begun.status).toBe(201);
    const place = (begun.headers.get('location') ?? '').slice(app.length);
    const upload = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    expect((await send('PATCH', place, { body: bytes, headers: upload })).http).toBe(204);
    expect((await send('GET', place)).body.job).toMatchObject({ state: 'done', created: 1, rejected: 1 });
    expect((await send('GET', `${place}/rejects`)).text).toContain('"line":2');
    expect((await send('HEAD', place, { headers: tus })).http).toBe(200);
  });
});

describe('a user who exists', () => {
  let email: string;
  let id: string;
  beforeEach(async () => {
    email = newEmail();
    await core.put(`${app}/recipe/role`, { role: 'admin' });
    const record = {
      externalUserId: 'theirs',
      loginMethods: [method(email)],
      userMetadata: { plan: 'free' },
    };
    expect(await job(lines(record), 'onConflict=update', 'mover')).toMatchObject({ created: 1 });
    ({ id } = (await core.get(`${app}/user/id`, { userId: 'theirs' })).body.user as { id: string });
  });

  /** Everything that a thief would change. */
  async function state(): Promise<unknown> {
    const user = (await core.get(`${app}/user/id`, { userId: id })).body.user;
    const roles = (await core.get(`${app}/recipe/user/roles`, { userId: id })).body.roles;
    const { metadata } = (await core.get(`${app}/recipe/user/metadata`, { userId: id })).body;
    const devices = (await core.get(`${app}/recipe/totp/device/list`, { userId: id })).body.devices;
    return { user, roles, metadata, devices, signIn: await signIn(core, email, knownPassword, app) };
  }

  const attacks: readonly (readonly [string, (email: string) => Json])[] = [
    [
      'another hash',
      (its) => ({ externalUserId: 'theirs', loginMethods: [method(its, { passwordHash: otherHash })] }),
    ],
    ['another hash, by email alone', (its) => ({ loginMethods: [method(its, { passwordHash: otherHash })] })],
    ['another email', () => ({ externalUserId: 'theirs', loginMethods: [method(newEmail())] })],
    [
      'one more login method',
      (its) => ({ externalUserId: 'theirs', loginMethods: [method(its), method(newEmail())] }),
    ],
    [
      'a social login beside it',
      (its) => ({
        externalUserId: 'theirs',
        loginMethods: [
          method(its),
          { recipeId: 'thirdparty', email: its, thirdPartyId: 'google', thirdPartyUserId: 'evil' },
        ],
      }),
    ],
    [
      'metadata',
      (its) => ({ externalUserId: 'theirs', loginMethods: [method(its)], userMetadata: { plan: 'evil' } }),
    ],
    ['disabled', (its) => ({ externalUserId: 'theirs', loginMethods: [method(its)], isDisabled: true })],
    [
      'a second factor',
      (its) => ({
        externalUserId: 'theirs',
        loginMethods: [method(its)],
        totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }],
      }),
    ],
    ['the same ids', () => ({ externalUserId: 'theirs', sameIds: true, loginMethods: [method(newEmail())] })],
    [
      'a role',
      (its) => ({ externalUserId: 'theirs', loginMethods: [method(its)], userRoles: [{ role: 'admin' }] }),
    ],
  ];

  test.each(attacks)('is left as it was: %s', async (_what, record) => {
    const before = await state();
    for (const onConflict of ['skip', 'reject']) {
      const done = await job(lines(record(email)), `onConflict=${onConflict}`);
      expect(done).toMatchObject({ created: 0, updated: 0 });
    }
    const single = await send('POST', '/bulk-import/import', { body: record(email) });
    expect(single.http, single.text).not.toBe(200);
    expect(await state()).toEqual(before);
  });

  test('is not brought back who was removed', async () => {
    await core.post(`${app}/user/remove`, { userId: id });
    const record = { externalUserId: 'theirs', loginMethods: [method(email)] };
    expect(await job(lines({ ...record, restoreRemoved: true }, record))).toMatchObject({ rejected: 2 });
    expect((await core.get(`${app}/user/id`, { userId: 'theirs' })).body.status).toBe(
      'UNKNOWN_USER_ID_ERROR',
    );
  });
});

describe('what the key lacks is said with 403', () => {
  const file = lines({ loginMethods: [method('nobody@example.com')] });
  test.each([
    ['', 'onConflict=update'],
    ['onConflict=update', 'onConflict=update'],
    ['onConflict=theirs', 'onConflict=theirs'],
    ['onConflict=ours', 'onConflict=ours'],
    ['onConflict=skip&absent=report', 'absent=report'],
    ['onConflict=skip&absent=remove', 'absent=remove'],
    ['onConflict=skip&sameIds=true', 'sameIds'],
    ['onConflict=reject&restoreRemoved=true', 'restoreRemoved'],
  ])('a job with "%s"', async (options, what) => {
    for (const [verb, more] of [
      ['PUT', {}],
      ['POST', { headers: { 'upload-length': '10' }, body: undefined }],
    ] as const) {
      const { http, body } = await send(verb, `/bulk-import/jobs?${options}`, { body: file, ...more });
      expect([http, body.status]).toEqual([403, 'KEY_SCOPE_MISSING']);
      expect(body.message).toMatch(`The key 'creator' lacks the scope 'import', which ${what}`);
    }
  });

  test('options next to canaries, in the body', async () => {
    const canaries = [{ password: knownPassword, passwordHash: knownHash }];
    const { http, body } = await send('POST', '/bulk-import/jobs?onConflict=skip', {
      body: { canaries, onConflict: 'theirs' },
      headers: { 'content-type': 'application/json', 'upload-length': '10' },
    });
    expect([http, body.status]).toEqual([403, 'KEY_SCOPE_MISSING']);
  });

  test('bytes for a job that a key began which may do more', async () => {
    const tus = { 'tus-resumable': '1.0.0' };
    const begun = await fetch(`${core.url}${app}/bulk-import/jobs?onConflict=theirs`, {
      method: 'POST',
      headers: { ...tus, 'api-key': keys.mover.key, 'upload-length': String(file.length) },
    });
    const place = (begun.headers.get('location') ?? '').slice(app.length);
    const upload = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const refused = await send('PATCH', place, { body: file, headers: upload });
    expect([refused.http, refused.body.status]).toEqual([403, 'KEY_SCOPE_MISSING']);
    expect((await send('PATCH', place, { who: 'mover', body: file, headers: upload })).http).toBe(204);
  });

  test('what is not an import of new users', async () => {
    const done = await job(lines({ loginMethods: [method(newEmail())] }));
    const place = `/bulk-import/jobs/${done.id}`;
    const asked: readonly (readonly [string, string])[] = [
      ['POST', `${place}/undo`],
      ['DELETE', place],
      ['DELETE', `${place}?purge=true`],
      ['POST', '/bulk-import/users'],
      ['POST', '/bulk-import/users/remove'],
      ['POST', '/recipe/user/passwordhash/import'],
      ['POST', '/recipe/totp/device/import'],
      ['POST', '/recipe/session/carry/import'],
      ['GET', '/bulk-export/users'],
    ];
    for (const [verb, path] of asked) {
      const { http, text } = await send(verb, path, verb === 'POST' ? { body: {} } : {});
      expect([http, text.includes('KEY_SCOPE_MISSING')], `${verb} ${path}: ${text}`).toEqual([403, true]);
    }
  });

  test('is counted as a refused key', async () => {
    await send('POST', '/bulk-import/import', {
      body: { loginMethods: [method(newEmail())], sameIds: true },
    });
    const list = () => core.get(`${app}/config/audit`, { what: 'key.refused' });
    await expect
      .poll(async () => (await list()).body.entries, { interval: 200 })
      .toEqual([expect.objectContaining({ who: 'creator', outcome: 'KEY_SCOPE_MISSING', count: 1 })]);
  });
});

describe('roles', () => {
  const withRole = (email: string) => ({ loginMethods: [method(email)], userRoles: [{ role: 'admin' }] });

  test('are refused to new users, too', async () => {
    const { id, rejected } = await job(lines(withRole(newEmail())));
    expect(rejected).toBe(1);
    const { text } = await send('GET', `/bulk-import/jobs/${id}/rejects`);
    expect(JSON.parse(text)).toMatchObject({
      line: 1,
      code: 'KEY_SCOPE_MISSING',
      field: 'userRoles',
      message: expect.stringContaining(
        "'creator' lacks one of the scopes 'import', 'admin', which userRoles",
      ) as string,
    });
    const single = await send('POST', '/bulk-import/import', { body: withRole(newEmail()) });
    expect([single.http, single.body.status]).toEqual([403, 'KEY_SCOPE_MISSING']);
  });

  test('may be given by a key that may give roles anyway', async () => {
    const email = newEmail();
    expect(await job(lines(withRole(email)), 'onConflict=skip', 'clerk')).toMatchObject({ created: 1 });
    const { users } = (await core.get(`${app}/recipe/role/users`, { role: 'admin' })).body;
    expect(users).toHaveLength(1);
  });
});

test('an app’s own key is bound by none of it', async () => {
  const own = 'a-key-that-is-of-this-app-alone';
  const other = await newApp(core, { api_keys: own });
  const { id } = await importUser(core, newEmail(), await newApp(core));
  expect(id).toBeTruthy();
  const response = await fetch(`${core.url}${other}/bulk-import/jobs?onConflict=theirs`, {
    method: 'PUT',
    headers: { 'api-key': own, 'content-type': 'application/x-ndjson' },
    body: lines({ loginMethods: [method(newEmail())], userRoles: [{ role: 'r' }] }),
  });
  expect(await response.json()).toMatchObject({ job: { created: 1 } });
});
