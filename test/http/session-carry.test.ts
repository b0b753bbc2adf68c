import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { bcryptHash } from '../helpers/imports.ts';
import { importUser, newApp, newEmail, newTenant, refusalOf } from '../helpers/people.ts';
import { newOldKey, signOld, soon } from '../helpers/old-tokens.ts';

const key = newOldKey('old');
const issuer = 'https://old.example/';
const pinned = {
  name: 'old',
  speaks: 'jwt',
  issuer,
  audience: 'app',
  algorithms: ['ES256'],
  keys: [key.jwk],
  until: soon(),
};

let core: TestCore;
let second: TestCore;
let app: string;
let oldId: string;
let userId: string;
let email: string;
beforeAll(async () => {
  const settings = { CLIENT_ADDRESS_HEADER: 'x-address', GUESSES_PER_ADDRESS: '0' };
  core = await startTestCore({ settings });
  second = await startTestCore({ settings, database: core.database });
});
afterAll(async () => {
  await second.stop();
  await core.stop();
});
beforeEach(async () => {
  app = await newApp(core, { session_sources: [pinned] });
  email = newEmail();
  ({ id: userId } = await importUser(core, email, app));
  oldId = await mapped(userId);
});

async function mapped(superTokensUserId: string): Promise<string> {
  const externalUserId = `old|${randomUUID()}`;
  await core.post(`${app}/recipe/userid/map`, { superTokensUserId, externalUserId });
  return externalUserId;
}

const seconds = () => Math.floor(Date.now() / 1000);

/** Of a user who signed in a minute ago. */
function claimsOf(change: object = {}): Record<string, unknown> {
  const iat = seconds() - 60;
  return { iss: issuer, aud: 'app', sub: oldId, iat, exp: iat + 3600, jti: randomUUID(), ...change };
}

const tokenOf = (change: object = {}, header: object = {}) => signOld(key, claimsOf(change), header);

interface Carried {
  readonly status: string;
  readonly reason?: string;
  readonly session: { readonly handle: string; readonly userId: string; readonly userDataInJWT: object };
  readonly accessToken: { readonly token: string };
  readonly refreshToken: { readonly token: string };
  readonly carried: object;
}

