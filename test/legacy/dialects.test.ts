/** Each dialect against a server that implements it: the requests, and right, wrong and other answers. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSources } from '../../src/config/legacy/read-sources.ts';
import { openOutgoing, type Outgoing } from '../../src/http/outgoing/exchange.ts';
import type { LegacyVerdict, Open, Send } from '../../src/features/old-systems/dialect.ts';
import { dialectOf } from '../../src/features/old-systems/dialects/index.ts';
import { type Answering, type Asked, type OldSystem, startOldSystem } from '../helpers/old-system.ts';

let old: OldSystem;
let outgoing: Outgoing;
beforeAll(async () => {
  old = await startOldSystem(() => ({ status: 500 }));
  outgoing = openOutgoing();
});
afterAll(() => {
  outgoing.close();
  return old.close();
});

const email = 'ada@example.com';
const password = 'correct horse';
const question = { email, password, tenantId: 'public', now: 1_750_000_000_000, address: '203.0.113.9' };

interface Told {
  readonly verdict: LegacyVerdict | string;
  readonly asked: readonly Asked[];
}

/** Asks a system that gives these answers, in turn. */
async function told(speaks: string, options: object, ...answers: readonly Answering[]): Promise<Told> {
  const read = readSources([
    { name: 'old', speaks, url: `${old.url}/base`, until: '2999-12-31', ...options },
  ]);
  const [source] = read.ok ? read.value : [];
  if (source === undefined) throw new Error(read.ok ? 'none' : read.expected);
  const before = old.asked.length;
  old.answer(() => answers[old.asked.length - before - 1] ?? { status: 500 });
  const signal = AbortSignal.timeout(5000);
  const send: Send = ({ method = 'POST', ...rest }) =>
    outgoing.exchange({ method, ...rest, ca: undefined, reach: 'any', signal });
  const open: Open = () => Promise.reject(new Error('no directory'));
  const verdict = await dialectOf(source)(send, source, question, open).catch(
    (error: unknown) => (error as Error).name,
  );
  return { verdict, asked: old.asked.slice(before) };
}

