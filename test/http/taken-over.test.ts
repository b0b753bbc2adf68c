/** A record takes over an account that an attacker signed up with its email: nothing created there opens it any more. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';

let core: TestCore;
let app: string;

beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core);
});

const email = 'ada@example.com';
const typed = 'the-squatter-chose-1t';
const google = { thirdPartyId: 'google', thirdPartyUserId: 'squatter' };

type Body = Record<string, unknown>;
const post = async (path: string, input: object) => (await core.post(`${app}${path}`, input)).body as Body;
const put = async (path: string, input: object) => (await core.put(`${app}${path}`, input)).body as Body;
const get = async (path: string) => (await core.get(`${app}${path}`)).body as Body;

const signUp = async () => (await post('/recipe/signup', { email, password: typed })).recipeUserId as string;

async function viaGoogle(): Promise<{ status: unknown; id: string; recipeUserId: string }> {
  const input = { ...google, email: { id: 'squatter@evil.example', isVerified: true } };
  const { status, user, recipeUserId } = await post('/recipe/signinup', input);
  return { status, id: (user as { id: string }).id, recipeUserId: recipeUserId as string };
}

async function link(primary: string, other: string): Promise<void> {
  expect(await post('/recipe/accountlinking/user/primary', { recipeUserId: primary })).toMatchObject({
    status: 'OK',
  });
  const input = { primaryUserId: primary, recipeUserId: other };
  expect(await post('/recipe/accountlinking/user/link', input)).toMatchObject({ status: 'OK' });
}

async function beginSession(userId: string): Promise<string> {
  const input = { userId, userDataInJWT: {}, userDataInDatabase: {}, enableAntiCsrf: false };
  return ((await post('/recipe/session', input)).refreshToken as { token: string }).token;
}

const refresh = async (refreshToken: string) =>
  (
    await post('/recipe/session/refresh', {
      refreshToken,
      enableAntiCsrf: false,
      useDynamicSigningKey: true,
    })
  ).status;

const signIn = async (password: string) => (await post('/recipe/signin', { email, password })).status;

interface Job {
  readonly id: string;
  readonly updated: number;
}

async function runImport(record: object, query = ''): Promise<Job> {
  const response = await fetch(`${core.url}${app}/bulk-import/jobs${query}`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey },
    body: `${JSON.stringify(record)}\n`,
  });
  return ((await response.json()) as { job: Job }).job;
}

const method = { recipeId: 'emailpassword', email, isVerified: true, passwordHash: knownHash };
const record = { externalUserId: 'ada', loginMethods: [method] };

/** The three ways in which a record arrives. */
const ways: [string, () => Promise<void>][] = [
  [
    'a job',
    async () => {
      expect(await runImport(record)).toMatchObject({ updated: 1, rejected: 0 });
    },
  ],
  [
    'the queue',
    async () => {
      expect(await post('/bulk-import/users', { users: [record] })).toMatchObject({ status: 'OK' });
      await expect.poll(async () => (await get('/bulk-import/users/count')).count).toBe(0);
    },
  ],
  [
    'a single import',
    async () => {
      expect(await post('/bulk-import/import', record)).toMatchObject({ status: 'OK' });
    },
  ],
];