async function carry(
  token: string,
  change: object = {},
  { by = core, address = '192.0.2.77' } = {},
): Promise<Carried> {
  const response = await fetch(`${by.url}${app}/recipe/session/carry`, {
    method: 'POST',
    headers: { 'api-key': by.apiKey, ...(address !== '' && { 'x-address': address }) },
    body: JSON.stringify({ source: 'old', token, ...change }),
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return JSON.parse(text) as Carried;
}

const refused = (reason: string) => ({ status: 'CARRY_REFUSED_ERROR', reason });

describe('a token of an old system', () => {
  test('is exchanged for a session that verifies and refreshes', async () => {
    const authTime = seconds() - 600;
    const token = await tokenOf({ auth_time: authTime, amr: ['pwd', 'otp'] });
    const made = await carry(token, { userDataInJWT: { 'st-ev': 1 }, enableAntiCsrf: true });
    expect(made).toMatchObject({
      status: 'OK',
      session: {
        userId: oldId,
        recipeUserId: oldId,
        tenantId: 'public',
        userDataInJWT: { 'st-ev': 1, amr: ['pwd', 'otp'] },
      },
      antiCsrfToken: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
      carried: { source: 'old', userId: oldId, authTime: authTime * 1000, amr: ['pwd', 'otp'] },
    });
    const verified = await core.post(`${app}/recipe/session/verify`, {
      accessToken: made.accessToken.token,
      doAntiCsrfCheck: false,
      enableAntiCsrf: true,
      checkDatabase: true,
    });
    expect(verified.body).toMatchObject({ status: 'OK', session: { userId: oldId } });
    const refreshed = await core.post(`${app}/recipe/session/refresh`, {
      refreshToken: made.refreshToken.token,
      enableAntiCsrf: false,
      useDynamicSigningKey: true,
    });
    expect(refreshed.body).toMatchObject({ status: 'OK', session: { handle: made.session.handle } });
  });

  test('gives one session, however many exchange it at once, at two cores', async () => {
    const token = await tokenOf();
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, n) => carry(token, {}, { by: n % 2 === 0 ? core : second })),
    );
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['OK']));
    expect(new Set(made.map(({ session }) => session.handle)).size).toBe(1);
    expect(new Set(made.map(({ refreshToken }) => refreshToken.token)).size).toBe(1);
    const { body } = await core.get(`${app}/recipe/session/user`, { userId: oldId });
    expect(body.sessionHandles).toHaveLength(1);
  });

  test('is exchanged once where no address says who the caller is', async () => {
    const token = await tokenOf();
    expect(await carry(token, {}, { address: '' })).toMatchObject({ status: 'OK' });
    for (const address of ['', '192.0.2.1'])
      expect(await carry(token, {}, { address })).toEqual(refused('USED'));
  });

  test('is exchanged again for its caller alone, until the session goes on', async () => {
    const token = await tokenOf();
    const first = await carry(token, {}, { address: '192.0.2.1' });
    expect(await carry(token, {}, { address: '192.0.2.2' })).toEqual(refused('USED'));
    const again = await carry(token, {}, { address: '192.0.2.1', by: second });
    expect(again.refreshToken).toEqual(first.refreshToken);
    const refreshIt = (refreshToken: string) =>
      core.post(`${app}/recipe/session/refresh`, {
        refreshToken,
        enableAntiCsrf: false,
        useDynamicSigningKey: true,
      });
    const { body } = await refreshIt(first.refreshToken.token);
    await refreshIt((body as unknown as Carried).refreshToken.token);
    expect(await carry(token, {}, { address: '192.0.2.1' })).toEqual(refused('USED'));
  });

  test('is one token, however its signature is written', async () => {
    const token = await tokenOf();
    await carry(token);
    const [head, body, signature = ''] = token.split('.');
    const bytes = Buffer.from(signature, 'base64url');
    // (r, n - s) is as valid a signature as (r, s).
    const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
    const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
    const other = Buffer.concat([
      bytes.subarray(0, 32),
      Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
    ]);
    const twin = `${head ?? ''}.${body ?? ''}.${other.toString('base64url')}`;
    expect(await carry(twin, {}, { address: '192.0.2.9' })).toEqual(refused('USED'));
  });
});

describe('what happens to the user here ends it, on every core:', () => {
  const ends: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'another password',
      () => core.put(`${app}/recipe/user`, { recipeUserId: userId, password: 'new-pass-123' }),
    ],
    ['a password reset', () => resetPassword()],
    ['a sign-out everywhere', () => core.post(`${app}/recipe/session/remove`, { userId: oldId })],
    ['disabling, and enabling again', () => disableAndEnable()],
  ];
  test.each(ends)('%s', async (_what, happen) => {
    const [before, other] = [await tokenOf(), await tokenOf()];
    expect(await carry(other)).toMatchObject({ status: 'OK' });
    await happen();
    expect(await carry(before, {}, { by: second })).toEqual(refused('NOT_ALLOWED'));
    // Nor one that was issued by a session that had begun before.
    const late = await tokenOf({ iat: seconds() + 50, auth_time: seconds() - 60 });
    expect(await carry(late, {}, { by: second })).toEqual(refused('NOT_ALLOWED'));
  });

  test('disabling', async () => {
    await setDisabled(true);
    expect(await carry(await tokenOf(), {}, { by: second })).toEqual(refused('NOT_ALLOWED'));
  });

  test('removal', async () => {
    const token = await tokenOf();
    await core.post(`${app}/user/remove`, { userId: oldId });
    expect(await carry(token, {}, { by: second })).toEqual(refused('NOT_ALLOWED'));
  });

  test('no exchange outlives a sign-out that comes while it is under way', async () => {
    const tokens = await Promise.all(Array.from({ length: 40 }, () => tokenOf()));
    const carrying = Promise.all(
      tokens.map((token, n) => carry(token, {}, { by: n % 2 === 0 ? core : second })),
    );
    await core.post(`${app}/recipe/session/remove`, { userId: oldId });
    await carrying;
    const { body } = await core.get(`${app}/recipe/session/user`, { userId: oldId });
    expect(body.sessionHandles).toEqual([]);
  });

  async function resetPassword(): Promise<void> {
    const made = await core.post(`${app}/recipe/user/password/reset/token`, { userId: oldId, email });
    const done = await core.post(`${app}/recipe/user/password/reset/token/consume`, {
      method: 'token',
      token: made.body.token,
    });
    expect(done.body.status).toBe('OK');
  }

  test.each([
    ['had not verified opens the account no more once its owner has set a password here', false],
    ['had verified opens the account after that all the same', true],
  ])('a session that begins later, of a user whose email the source %s', async (_what, isVerified) => {
    oldId = `old|${randomUUID()}`;
    email = newEmail();
    const method = { recipeId: 'emailpassword', email, isVerified, passwordHash: bcryptHash(1) };
    const record = { externalUserId: oldId, loginMethods: [{ ...method, hashingAlgorithm: 'bcrypt' }] };
    const imported = await core.post(`${app}/bulk-import/import`, record);
    expect(imported.body.status).toBe('OK');
    expect(await carry(await tokenOf())).toMatchObject({ status: 'OK' });
    await resetPassword();
    // Tokens of the minute before are refused anyway.
    await withSql(
      core.database.connection,
      (sql) => sql`update carryover.sign_ins set reset_at = reset_at - 120000`,
    );
    const later = await carry(await tokenOf({ iat: seconds() + 50 }), {}, { by: second });
    expect(later).toMatchObject(isVerified ? { status: 'OK' } : refused('NOT_ALLOWED'));
  });

  async function setDisabled(isDisabled: boolean): Promise<void> {
    const { body } = await core.put(`${app}/user/restrictions`, { userId: oldId, isDisabled });
    expect(body.status).toBe('OK');
  }

  async function disableAndEnable(): Promise<void> {
    await setDisabled(true);
    await setDisabled(false);
  }
});

