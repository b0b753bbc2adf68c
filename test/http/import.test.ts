import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { metric } from '../helpers/metrics.ts';
import {
  coreId,
  importUser,
  knownHash,
  knownPassword,
  newApp,
  newEmail,
  newTenant,
  refusalOf,
  signIn,
  signInUp,
  userOf,
  verificationToken,
} from '../helpers/people.ts';

const endpoint = '/recipe/user/passwordhash/import';
/** argon2id of `password`, vector 120 and its neighbours. */
const otherHash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
const start = 1_700_000_000_000;
let now = start;
let core: TestCore;
let app: string;

beforeAll(async () => {
  core = await startTestCore({ overrides: { now: () => now } });
});
afterAll(() => core.stop());

beforeEach(async () => {
  now = start;
  app = await newApp(core);
});

function send(input: object, prefix = app): Promise<Answer> {
  return core.post(prefix + endpoint, input);
}

describe('an import of a new email', () => {
  test('makes a user and answers the whole of it', async () => {
    const { http, body } = await send({ email: 'ada@example.com', passwordHash: knownHash });
    const id = (body.user as { id: string }).id;
    expect(id).toMatch(coreId);
    expect([http, body]).toEqual([
      200,
      {
        status: 'OK',
        user: {
          id,
          isPrimaryUser: false,
          tenantIds: ['public'],
          timeJoined: start,
          emails: ['ada@example.com'],
          phoneNumbers: [],
          thirdParty: [],
          webauthn: { credentialIds: [] },
          loginMethods: [
            {
              recipeId: 'emailpassword',
              recipeUserId: id,
              tenantIds: ['public'],
              timeJoined: start,
              verified: false,
              email: 'ada@example.com',
            },
          ],
        },
        didUserAlreadyExist: false,
      },
    ]);
    expect((await core.get(`${app}/user/id`, { userId: id })).body.user).toEqual(body.user);
  });

  test('under a tenant makes a user of that tenant', async () => {
    const tenant = await newTenant(core, app);
    const user = await importUser(core, 'ada@example.com', tenant);
    expect(user.tenantIds).toEqual([tenant.split('/').at(-1)]);
    expect(user.loginMethods[0]?.tenantIds).toEqual(user.tenantIds);
  });

  test('trims and lower-cases the email and trims the hash', async () => {
    const answer = await send({ email: ' \tAda@Example.COM\n', passwordHash: ` ${knownHash}\n` });
    expect(userOf(answer).emails).toEqual(['ada@example.com']);
    expect(await signIn(core, ' ADA@example.com ', knownPassword, app)).toBe('OK');
  });

  test.each(['bcrypt', 'BCRYPT', 'bCrypt'])('takes the kind %s in any case', async (hashingAlgorithm) => {
    expect((await send({ email: newEmail(), passwordHash: knownHash, hashingAlgorithm })).http).toBe(200);
    const other = { email: newEmail(), passwordHash: otherHash, hashingAlgorithm: 'Argon2' };
    expect((await send(other)).http).toBe(200);
  });

  test('is counted by kind and outcome', async () => {
    const count = (outcome: string) => metric(core, 'carryover_imports_total', { kind: 'argon2', outcome });
    const [created, replaced] = [await count('new'), await count('replaced')];
    const email = newEmail();
    await send({ email, passwordHash: otherHash });
    await send({ email, passwordHash: otherHash });
    expect([await count('new'), await count('replaced')]).toEqual([created + 1, replaced + 1]);
  });
});

describe('an import of an email that has a password here', () => {
  test('replaces that hash and nothing else', async () => {
    const email = newEmail();
    const { id } = await importUser(core, email, app);
    const token = await verificationToken(core, { userId: id, email }, app);
    await core.post(`${app}/recipe/user/email/verify`, { method: 'token', token });
    const before = (await core.get(`${app}/user/id`, { userId: id })).body.user;

    now += 60_000;
    const { http, body } = await send({ email: email.toUpperCase(), passwordHash: otherHash });
    expect([http, body]).toEqual([200, { status: 'OK', user: before, didUserAlreadyExist: true }]);
    expect(body.user).toMatchObject({ timeJoined: start, loginMethods: [{ verified: true }] });
    expect(await signIn(core, email, 'password', app)).toBe('OK');
    expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect((await core.get(`${app}/users/count`)).body).toEqual({ status: 'OK', count: 1 });
  });

  test('answers the external id where one is mapped', async () => {
    const email = newEmail();
    const { id } = await importUser(core, email, app);
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'auth0|1' });
    const again = userOf(await send({ email, passwordHash: otherHash }));
    expect([again.id, again.loginMethods[0]?.recipeUserId]).toEqual(['auth0|1', 'auth0|1']);
  });
});