describe.each(ways)('by %s', (_, bring) => {
  test('the linked login method is a user of its own, with its own things', async () => {
    const [mine, other] = [await signUp(), await viaGoogle()];
    await put('/recipe/user/metadata', { userId: other.id, metadataUpdate: { own: 1 } });
    await link(mine, other.recipeUserId);
    const sessions = [await beginSession(mine), await beginSession(other.recipeUserId)];
    await bring();
    const after = await viaGoogle();
    expect(after).toMatchObject({ status: 'OK', id: other.recipeUserId });
    expect(await get(`/recipe/user/metadata?userId=${after.id}`)).toMatchObject({ metadata: { own: 1 } });
    for (const session of sessions) expect(await refresh(session)).toBe('UNAUTHORISED');
    const { user } = await get('/user/id?userId=ada');
    expect((user as { loginMethods: unknown[] }).loginMethods).toHaveLength(1);
    expect([await signIn(typed), await signIn(knownPassword)]).toEqual(['WRONG_CREDENTIALS_ERROR', 'OK']);
  });

  test('where another login method was the head, that user stays as it is', async () => {
    const [mine, other] = [await signUp(), await viaGoogle()];
    await link(other.recipeUserId, mine);
    await put('/recipe/user/metadata', { userId: other.id, metadataUpdate: { own: 1 } });
    await bring();
    expect(await viaGoogle()).toMatchObject({ status: 'OK', id: other.id });
    expect(await get(`/recipe/user/metadata?userId=${other.id}`)).toMatchObject({ metadata: { own: 1 } });
    const { user } = await get('/user/id?userId=ada');
    expect((user as { loginMethods: unknown[] }).loginMethods).toHaveLength(1);
    expect([await signIn(typed), await signIn(knownPassword)]).toEqual(['WRONG_CREDENTIALS_ERROR', 'OK']);
  });

  test('metadata, roles, devices, codes, tokens, sessions and the id that was given here go', async () => {
    const mine = await signUp();
    const mapping = { superTokensUserId: mine, externalUserId: 'squat' };
    expect(await post('/recipe/userid/map', mapping)).toMatchObject({ status: 'OK' });
    await put('/recipe/user/metadata', { userId: 'squat', metadataUpdate: { plan: 'evil' } });
    await put('/recipe/role', { role: 'admin', permissions: [] });
    expect(await put('/recipe/user/role', { userId: 'squat', role: 'admin' })).toMatchObject({
      status: 'OK',
    });
    const device = { userId: 'squat', deviceName: 'd', skew: 1, period: 30 };
    const { secret } = await post('/recipe/totp/device', device);
    expect(secret).toEqual(expect.any(String));
    const { token: reset } = await post('/recipe/user/password/reset/token', { userId: 'squat', email });
    const { token: verify } = await post('/recipe/user/email/verify/token', { userId: 'squat', email });
    const code = await post('/recipe/signinup/code', { email });
    const session = await beginSession('squat');
    await bring();
    expect(await get('/recipe/user/metadata?userId=ada')).toMatchObject({ metadata: {} });
    expect(await get('/recipe/user/roles?userId=ada')).toMatchObject({ roles: [] });
    expect(await get('/recipe/totp/device/list?userId=ada')).toMatchObject({ devices: [] });
    expect(await refresh(session)).toBe('UNAUTHORISED');
    expect(
      await post('/recipe/user/password/reset/token/consume', { method: 'token', token: reset }),
    ).toMatchObject({ status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR' });
    expect(await post('/recipe/user/email/verify', { method: 'token', token: verify })).toMatchObject({
      status: 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR',
    });
    expect(
      await post('/recipe/signinup/code/consume', {
        preAuthSessionId: code.preAuthSessionId,
        linkCode: code.linkCode,
      }),
    ).toMatchObject({ status: 'RESTART_FLOW_ERROR' });
    expect(await get('/user/id?userId=squat')).toMatchObject({ status: 'UNKNOWN_USER_ID_ERROR' });
    expect(await get('/user/id?userId=ada')).toMatchObject({ status: 'OK', user: { id: 'ada' } });
  });
});

test('an undo brings back what was typed here, and no link', async () => {
  const [mine, other] = [await signUp(), await viaGoogle()];
  await link(mine, other.recipeUserId);
  await put('/recipe/user/metadata', { userId: mine, metadataUpdate: { plan: 'free' } });
  const { id } = await runImport(record);
  expect(await post(`/bulk-import/jobs/${id}/undo`, {})).toMatchObject({ status: 'OK' });
  expect([await signIn(typed), await signIn(knownPassword)]).toEqual(['OK', 'WRONG_CREDENTIALS_ERROR']);
  expect(await viaGoogle()).toMatchObject({ id: other.recipeUserId });
  expect(await get(`/recipe/user/metadata?userId=${mine}`)).toMatchObject({ metadata: { plan: 'free' } });
});

test('a login method of an imported user does not lose its links to a squatted one', async () => {
  const mine = await signUp();
  const other = await viaGoogle();
  await link(mine, other.recipeUserId);
  const own = { recipeId: 'thirdparty', ...google, email: 'squatter@evil.example', isVerified: true };
  await runImport({ externalUserId: 'squatter', loginMethods: [own] });
  expect(await runImport(record)).toMatchObject({ updated: 0, rejected: 1 });
  expect(await viaGoogle()).toMatchObject({ status: 'OK', id: 'squatter' });
});

describe('a record that does not say that the email is verified', () => {
  async function verified(): Promise<string> {
    const mine = await signUp();
    const { token } = await post('/recipe/user/email/verify/token', { userId: mine, email });
    await post('/recipe/user/email/verify', { method: 'token', token });
    return mine;
  }

  test.each(['update', 'theirs', 'ours'])(
    'gives a verified user no id and no login method: %s',
    async (rule) => {
      const mine = await verified();
      const stranger = {
        externalUserId: 'stranger',
        userMetadata: { plan: 'evil' },
        loginMethods: [
          { ...method, isVerified: false, isPrimary: true },
          { recipeId: 'thirdparty', ...google, email: 'squatter@evil.example', isVerified: true },
        ],
      };
      const job = await runImport(stranger, `?onConflict=${rule}`);
      expect(job).toMatchObject({ unchanged: 1, conflicts: 1, rejected: 0 });
      expect(await get(`/user/id?userId=${mine}`)).toMatchObject({
        user: { id: mine, isPrimaryUser: false },
      });
      expect(await viaGoogle()).not.toMatchObject({ id: mine });
      expect(await get(`/recipe/user/metadata?userId=${mine}`)).toMatchObject({ metadata: {} });
      expect([await signIn(typed), await signIn(knownPassword)]).toEqual(['OK', 'WRONG_CREDENTIALS_ERROR']);
    },
  );

  test('changes nothing of how an account is entered that its owner has claimed by a reset link', async () => {
    const unverified = { ...method, isVerified: false };
    await runImport({ externalUserId: 'stranger', loginMethods: [unverified] });
    const { token } = await post('/recipe/user/password/reset/token', { userId: 'stranger', email });
    await post('/recipe/user/password/reset/token/consume', { method: 'token', token });
    await put('/recipe/user', { recipeUserId: 'stranger', password: 'the-owner-chose-1t' });
    const moved = {
      externalUserId: 'stranger',
      loginMethods: [
        { ...method, email: 'squatter@evil.example', isPrimary: true },
        { recipeId: 'thirdparty', ...google, email: 'squatter@evil.example', isVerified: true },
      ],
    };
    const job = await runImport(moved, '?onConflict=theirs');
    expect(job).toMatchObject({ conflicts: 2, rejected: 0 });
    expect(await signIn('the-owner-chose-1t')).toBe('OK');
    expect(await viaGoogle()).not.toMatchObject({ id: 'stranger' });
  });
});
