import { describe, expect, test } from 'vitest';
import type { Answer, TestCore } from '../helpers/core.ts';
import { metric } from '../helpers/metrics.ts';
import {
  importUser,
  knownPassword,
  newEmail,
  newTenant,
  refusalOf,
  signIn,
  signInUp,
} from '../helpers/people.ts';
import { readVectors } from '../helpers/vectors.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

function send(email: string, password: string, prefix = app): Promise<Answer> {
  return core.post(`${prefix}/recipe/signin`, { email, password });
}

async function tasks(): Promise<number> {
  return metric(core, 'carryover_pool_task_duration_seconds_count');
}

describe('a sign-in with the old password', () => {
  test('answers the user', async () => {
    const email = newEmail();
    const user = await importUser(core, email, app);
    const { http, body } = await send(email, knownPassword);
    expect([http, body]).toEqual([200, { status: 'OK', user, recipeUserId: user.id }]);
  });

  test('answers the external id where one is mapped', async () => {
    const email = newEmail();
    const { id } = await importUser(core, email, app);
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'auth0|7' });
    const { body } = await send(email, knownPassword);
    expect(body).toMatchObject({
      user: { id: 'auth0|7', loginMethods: [{ recipeUserId: 'auth0|7' }] },
      recipeUserId: 'auth0|7',
    });
  });

  test('works in the user’s tenant only', async () => {
    const [email, tenant] = [newEmail(), await newTenant(core, app)];
    await importUser(core, email, tenant);
    expect(await signIn(core, email, knownPassword, tenant)).toBe('OK');
    expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await signIn(core, email, knownPassword, await newTenant(core, app))).toBe(
      'WRONG_CREDENTIALS_ERROR',
    );
  });
});

describe('a refused client learns nothing', () => {
  /** The part of an answer that a client can see, without the date. */
  const seen = ({ http, text, headers }: Answer) => [
    http,
    text,
    [...headers].filter(([name]) => name !== 'date'),
  ];

  test('an unknown email, a social user and a wrong password get the same bytes and headers', async () => {
    const [known, social] = [newEmail(), newEmail()];
    await importUser(core, known, app);
    await signInUp(core, 'g-1', { id: social, isVerified: true }, app);
    const wrong = seen(await send(known, 'wrong'));
    expect(wrong.slice(0, 2)).toEqual([200, '{"status":"WRONG_CREDENTIALS_ERROR"}']);
    expect(seen(await send(newEmail(), 'wrong'))).toEqual(wrong);
    expect(seen(await send(social, 'wrong'))).toEqual(wrong);
  });

  test('each costs one task of the pool, of the same sort', async () => {
    const [known, social] = [newEmail(), newEmail()];
    await importUser(core, known, app);
    await signInUp(core, 'g-1', { id: social }, app);
    const verifications = () =>
      metric(core, 'carryover_pool_task_duration_seconds_count', { kind: 'verify' });
    for (const email of [known, social, newEmail()]) {
      const [all, before] = [await tasks(), await verifications()];
      await send(email, 'wrong');
      expect([await tasks(), await verifications()]).toEqual([all + 1, before + 1]);
    }
  });
});

describe('a password', () => {
  test('may have 4096 bytes, however many characters, and not one more', async () => {
    for (const password of ['x'.repeat(4096), 'é'.repeat(2048), '😀'.repeat(1024)]) {
      const email = newEmail();
      expect((await core.post(`${app}/recipe/signup`, { email, password })).body.status).toBe('OK');
      expect(await signIn(core, email, password, app)).toBe('OK');
    }
  });

  test('of 4097 bytes is refused before any hashing', async () => {
    const before = await tasks();
    for (const password of ['x'.repeat(4097), `x${'é'.repeat(2048)}`]) {
      for (const path of ['/recipe/signin', '/recipe/signup']) {
        expect(refusalOf(await core.post(app + path, { email: newEmail(), password }))).toEqual([
          400,
          'INVALID_FIELD',
          "Field name 'password' is invalid in JSON input: must be at most 4096 bytes",
        ]);
      }
    }
    expect(await tasks()).toBe(before);
  });

  test('may not be empty', async () => {
    for (const path of ['/recipe/signin', '/recipe/signup'])
      expect(refusalOf(await core.post(app + path, { email: newEmail(), password: '' }))).toEqual([
        400,
        'INVALID_FIELD',
        'Password cannot be an empty string',
      ]);
  });

  test('is neither trimmed nor normalised', async () => {
    const email = newEmail();
    const composed = ' Ångström ';
    await core.post(`${app}/recipe/signup`, { email, password: composed });
    expect(await signIn(core, email, composed, app)).toBe('OK');
    for (const other of [composed.trim(), composed.normalize('NFD'), composed.toLowerCase()])
      expect(await signIn(core, email, other, app)).toBe('WRONG_CREDENTIALS_ERROR');
  });

  test('beyond 72 bytes counts for bcrypt as in the source system: not at all', async () => {
    const { hash = '', password = '' } = readVectors().find(({ id }) => id === '006') ?? {};
    const email = newEmail();
    await core.post(`${app}/recipe/user/passwordhash/import`, { email, passwordHash: hash });
    expect(Buffer.byteLength(password)).toBeGreaterThan(72);
    for (const equal of [password, password.slice(0, 72), `${password.slice(0, 72)} and anything`])
      expect(await signIn(core, email, equal, app)).toBe('OK');
    expect(await signIn(core, email, password.slice(0, 71), app)).toBe('WRONG_CREDENTIALS_ERROR');
  });

  test('beyond 72 bytes counts for one that was set here', async () => {
    const email = newEmail();
    await core.post(`${app}/recipe/signup`, { email, password: 'x'.repeat(100) });
    expect(await signIn(core, email, 'x'.repeat(99), app)).toBe('WRONG_CREDENTIALS_ERROR');
  });
});