describe('the same email', () => {
  test('in another tenant or another app is another user, with a password of its own', async () => {
    const email = newEmail();
    const prefixes = [app, await newTenant(core, app), await newTenant(core, app), await newApp(core)];
    const users = [];
    for (const prefix of prefixes) users.push(await importUser(core, email, prefix));
    expect(new Set(users.map(({ id }) => id)).size).toBe(4);

    await send({ email, passwordHash: otherHash }, prefixes[1]);
    const statuses = await Promise.all(prefixes.map((prefix) => signIn(core, email, knownPassword, prefix)));
    expect(statuses).toEqual(['OK', 'WRONG_CREDENTIALS_ERROR', 'OK', 'OK']);
  });

  test('of a social user is another user', async () => {
    const email = newEmail();
    const social = await signInUp(core, 'g-1', { id: email }, app);
    const { body } = await send({ email, passwordHash: knownHash });
    expect(body.didUserAlreadyExist).toBe(false);
    expect((body.user as { id: string }).id).not.toBe(social.id);
  });
});

describe('an import is refused', () => {
  const form =
    'must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs';
  test.each([
    ['nothing', '', 'must not be empty'],
    ['white space', ' \n ', 'must not be empty'],
    ['no @', 'ada', form],
    ['nothing before the @', '@example.com', form],
    ['nothing behind the @', 'ada@', form],
    ['two @', 'ada@b@example.com', form],
    ['white space inside', 'ada lovelace@example.com', form],
    ['a control character', 'ada\u0001@example.com', form],
    ['257 characters', `${'a'.repeat(245)}@example.com`, 'must be at most 256 characters'],
  ])('with an email of %s', async (_what, email, why) => {
    expect(refusalOf(await send({ email, passwordHash: knownHash }))).toEqual([
      400,
      'INVALID_FIELD',
      `Field name 'email' is invalid in JSON input: ${why}`,
    ]);
  });

  test('only over 256 characters: trimmed first, counted in UTF-16 units', async () => {
    const email = `${'a'.repeat(244)}@example.com`;
    expect((await send({ email: `   ${email}   `, passwordHash: knownHash })).http).toBe(200);
    const astral = (units: number) => `${'😀'.repeat(units / 2)}@example.com`;
    expect((await send({ email: astral(244), passwordHash: knownHash })).http).toBe(200);
    expect((await send({ email: astral(246), passwordHash: knownHash })).http).toBe(400);
  });

  test.each(['', '  ', '\n\t'])('with an empty hash (%j)', async (passwordHash) => {
    expect(refusalOf(await send({ email: newEmail(), passwordHash }))).toEqual([
      400,
      'INVALID_FIELD',
      'Password hash cannot be an empty string',
    ]);
  });

  test.each(['rot13', '', 'bcrypt ', 'argon2id', '__proto__'])(
    'with the kind %j',
    async (hashingAlgorithm) => {
      const answer = await send({ email: newEmail(), passwordHash: knownHash, hashingAlgorithm });
      expect(refusalOf(answer)).toEqual([
        400,
        'UNSUPPORTED_HASHING_ALGORITHM',
        'Unsupported password hashing algorithm',
      ]);
    },
  );

  test('with a kind that is not the hash’s, which is named', async () => {
    const answer = await send({ email: newEmail(), passwordHash: otherHash, hashingAlgorithm: 'bcrypt' });
    expect(refusalOf(answer)).toEqual([
      400,
      'INVALID_PASSWORD_HASH',
      'Password hash is in invalid BCrypt format: it begins like argon2: set hashingAlgorithm to argon2',
    ]);
  });

  test('and leaves nothing behind', async () => {
    await send({ email: 'ada@example.com', passwordHash: 'nonsense' });
    expect((await core.get(`${app}/users/count`)).body).toEqual({ status: 'OK', count: 0 });
  });
});
