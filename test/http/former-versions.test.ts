import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import type { Answer, TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { isBefore } from '../helpers/former-view.ts';
import { importUser, knownHash, knownPassword, newEmail, newTenant, signInUp } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';
import { type Driver, driverOf } from '../helpers/versioned.ts';

let core: TestCore;
let app: string;
let present: Driver;
let old: Driver;
useCoreAndApps((used) => {
  ({ core, app } = used);
  present = driverOf(core, '5.4');
  old = driverOf(core, '3.1');
});

const shown = ({ http, body, text }: Answer) => (http === 200 ? body : [http, text.trim()]);

/** A password user, with a linked social one. */
async function linked(): Promise<{ email: string; primary: string; social: string; googleId: string }> {
  const email = newEmail();
  const googleId = `g-${email}`;
  const { id: primary } = await importUser(core, email, app);
  const { id: social } = await signInUp(core, googleId, { id: email }, app);
  const path = `${app}/recipe/accountlinking/user`;
  expect((await present.post(`${path}/primary`, { recipeUserId: primary })).body.status).toBe('OK');
  const input = { recipeUserId: social, primaryUserId: primary };
  expect((await present.post(`${path}/link`, input)).body.status).toBe('OK');
  return { email, primary, social, googleId };
}

const time = expect.any(Number) as number;
const tenantIds = ['public'];

describe('a linked user before 4.0', () => {
  test('is the login method that signed in or was found', async () => {
    const { email, primary, social, googleId } = await linked();
    const ofPassword = { id: primary, timeJoined: time, tenantIds, email };
    const ofGoogle = {
      id: social,
      timeJoined: time,
      tenantIds,
      email,
      thirdParty: { id: 'google', userId: googleId },
    };
    const credentials = { email, password: knownPassword };
    const google = { thirdPartyId: 'google', thirdPartyUserId: googleId };
    const find = (query: Record<string, string>, rid?: string) => old.get(`${app}/recipe/user`, query, rid);

    expect(shown(await old.post(`${app}/recipe/signin`, credentials))).toEqual({
      status: 'OK',
      user: ofPassword,
    });
    expect(shown(await old.post(`${app}/recipe/signinup`, { ...google, email: { id: email } }))).toEqual({
      status: 'OK',
      createdNewUser: false,
      user: ofGoogle,
    });
    expect(
      shown(await old.post(`${app}/recipe/user/passwordhash/import`, { email, passwordHash: knownHash })),
    ).toEqual({ status: 'OK', didUserAlreadyExist: true, user: ofPassword });
    expect(shown(await find({ email }))).toEqual({ status: 'OK', user: ofPassword });
    expect(shown(await find({ userId: primary }))).toEqual({ status: 'OK', user: ofPassword });
    expect(shown(await find(google, 'thirdparty'))).toEqual({ status: 'OK', user: ofGoogle });
    expect(shown(await find({ userId: social }, 'thirdparty'))).toEqual({ status: 'OK', user: ofGoogle });
    expect(shown(await old.get(`${app}/recipe/users/by-email`, { email }))).toEqual({
      status: 'OK',
      users: [ofGoogle],
    });
    expect(shown(await find({ userId: primary }, 'thirdparty'))).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
    expect(shown(await find({ userId: social }))).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
    const { users } = (await old.get(`${app}/users`)).body as { users: { user: { id: string } }[] };
    expect(users.filter(({ user }) => [primary, social].includes(user.id))).toEqual([
      { recipeId: 'emailpassword', user: ofPassword },
    ]);
  });

  test('is known by its external id', async () => {
    const email = newEmail();
    const { id } = await importUser(core, email, app);
    const mapping = { superTokensUserId: id, externalUserId: `ext-${id}` };
    expect((await present.post(`${app}/recipe/userid/map`, mapping)).body.status).toBe('OK');
    for (const userId of [id, mapping.externalUserId])
      expect((await old.get(`${app}/recipe/user`, { userId })).body).toMatchObject({
        status: 'OK',
        user: { id: mapping.externalUserId, email },
      });
  });
});

describe('a request of 3.1', () => {
  test('names login methods by userId, and a refusal does so, too', async () => {
    const { id } = await importUser(core, newEmail(), app);
    const email = newEmail();
    const change = (driver: Driver, input: object) => driver.put(`${app}/recipe/user`, input);
    expect(shown(await change(old, { userId: id, email }))).toEqual({ status: 'OK' });
    expect(shown(await change(old, { recipeUserId: id, email }))).toEqual([
      400,
      "Field name 'userId' is invalid in JSON input",
    ]);
    expect(shown(await change(present, { userId: id, email }))).toEqual([
      400,
      "Field name 'recipeUserId' is invalid in JSON input",
    ]);
    const tenant = await newTenant(core, app);
    const path = `${tenant}/recipe/multitenancy/tenant/user`;
    expect(shown(await old.post(path, { userId: id }))).toEqual({
      status: 'OK',
      wasAlreadyAssociated: false,
    });
    expect(shown(await old.post(`${path}/remove`, { userId: id }))).toEqual({
      status: 'OK',
      wasAssociated: true,
    });
    expect(shown(await old.post(path, {}))).toEqual([400, "Field name 'userId' is invalid in JSON input"]);
  });

  test('verifies no email by a provider or a code', async () => {
    const email = newEmail();
    const google = {
      thirdPartyId: 'google',
      thirdPartyUserId: email,
      email: { id: email, isVerified: true },
    };
    const { user } = (await old.post(`${app}/recipe/signinup`, google)).body as { user: { id: string } };
    const other = newEmail();
    const code = (await old.post(`${app}/recipe/signinup/code`, { email: other })).body;
    const { preAuthSessionId, linkCode } = code as { preAuthSessionId: string; linkCode: string };
    const consumed = await old.post(`${app}/recipe/signinup/code/consume`, { preAuthSessionId, linkCode });
    expect(consumed.body).toEqual({
      status: 'OK',
      createdNewUser: true,
      user: { id: expect.any(String) as string, timeJoined: time, tenantIds, email: other },
    });
    const ofCode = (consumed.body.user as { id: string }).id;
    for (const userId of [user.id, ofCode]) {
      const found = (await present.get(`${app}/user/id`, { userId })).body.user as User;
      expect(found.loginMethods.map(({ verified }) => verified)).toEqual([false]);
    }
  });

  test('resets a password with a token in one step, once', async () => {
    const email = newEmail();
    const { id: userId } = await importUser(core, email, app);
    const path = `${app}/recipe/user/password/reset`;
    const { token } = (await old.post(`${path}/token`, { userId })).body as { token: string };
    const reset = (input: object) => old.post(path, { method: 'token', token, newPassword: 'new', ...input });
    expect(shown(await reset({ method: 'sms' }))).toEqual([400, 'Unsupported method for password reset']);
    expect(shown(await reset({ newPassword: '' }))).toEqual([400, 'Password cannot be an empty string']);
    expect(shown(await reset({}))).toEqual({ status: 'OK', userId });
    expect(shown(await reset({}))).toEqual({ status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR' });
    const signIn = (password: string) => old.post(`${app}/recipe/signin`, { email, password });
    expect((await signIn('new')).body.status).toBe('OK');
    expect((await signIn(knownPassword)).body.status).toBe('WRONG_CREDENTIALS_ERROR');
    const { primary } = await linked();
    expect(shown(await old.post(`${path}/token`, { userId: primary }))).toEqual([
      400,
      'Please use CDI version >= 4.0',
    ]);
  });

  test.each([
    [undefined, {}, 'Please provide one of userId or email'],
    [undefined, { userId: 'u', email: 'a@b.c' }, 'Please provide only one of userId or email'],
    ['passwordless', {}, 'Please provide exactly one of userId, email or phoneNumber'],
    [
      'thirdparty',
      { thirdPartyId: 'g' },
      'Please provide one of userId or (thirdPartyId & thirdPartyUserId)',
    ],
  ])('for a user of %s with %j is refused', async (rid, query, message) => {
    expect(shown(await old.get(`${app}/recipe/user`, query, rid))).toEqual([400, message]);
  });

  test.each([
    [undefined, { userId: 'u' }, 'UNKNOWN_USER_ID_ERROR'],
    [undefined, { email: 'nobody@b.c' }, 'UNKNOWN_EMAIL_ERROR'],
    ['passwordless', { email: 'nobody@b.c' }, 'UNKNOWN_EMAIL_ERROR'],
    ['passwordless', { phoneNumber: '+41790000000' }, 'UNKNOWN_PHONE_NUMBER_ERROR'],
    ['thirdparty', { thirdPartyId: 'g', thirdPartyUserId: 'x' }, 'UNKNOWN_THIRD_PARTY_USER_ERROR'],
  ])('for a user of %s with %j finds no user', async (rid, query, status) => {
    expect(shown(await old.get(`${app}/recipe/user`, query, rid))).toEqual({ status });
  });

  test.each([
    ['GET', '/recipe/user?userId=u', '4.0', 405],
    ['GET', '/recipe/users/by-email?email=a', '4.0', 404],
    ['POST', '/recipe/user/password/reset', '4.0', 404],
    ['GET', '/recipe/multitenancy/tenant', '5.1', 404],
    ['PUT', '/recipe/multitenancy/tenant', '5.1', 404],
    ['GET', '/recipe/multitenancy/tenant/list', '5.1', 404],
  ] as const)('%s %s ended with %s', async (method, path, end, http) => {
    const { versions } = (await present.get('/apiversion')).body as { versions: string[] };
    for (const version of [...versions, undefined]) {
      const driver = driverOf(core, version);
      const send = {
        GET: () => driver.get(app + path),
        POST: () => driver.post(app + path),
        PUT: () => driver.put(app + path),
      };
      const answer = await send[method]();
      const isServed = version !== undefined && isBefore(version, end);
      expect([version, [404, 405].includes(answer.http)]).toEqual([version, !isServed]);
      if (!isServed) expect([version, answer.http]).toEqual([version, http]);
    }
  });
});

interface Session {
  readonly session: Record<string, unknown>;
  readonly accessToken: { readonly token: string };
  readonly refreshToken: { readonly token: string };
}

const partOf = (token: string, part: number) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>;
const versionOf = ({ accessToken }: Session) => partOf(accessToken.token, 0).version;
const ofMethod = ({ accessToken }: Session) => partOf(accessToken.token, 1).rsub;

async function begin(driver: Driver, input: object = {}): Promise<Session> {
  const session = { userId: 'u', enableAntiCsrf: false, userDataInJWT: {}, userDataInDatabase: {} };
  const answer = await driver.post(`${app}/recipe/session`, { ...session, ...input });
  return answer.body as unknown as Session;
}

const refresh = (driver: Driver, { refreshToken }: Session) =>
  driver.post(`${app}/recipe/session/refresh`, {
    refreshToken: refreshToken.token,
    enableAntiCsrf: false,
    useDynamicSigningKey: true,
  });
const verify = (driver: Driver, { accessToken }: Session, checkDatabase = true) =>
  driver.post(`${app}/recipe/session/verify`, {
    accessToken: accessToken.token,
    enableAntiCsrf: false,
    doAntiCsrfCheck: false,
    checkDatabase,
  });

/** In the form of the session's row: SHA-256 of the hexadecimal SHA-256. */
const hashOf = (session: Session | undefined) => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  return sha256(sha256(session?.refreshToken.token ?? ''));
};

/** The refresh tokens that the row of a session contains. */
async function rotationOf({ session }: Session): Promise<unknown> {
  const [handle] = String(session.handle).split('_');
  const [row] = await withSql(
    core.database.connection,
    (sql) => sql`
      select encode(prev_hash, 'hex') as previous, encode(refresh_hash, 'hex') as current,
        rotated_at between created_at and carryover.clock_ms() as "isTimed"
      from carryover.sessions where handle = ${String(handle)}`,
  );
  return row;
}

describe('a session', () => {
  test('moves from 3.1 to 5.4 and back by refreshes, with theft noticed at each stage', async () => {
    for (const stages of [
      [old, present, old],
      [present, old, present],
    ]) {
      const spent: Session[] = [];
      let now = await begin(stages[0] ?? old, { userId: 'u' });
      for (const driver of stages) {
        const isOld = driver === old;
        const refreshed = await refresh(driver, now);
        expect(refreshed.body.status).toBe('OK');
        spent.push(now);
        now = refreshed.body as unknown as Session;
        expect([versionOf(now), ofMethod(now)]).toEqual(isOld ? ['4', undefined] : ['5', 'u']);
        expect(Object.hasOwn(now.session, 'recipeUserId')).toBe(!isOld);
        // The first use of the new token ends the one before; either version may see it.
        const [own, other] = [await verify(driver, now), await verify(isOld ? present : old, now)];
        expect([own.body.status, other.body.status]).toEqual(['OK', 'OK']);
        const promoted = own.body as unknown as Session;
        expect(versionOf(promoted)).toBe(versionOf(now));
        const [before] = spent.slice(-1);
        expect(await rotationOf(now)).toEqual({
          previous: hashOf(before),
          current: hashOf(now),
          isTimed: true,
        });
      }
      for (const [n, one] of spent.entries())
        for (const driver of [old, present]) {
          const { body } = await refresh(driver, one);
          expect([n, body.status]).toEqual([n, 'TOKEN_THEFT_DETECTED']);
          expect(Object.hasOwn(body.session as object, 'recipeUserId')).toBe(driver === present);
        }
    }
  });

  test('of 3.1 may have a claim rsub of the app, which its tokens and another version show', async () => {
    const made = await begin(old, { userDataInJWT: { rsub: 'mine' } });
    expect([versionOf(made), ofMethod(made)]).toEqual(['4', 'mine']);
    expect((await verify(old, made, false)).body).toMatchObject({
      session: { userId: 'u', userDataInJWT: { rsub: 'mine' } },
    });
    const refused = await present.post(`${app}/recipe/session`, {
      userId: 'u',
      enableAntiCsrf: false,
      userDataInJWT: { rsub: 'mine' },
      userDataInDatabase: {},
    });
    expect(shown(refused)).toEqual([400, 'The user payload contains protected field']);
    expect((await refresh(present, made)).body.status).toBe('UNAUTHORISED');
    expect((await refresh(old, made)).body.status).toBe('OK');
  });

  test('is verified by a token that the app had made with its claims, in the form of either version', async () => {
    for (const driver of [old, present]) {
      const { accessToken } = await begin(driver, { userDataInJWT: { a: 1 } });
      const { exp, iat, ...payload } = partOf(accessToken.token, 1);
      const asked = { payload, algorithm: 'RS256', jwksDomain: 'd', validity: 60 };
      const { body } = await driver.post(`${app}/recipe/jwt`, { ...asked, useStaticSigningKey: false });
      const made = { accessToken: { token: body.jwt as string } };
      expect([exp, iat, versionOf(made as Session)]).toEqual([time, time, undefined]);
      for (const checkDatabase of [true, false])
        expect((await verify(driver, made as Session, checkDatabase)).body).toMatchObject({
          status: 'OK',
          session: { userId: 'u', userDataInJWT: { a: 1 } },
        });
    }
  });

  test('keeps its kind of key at a refresh of 3.1 that does not say', async () => {
    for (const useDynamicSigningKey of [true, false]) {
      const made = await begin(old, { useDynamicSigningKey });
      const path = `${app}/recipe/session/refresh`;
      const input = { refreshToken: made.refreshToken.token, enableAntiCsrf: false };
      const { body } = await old.post(path, input);
      const kid = partOf((body as unknown as Session).accessToken.token, 0).kid as string;
      expect(kid.slice(0, 2)).toBe(useDynamicSigningKey ? 'd-' : 's-');
      expect(shown(await present.post(path, input))).toEqual([
        400,
        "Field name 'useDynamicSigningKey' is invalid in JSON input",
      ]);
    }
  });
});

describe('tenants before 5.1', () => {
  const tenantPath = '/recipe/multitenancy/tenant';
  const enabled = ({ body }: Answer) =>
    ['emailPassword', 'thirdParty', 'passwordless'].map(
      (recipe) => (body[recipe] as { enabled: boolean }).enabled,
    );

  test.each(['3.0', '4.0', '5.0'])(
    'of %s have recipes that are off until they are set on',
    async (version) => {
      const driver = driverOf(core, version);
      const tenantId = `t${version.replace('.', '')}`;
      const put = (input: object) => driver.put(app + tenantPath, { tenantId, ...input });
      const get = () => driver.get(`${app}/${tenantId}${tenantPath}`);
      expect((await put({})).body).toEqual({ status: 'OK', createdNew: true });
      expect(enabled(await get())).toEqual([false, false, false]);
      expect(
        shown(await driver.post(`${app}/${tenantId}/recipe/signup`, { email: 'a@b.c', password: 'p' })),
      ).toEqual([403, 'Email password login not enabled for tenant']);
      expect((await put({ emailPasswordEnabled: true, passwordlessEnabled: true })).body.createdNew).toBe(
        false,
      );
      expect(enabled(await get())).toEqual([true, false, true]);
      expect(
        (await driver.post(`${app}/${tenantId}/recipe/signup`, { email: 'a@b.c', password: 'p' })).body
          .status,
      ).toBe('OK');
      const listed = (await driver.get(`${app}${tenantPath}/list`)).body.tenants as { tenantId: string }[];
      expect(listed.map((tenant) => tenant.tenantId)).toEqual(['public', tenantId]);
      expect(shown(await get())).toEqual({
        status: 'OK',
        tenantId,
        coreConfig: {},
        emailPassword: { enabled: true },
        thirdParty: { enabled: false, providers: [] },
        passwordless: { enabled: true },
      });
      expect(shown(await driver.get(`${app}/unknown${tenantPath}`))).toEqual({
        status: 'TENANT_NOT_FOUND_ERROR',
      });
    },
  );

  test('of 5.0 show first factors that are no union of recipes, and refuse those of recipes that are off', async () => {
    const driver = driverOf(core, '5.0');
    const put = (input: object) => driver.put(app + tenantPath, { tenantId: 'f', ...input });
    const get = async (version: string) => (await driverOf(core, version).get(`${app}/f${tenantPath}`)).body;
    await put({ emailPasswordEnabled: true, passwordlessEnabled: true });
    expect(shown(await put({ firstFactors: [] }))).toEqual([
      400,
      'firstFactors cannot be empty. Set null instead to remove all first factors.',
    ]);
    expect(shown(await put({ firstFactors: ['thirdparty'] }))).toEqual([
      400,
      "Invalid core config: firstFactors should not contain 'thirdparty' because thirdParty is disabled for the tenant.",
    ]);
    const second = { firstFactors: ['emailpassword'], requiredSecondaryFactors: ['otp-email'] };
    expect(shown(await put(second))).toMatchObject({ status: 'OK' });
    expect(await get('5.0')).toMatchObject({ ...second, passwordless: { enabled: true } });
    expect(await get('4.0')).toMatchObject({
      emailPassword: { enabled: true },
      passwordless: { enabled: false },
    });
    expect(Object.keys(await get('4.0'))).not.toContain('firstFactors');
    expect(
      shown(await driverOf(core, '4.0').post(`${app}/f/recipe/signinup/code`, { email: 'a@b.c' })),
    ).toEqual([403, 'Passwordless login not enabled for tenant']);
    expect((await present.post(`${app}/f/recipe/signinup/code`, { email: 'a@b.c' })).body.status).toBe('OK');
  });

  test('are passed over in the paths of routes of the app before 5.0', async () => {
    const { id: userId } = await importUser(core, newEmail(), app);
    const tenant = await newTenant(core, app);
    const remove = (driver: Driver) => driver.post(`${tenant}/recipe/user/metadata/remove`, { userId });
    expect((await remove(driverOf(core, '4.0'))).body.status).toBe('OK');
    expect(shown(await remove(driverOf(core, '5.0')))).toEqual([
      403,
      'Only public tenantId can call this app specific API',
    ]);
  });
});

test('before 5.0 a code is removed by its id alone, and no device is shown', async () => {
  const driver = driverOf(core, '4.0');
  const path = `${app}/recipe/signinup/code`;
  const { body } = await driver.post(path, { email: newEmail() });
  const { preAuthSessionId, codeId, linkCode } = body as Record<string, string>;
  expect(shown(await driver.post(`${path}/remove`, { preAuthSessionId }))).toEqual([
    400,
    "Field name 'codeId' is invalid in JSON input",
  ]);
  const consumed = await driver.post(`${path}/consume`, { preAuthSessionId, linkCode });
  expect(Object.keys(consumed.body).sort()).toEqual(['createdNewUser', 'recipeUserId', 'status', 'user']);
  expect(shown(await driver.post(`${path}/remove`, { codeId }))).toEqual({ status: 'OK' });
});

test('drivers get the texts that their users compare', async () => {
  const messages = await Promise.all(
    [
      old.get(`${app}/users`, { paginationToken: 'x' }),
      old.get(`${app}/users`, { limit: '501' }),
      old.get(`${app}/users`, { limit: '-1' }),
      old.post(`${app}/recipe/jwt`, { algorithm: 'RS256', jwksDomain: 'd', payload: {}, validity: 0 }),
    ].map(async (asked) => (await asked).text),
  );
  expect(messages).toEqual([
    'invalid pagination token\n',
    'max limit allowed is 500\n',
    'limit must a positive integer with min value 1\n',
    'validity must be greater than or equal to 0\n',
  ]);
});

test('a count that may be approximate says that it is exact, and when it was made', async () => {
  const count = (query: Record<string, string>) => present.get(`${app}/users/count`, query);
  const exact = (await count({})).body;
  const before = Date.now();
  const { approximate, asOf, ...others } = (await count({ allowApproximate: 'true' })).body;
  expect([others, approximate]).toEqual([exact, false]);
  expect(asOf).toBeGreaterThanOrEqual(before);
  expect((await count({ allowApproximate: 'false' })).body).toEqual(exact);
});