const said = (json: unknown, status = 200): Answering => ({ status, json });
const yes = (person: object = {}) => ({ isRight: true, person });
const no = { isRight: false };
const bodyOf = ({ asked: [first] }: Told): unknown => JSON.parse(first?.body ?? '');
const formOf = ({ asked: [first] }: Told) => Object.fromEntries(new URLSearchParams(first?.body));
const claims = { sub: 'id-1', email, email_verified: true, name: 'Ada Lovelace' };
const person = { id: 'id-1', email, isVerified: true, metadata: { name: 'Ada Lovelace' } };
const idToken = (payload: object) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.e30`;

const key = { header_value: 'hook-key' };
const client = { client_id: 'client', client_secret: 'secret' };
const auth0 = { ...client, connection: 'Users' };
const second = yes({ secondFactors: ['other'] });

describe('right, wrong and neither', () => {
  test.each<[string, object, readonly Answering[], unknown]>([
    ['kratos', key, [said({ status: 'password_match' })], yes()],
    ['kratos', key, [said({ status: 'password_mismatch' })], no],
    ['kratos', key, [{ status: 403 }], no],
    ['kratos', key, [said({})], 'NoAnswer'],
    [
      'okta',
      key,
      [said({ commands: [{ type: 'com.okta.action.update', value: { credential: 'VERIFIED' } }] })],
      yes(),
    ],
    [
      'okta',
      key,
      [said({ commands: [{ type: 'com.okta.action.update', value: { credential: 'UNVERIFIED' } }] })],
      no,
    ],
    ['okta', key, [{ status: 204 }], no],
    ['okta', key, [said({ error: {} })], 'NoAnswer'],
    [
      'keycloak-migration',
      {},
      [said({ id: '7', email, emailVerified: true, firstName: 'Ada', roles: ['admin'] }), said({})],
      yes({ id: '7', email, isVerified: true, metadata: { firstName: 'Ada' }, roles: ['admin'] }),
    ],
    ['keycloak-migration', {}, [said({ id: '7' }), { status: 401 }], no],
    [
      'keycloak-migration',
      {},
      [
        said({ id: '7', enabled: 'true', emailVerified: 'true', requiredActions: ['UPDATE_PASSWORD'] }),
        said({}),
      ],
      yes({ id: '7', isVerified: true, requiredActions: ['UPDATE_PASSWORD'] }),
    ],
    ['keycloak-migration', {}, [said({ id: '7', enabled: 'false' }), said({})], no],
    ['keycloak-migration', {}, [{ status: 404 }, { status: 404 }], no],
    ['keycloak-migration', {}, [{ status: 404 }, said({})], no],
    ['keycloak-migration', {}, [{ status: 404 }, { status: 500 }], no],
    ['keycloak-migration', {}, [{ status: 404 }, { status: 503 }], 'NoAnswer'],
    ['keycloak-migration', {}, [{ status: 404 }, { status: 429 }], 'NoAnswer'],
    ['keycloak-migration', {}, [{ status: 401 }], 'NoAnswer'],
    ['keycloak-migration', {}, [said({ id: '7' }), { status: 503 }], 'NoAnswer'],
    [
      'fusionauth',
      { ...key, application_id: 'a1' },
      [
        said({
          user: {
            id: 'f',
            email,
            verified: true,
            fullName: 'Ada',
            registrations: [{ applicationId: 'a1', roles: ['x'] }],
          },
        }),
      ],
      yes({ id: 'f', email, isVerified: true, metadata: { fullName: 'Ada' }, roles: ['x'] }),
    ],
    [
      'fusionauth',
      key,
      [
        said({
          user: {
            id: 'f',
            passwordChangeRequired: true,
            twoFactor: { methods: [{ method: 'authenticator' }] },
          },
        }),
      ],
      yes({ id: 'f', metadata: {}, secondFactors: ['other'], requiredActions: ['UPDATE_PASSWORD'] }),
    ],
    ['fusionauth', key, [said({ user: { id: 'f', active: false } })], no],
    ['fusionauth', key, [{ status: 404 }], no],
    ['fusionauth', key, [said({})], 'NoAnswer'],
    ['auth0', auth0, [said({ access_token: 't' }), said(claims)], yes(person)],
    ['auth0', auth0, [said({ access_token: 't', id_token: idToken(claims) }), { status: 500 }], yes(person)],
    ['auth0', auth0, [said({ access_token: 't', id_token: idToken(claims) }), said({})], yes(person)],
    ['auth0', auth0, [said({ access_token: 't' }), { status: 500 }], 'NoAnswer'],
    ['auth0', auth0, [said({ access_token: 't' }), said({})], 'NoAnswer'],
    ['auth0', auth0, [said({ error: 'invalid_grant' }, 403)], no],
    ['auth0', auth0, [said({ error: 'mfa_required', mfa_token: 'x' }, 403)], second],
    ['auth0', auth0, [said({ error: 'mfa_registration_required' }, 403)], second],
    ['auth0', auth0, [said({ error: 'unauthorized', error_description: 'user is blocked' }, 401)], no],
    ['auth0', auth0, [said({ error: 'unauthorized', error_description: 'user is blocked' }, 403)], no],
    ['auth0', auth0, [said({ error: 'password_leaked' }, 401)], no],
    ['auth0', auth0, [said({ error: 'access_denied', error_description: 'Unauthorized' }, 401)], 'NoAnswer'],
    ['auth0', auth0, [said({ error: 'unauthorized_client' }, 403)], 'NoAnswer'],
    ['auth0', auth0, [said({ error: 'too_many_attempts' }, 429)], 'NoAnswer'],
    [
      'keycloak',
      client,
      [said({ access_token: 't' }), said({ ...claims, realm_access: { roles: ['r'] } })],
      yes({ ...person, roles: ['r'] }),
    ],
    ['keycloak', client, [said({ access_token: 't' }), { status: 403 }], 'NoAnswer'],
    ['keycloak', client, [said({ error: 'invalid_grant' }, 401)], no],
    ['keycloak', client, [said({ error: 'invalid_grant' }, 400)], no],
    ['keycloak', client, [said({ error: 'unauthorized_client' }, 400)], 'NoAnswer'],
    ['keycloak', client, [said({ error: 'unauthorized_client' }, 401)], 'NoAnswer'],
    ['keycloak', client, [said({ error: 'Realm does not exist' }, 404)], 'NoAnswer'],
    ['keycloak', client, [said({ error: 'invalid_client' }, 401)], 'NoAnswer'],
    [
      'cognito',
      client,
      [
        said({ AuthenticationResult: { AccessToken: 't' } }),
        said({
          Username: 'u',
          UserAttributes: [
            { Name: 'sub', Value: 'id-1' },
            { Name: 'email', Value: email },
            { Name: 'email_verified', Value: 'true' },
            { Name: 'name', Value: 'Ada Lovelace' },
          ],
        }),
      ],
      yes(person),
    ],
    [
      'cognito',
      client,
      [said({ AuthenticationResult: { AccessToken: 't', IdToken: idToken(claims) } }), said({}, 400)],
      yes(person),
    ],
    ['cognito', client, [said({ AuthenticationResult: { AccessToken: 't' } }), said({}, 400)], 'NoAnswer'],
    [
      'cognito',
      client,
      [
        said({
          ChallengeName: 'NEW_PASSWORD_REQUIRED',
          ChallengeParameters: { userAttributes: JSON.stringify({ email, email_verified: 'true' }) },
        }),
      ],
      yes({ email, isVerified: true, requiredActions: ['UPDATE_PASSWORD'] }),
    ],
    ...['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP', 'SELECT_MFA_TYPE', 'MFA_SETUP'].map(
      (ChallengeName) =>
        ['cognito', client, [said({ ChallengeName, Session: 's' })], second] as [
          string,
          object,
          Answering[],
          unknown,
        ],
    ),
    ...[
      'SELECT_CHALLENGE',
      'PASSWORD',
      'PASSWORD_SRP',
      'PASSWORD_VERIFIER',
      'WEB_AUTHN',
      'CUSTOM_CHALLENGE',
    ].map(
      (ChallengeName) =>
        ['cognito', client, [said({ ChallengeName, Session: 's' })], 'NoAnswer'] as [
          string,
          object,
          Answering[],
          unknown,
        ],
    ),
    [
      'cognito',
      client,
      [said({ ChallengeName: 'NEW_PASSWORD_REQUIRED' })],
      yes({ requiredActions: ['UPDATE_PASSWORD'] }),
    ],
    [
      'cognito',
      client,
      [said({ __type: 'NotAuthorizedException', message: 'Incorrect username or password.' }, 400)],
      no,
    ],
    ['cognito', client, [said({ __type: 'com.amazonaws#UserNotFoundException' }, 400)], no],
    ['cognito', client, [said({ __type: 'TooManyRequestsException' }, 400)], 'NoAnswer'],
    [
      'firebase',
      { api_key: 'k' },
      [
        said({ localId: 'id-1', email, idToken: 't' }),
        said({ users: [{ localId: 'id-1', emailVerified: true, displayName: 'Ada' }] }),
      ],
      yes({ id: 'id-1', email, isVerified: true, metadata: { displayName: 'Ada' } }),
    ],
    ['firebase', { api_key: 'k' }, [said({ mfaPendingCredential: 'x', mfaInfo: [] })], second],
    [
      'firebase',
      { api_key: 'k' },
      [said({ mfaPendingCredential: 'x', localId: 'id-1', email })],
      yes({ id: 'id-1', email, secondFactors: ['other'] }),
    ],
    ...[
      'INVALID_LOGIN_CREDENTIALS',
      'INVALID_PASSWORD',
      'EMAIL_NOT_FOUND',
      'USER_DISABLED',
      'INVALID_EMAIL',
      'PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: []',
    ].map(
      (message) =>
        ['firebase', { api_key: 'k' }, [said({ error: { code: 400, message } }, 400)], no] as [
          string,
          object,
          Answering[],
          unknown,
        ],
    ),
    [
      'firebase',
      { api_key: 'k' },
      [said({ error: { message: 'TOO_MANY_ATTEMPTS_TRY_LATER : wait' } }, 400)],
      'NoAnswer',
    ],
    [
      'b2c',
      client,
      [
        said({
          access_token: 't',
          id_token: idToken({ sub: 's', oid: 'id-1', emails: [email], name: 'Ada Lovelace' }),
        }),
      ],
      yes({ id: 'id-1', email, metadata: { name: 'Ada Lovelace' } }),
    ],
    [
      'b2c',
      client,
      [said({ error: 'access_denied', error_description: 'AADB2C90225: The username or password' }, 400)],
      no,
    ],
    ...['90225', '90052', '90053', '90054', '90111', '90114'].map(
      (code) =>
        [
          'b2c',
          client,
          [said({ error: 'invalid_grant', error_description: `AADB2C${code}: …` }, 400)],
          no,
        ] as [string, object, Answering[], unknown],
    ),
    [
      'b2c',
      client,
      [
        said(
          {
            error: 'invalid_grant',
            error_description:
              'AADB2C90085: The service has encountered an internal error.\r\nTimestamp: now',
          },
          400,
        ),
      ],
      'NoAnswer',
    ],
    [
      'b2c',
      client,
      [said({ error: 'invalid_grant', error_description: 'Your password is incorrect' }, 400)],
      no,
    ],
    [
      'b2c',
      client,
      [said({ error: 'access_denied', error_description: 'AADB2C90224: Resource owner flow' }, 400)],
      'NoAnswer',
    ],
    ['b2c', client, [said({ error: 'invalid_request' }, 400)], 'NoAnswer'],
    ['entra', client, [said({ id_token: idToken({ ...claims, oid: 'o' }) })], yes({ ...person, id: 'o' })],
    [
      'entra',
      client,
      [
        said({
          id_token: idToken({ sub: 'of-this-app', upn: 'ADA@example.com', email: 'mail@example.com' }),
        }),
      ],
      yes({ email: 'ADA@example.com' }),
    ],
    ...[50126, 50034, 50055, 50144, 50057, 50020].map(
      (code) =>
        ['entra', client, [said({ error: 'invalid_grant', error_codes: [code] }, 400)], no] as [
          string,
          object,
          Answering[],
          unknown,
        ],
    ),
    ['entra', client, [said({ error: 'invalid_client', error_codes: [7000215] }, 401)], 'NoAnswer'],
    ['entra', client, [said({ error: 'invalid_grant', error_codes: [65001] }, 400)], 'NoAnswer'],
    ['entra', client, [said({ error: 'invalid_grant', error_codes: [50076] }, 400)], second],
    ['entra', client, [said({ error: 'invalid_grant', error_codes: [50053] }, 400)], 'NoAnswer'],
    [
      'http',
      { hmac_secret: 's' },
      [said({ externalUserId: '7', loginMethods: [{ recipeId: 'emailpassword', email, isVerified: true }] })],
      yes({ id: '7', email, isVerified: true }),
    ],
    [
      'http',
      { hmac_secret: 's' },
      [
        said({
          loginMethods: [
            { recipeId: 'thirdparty', email: 'google@example.com' },
            { recipeId: 'emailpassword', email: 'other@example.com' },
            { recipeId: 'emailpassword', email: 'Ada@Example.com' },
          ],
        }),
      ],
      yes({ email: 'Ada@Example.com' }),
    ],
    ['http', { hmac_secret: 's' }, [{ status: 403 }], no],
    ['http', { hmac_secret: 's' }, [{ status: 404 }], no],
    ['http', { hmac_secret: 's' }, [{ status: 401 }], 'NoAnswer'],
  ])('%s %j %j', async (speaks, options, answers, expected) => {
    expect((await told(speaks, options, ...answers)).verdict).toEqual(expected);
  });
});

describe('what is sent', () => {
  test('kratos: identifier and password, with the key', async () => {
    const sent = await told('kratos', { ...key, header_name: 'x-api-key' }, { status: 403 });
    expect(bodyOf(sent)).toEqual({ identifier: email, password });
    expect(sent.asked[0]).toMatchObject({
      method: 'POST',
      path: '/base',
      headers: { 'x-api-key': 'hook-key' },
    });
  });

  test('okta: the event of its inline hook', async () => {
    const sent = await told('okta', key, { status: 204 });
    expect(bodyOf(sent)).toMatchObject({
      eventType: 'com.okta.user.credential.password.import',
      data: {
        context: {
          request: { method: 'POST', ipAddress: question.address },
          credential: { username: email, password },
        },
        action: { credential: 'UNVERIFIED' },
      },
    });
    expect(sent.asked[0]?.headers.authorization).toBe('hook-key');
  });

  test('keycloak-migration: a look-up by email, and a check by id', async () => {
    const { asked } = await told('keycloak-migration', { token: 't' }, said({ id: 'a/b' }), said({}));
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/base/ada%40example.com', ''],
      ['POST', '/base/a%2Fb', JSON.stringify({ password })],
    ]);
    expect(asked.every(({ headers }) => headers.authorization === 'Bearer t')).toBe(true);
  });

  test('keycloak-migration: as many requests about an unknown and a disabled user', async () => {
    const unknown = await told('keycloak-migration', {}, { status: 404 }, said({}));
    expect(unknown.asked.map(({ method }) => method)).toEqual(['GET', 'POST']);
    const [, check] = unknown.asked;
    expect(check?.path).toMatch(/^\/base\/[0-9a-f-]{36}$/);
    expect(check?.body).not.toContain(password);
    const disabled = await told('keycloak-migration', {}, said({ id: '7', enabled: false }), said({}));
    expect(disabled.asked.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/base/ada%40example.com'],
      ['POST', '/base/7'],
    ]);
    expect(disabled.verdict).toEqual(no);
  });

  test('keycloak-migration: a check by user name, as the plugin makes it unless it is set up otherwise', async () => {
    const user = said({ id: '12345678', username: 'bob' });
    const paths = async (options: object) => {
      const { asked } = await told('keycloak-migration', options, user, said({}));
      return asked.map(({ path }) => path);
    };
    expect(await paths({ check_by: 'username' })).toEqual(['/base/ada%40example.com', '/base/bob']);
    expect(await paths({ check_by: 'id' })).toEqual(['/base/ada%40example.com', '/base/12345678']);
  });

  test('fusionauth: the request of a generic connector', async () => {
    const sent = await told('fusionauth', { ...key, application_id: 'a1' }, { status: 404 });
    expect(bodyOf(sent)).toMatchObject({ applicationId: 'a1', loginId: email, password, noJWT: true });
  });

  test('auth0: the password-realm grant, on behalf of the address, and who the token is of', async () => {
    const sent = await told('auth0', auth0, said({ access_token: 't' }), said(claims));
    expect(bodyOf(sent)).toMatchObject({
      grant_type: 'http://auth0.com/oauth/grant-type/password-realm',
      client_id: 'client',
      client_secret: 'secret',
      realm: 'Users',
      username: email,
      password,
    });
    expect(sent.asked.map(({ path }) => path)).toEqual(['/base/oauth/token', '/base/userinfo']);
    expect(sent.asked[0]?.headers['auth0-forwarded-for']).toBe(question.address);
    expect(sent.asked[1]?.headers.authorization).toBe('Bearer t');
  });

  test.each(['keycloak', 'entra', 'b2c'])('%s: the password grant, as a form', async (speaks) => {
    const sent = await told(speaks, client, said({}, 500));
    expect(formOf(sent)).toMatchObject({
      grant_type: 'password',
      client_id: 'client',
      username: email,
      password,
    });
    expect(sent.asked[0]?.path).toBe(speaks === 'keycloak' ? '/base/protocol/openid-connect/token' : '/base');
  });

  test('cognito: InitiateAuth with the secret hash', async () => {
    const sent = await told('cognito', client, said({}, 500));
    expect(sent.asked[0]?.headers['x-amz-target']).toBe('AWSCognitoIdentityProviderService.InitiateAuth');
    const SECRET_HASH = createHmac('sha256', 'secret').update(`${email}client`).digest('base64');
    expect(bodyOf(sent)).toEqual({
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: 'client',
      AuthParameters: { USERNAME: email, PASSWORD: password, SECRET_HASH },
    });
  });

  test('firebase: signInWithPassword with the key', async () => {
    const sent = await told('firebase', { api_key: 'k&y' }, said({}, 500));
    expect(sent.asked[0]?.path).toBe('/base/v1/accounts:signInWithPassword?key=k%26y');
    expect(bodyOf(sent)).toEqual({ email, password, returnSecureToken: true });
  });

  // printf '1750000000.{"email":…}' | openssl dgst -sha256 -hmac 'shared secret'
  test('http: the pair and the tenant, signed as OpenSSL signs it', async () => {
    const { asked } = await told('http', { hmac_secret: 'shared secret' }, { status: 403 });
    expect(asked[0]?.body).toBe(`{"email":"${email}","password":"${password}","tenantId":"public"}`);
    expect(asked[0]?.headers).toMatchObject({
      'carryover-time': '1750000000',
      'carryover-signature': 'sha256=3cf1f2c37636409cdac66662d7d8ba6aa1eb0112e77e5269ecf289b0e63697ed',
    });
  });
});