describe('no session is made', () => {
  test('who is not here, or not in the tenant', async () => {
    expect(await carry(await tokenOf({ sub: 'stranger' }))).toEqual(refused('NOT_ALLOWED'));
    // The core's own id is not an id of the old system.
    expect(await carry(await tokenOf({ sub: userId }))).toEqual(refused('NOT_ALLOWED'));
    const whole = app;
    app = await newTenant(core, app);
    expect(await carry(await tokenOf())).toEqual(refused('NOT_ALLOWED'));
    app = whole;
  });

  test('by a source that is not set up, and by claims that the token has to make', async () => {
    const send = (change: object) =>
      core.post(`${app}/recipe/session/carry`, { source: 'old', token: 'a.b.c', ...change });
    expect(refusalOf(await send({ source: 'other' }))).toEqual([
      400,
      'INVALID_FIELD',
      expect.stringContaining("'session_sources'"),
    ]);
    for (const claim of ['amr', 'st-mfa'])
      expect(refusalOf(await send({ userDataInJWT: { [claim]: [] } }))).toEqual([
        400,
        'INVALID_FIELD',
        expect.stringContaining(`'${claim}'`),
      ]);
  });

  test('by a token that is refused again and again', async () => {
    const token = await tokenOf({ aud: 'other' });
    const answers = [];
    for (let n = 0; n < 30; n++) {
      const { http } = await core.post(`${app}/recipe/session/carry`, { source: 'old', token });
      answers.push(http);
    }
    expect(answers.filter((http) => http === 200).length).toBeLessThan(25);
    expect(answers.at(-1)).toBe(429);
    expect(await carry(await tokenOf())).toMatchObject({ status: 'OK' });
  });
});

test('the log and the metrics say which check refused a token, and hold nothing of it', async () => {
  const token = await tokenOf({ iss: 'https://elsewhere.example/' });
  expect(await carry(token)).toEqual(refused('INVALID_TOKEN'));
  const line = core.log.find((each) => each.includes('"result":"issuer"')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ source: 'old', result: 'issuer', level: 'info' });
  expect(core.log.join('')).not.toContain(token.slice(-40));
  expect((await core.get('/metrics')).text).toMatch(
    /carryover_session_carries_total\{result="issuer"\} [1-9]/,
  );
});
