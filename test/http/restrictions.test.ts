/** A user disabled at the source, or protected there by more than a password, does not sign in here with the password alone. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NativeLoginMethod, NativeUser } from '../../src/imports/record/native-record.ts';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { metric } from '../helpers/metrics.ts';
import {
  importUser,
  knownHash,
  knownPassword,
  newApp,
  newEmail,
  refusalOf,
  signIn,
  signInUp,
} from '../helpers/people.ts';

let core: TestCore;
let telling: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore();
  telling = await startTestCore({ database: core.database, settings: { REVEAL_RESTRICTIONS: 'true' } });
});
afterAll(async () => {
  await telling.close();
  await core.stop();
});
beforeEach(async () => {
  app = await newApp(core);
});

const path = '/user/restrictions';
const wrong = 'WRONG_CREDENTIALS_ERROR';
const free = { isDisabled: false, isHeld: false, secondFactors: [], requiredActions: [] };

const password = (email: string, rest: object = {}): NativeLoginMethod => ({
  recipeId: 'emailpassword',
  email,
  passwordHash: knownHash,
  ...rest,
});
const social = (id: string, email: string): NativeLoginMethod => ({
  recipeId: 'thirdparty',
  email,
  thirdPartyId: 'google',
  thirdPartyUserId: id,
});

async function importRecord(record: Partial<NativeUser>): Promise<void> {
  expect((await core.post(`${app}/bulk-import/import`, record)).body).toMatchObject({ status: 'OK' });
}

/** A user with a password. @returns the email */
async function importPerson(externalUserId: string, rest: Partial<NativeUser> = {}): Promise<string> {
  const email = newEmail();
  await importRecord({ externalUserId, loginMethods: [password(email)], ...rest });
  return email;
}

const restrictionsOf = async (userId: string) => (await core.get(app + path, { userId })).body;

/** The part of an answer that a client can see, without the date. */
async function seen(route: string, input: object, to = core) {
  const response = await fetch(to.url + app + route, {
    method: 'POST',
    headers: { 'api-key': testApiKey, 'carryover-client-address': '192.0.2.1' },
    body: JSON.stringify(input),
  });
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  return { http: response.status, text: await response.text(), headers };
}

describe('a disabled user', () => {
  test.each(['/recipe/signin', '/recipe/user/passwordhash/verify'])(
    '%s answers the right password with the bytes of a wrong one',
    async (route) => {
      const email = await importPerson('ada', { isDisabled: true });
      const right = await seen(route, { email, password: knownPassword });
      expect(right).toEqual(await seen(route, { email, password: 'wrong' }));
      expect(right.text).toBe(JSON.stringify({ status: wrong }));
    },
  );

  test('takes the steps of a wrong password: one look-up, one hash, one note, and no user is read', async () => {
    const email = await importPerson('ada', { isDisabled: true });
    const operations = ['find-credential', 'note-password-check', 'mark-sign-in', 'load-user'];
    const steps = async () => [
      ...(await Promise.all(
        operations.map((operation) => metric(core, 'carryover_batch_size_sum', { operation })),
      )),
      await metric(core, 'carryover_pool_task_duration_seconds_count'),
    ];
    const taken: number[][] = [];
    for (const attempt of ['wrong', knownPassword]) {
      const before = await steps();
      await signIn(core, email, attempt, app);
      const noted = () => metric(core, 'carryover_batch_size_sum', { operation: 'note-password-check' });
      await expect.poll(noted).toBe((before[1] ?? 0) + 1);
      taken.push((await steps()).map((each, place) => each - (before[place] ?? 0)));
    }
    expect(taken[0]).toEqual(taken[1]);
    expect(taken[0]).toEqual([1, 1, 0, 0, 1]);
  });

  test('counts as a wrong password for the throttle', async () => {
    const disabled = await importPerson('ada', { isDisabled: true });
    const plain = await importPerson('bob');
    const until = async (email: string, tried: string) => {
      for (let n = 1; n <= 20; n++)
        if ((await seen('/recipe/signin', { email, password: tried })).http === 429) return n;
      return undefined;
    };
    const allowed = await until(plain, 'wrong');
    expect(allowed).toBeGreaterThan(1);
    expect(await until(disabled, knownPassword)).toBe(allowed);
  });

  test('does not come in by a linked provider, and nothing of the account changes by the try', async () => {
    const email = newEmail();
    const methods = [password(email, { isPrimary: true }), social('g1', email)];
    await importRecord({ externalUserId: 'ada', isDisabled: true, loginMethods: methods });
    const before = await core.get(`${app}/user/id`, { userId: 'ada' });
    const input = {
      thirdPartyId: 'google',
      thirdPartyUserId: 'g1',
      email: { id: newEmail(), isVerified: true },
    };
    const { body } = await core.post(`${app}/recipe/signinup`, input);
    expect(body).toEqual({ status: 'SIGN_IN_UP_NOT_ALLOWED', reason: 'The sign-in was refused' });
    expect(await signIn(core, email, knownPassword, app)).toBe(wrong);
    expect((await core.get(`${app}/user/id`, { userId: 'ada' })).text).toBe(before.text);
    await core.put(app + path, { userId: 'ada', isDisabled: false });
    await signInUp(core, 'g1', { id: email }, app);
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  });

  test('is so as each of several users that one record makes', async () => {
    const emails = [newEmail(), newEmail()];
    await importRecord({ isDisabled: true, loginMethods: emails.map((email) => password(email)) });
    for (const email of emails) expect(await signIn(core, email, knownPassword, app)).toBe(wrong);
  });

  test('is still seen, and may still reset the password and verify the email, which signs no user in', async () => {
    const email = await importPerson('ada', { isDisabled: true });
    const users = (await core.get(`${app}/users`)).body.users as { id: string }[];
    expect(users.map(({ id }) => id)).toEqual(['ada']);
    const pair = { userId: 'ada', email };
    const reset = await core.post(`${app}/recipe/user/password/reset/token`, pair);
    const { token } = reset.body;
    const spent = await core.post(`${app}/recipe/user/password/reset/token/consume`, { token });
    expect(spent.body).toMatchObject({ status: 'OK' });
    const changed = await core.put(`${app}/recipe/user`, { recipeUserId: 'ada', password: 'another' });
    expect(changed.body).toEqual({ status: 'OK' });
    const verification = await core.post(`${app}/recipe/user/email/verify/token`, pair);
    const verified = { method: 'token', token: verification.body.token };
    expect((await core.post(`${app}/recipe/user/email/verify`, verified)).body).toMatchObject({
      status: 'OK',
    });
    expect(await signIn(core, email, 'another', app)).toBe(wrong);
    expect(await restrictionsOf('ada')).toMatchObject({ isDisabled: true });
  });

  test('gets the reason from a core that reveals it, for the right password only', async () => {
    const email = await importPerson('ada', { isDisabled: true });
    const attempt = (tried: string) =>
      telling.post(`${app}/recipe/signin`, { email, password: tried }).then(({ body }) => body);
    expect(await attempt(knownPassword)).toEqual({ status: 'SIGN_IN_RESTRICTED_ERROR', reason: 'DISABLED' });
    expect(await attempt('wrong')).toEqual({ status: wrong });
  });

  test('is no other user: an email that a hash import brings again stays disabled', async () => {
    const email = await importPerson('ada', { isDisabled: true });
    await importUser(core, email, app);
    expect(await signIn(core, email, knownPassword, app)).toBe(wrong);
  });
});

/** As if the end of each user's restrictions had passed. */
const letTimePass = () =>
  withSql(core.database.connection, (sql) =>
    sql.unsafe(
      `update user_details set restrictions = jsonb_set(restrictions, '{isDisabled}', to_jsonb(clock_ms() - 1))
       where jsonb_typeof(restrictions -> 'isDisabled') = 'number'`,
    ),
  );

describe('a user who is disabled until a time', () => {
  const until = Date.parse('2100-01-01');

  test.each([{ disabledUntil: until }, { isDisabled: true, disabledUntil: until }])(
    'is refused until then, and signs in from then on: %j',
    async (rest) => {
      const email = newEmail();
      const methods = [password(email, { isPrimary: true }), social('g1', email)];
      await importRecord({ externalUserId: 'ada', ...rest, loginMethods: methods });
      const right = await seen('/recipe/signin', { email, password: knownPassword });
      expect(right).toEqual(await seen('/recipe/signin', { email, password: 'wrong' }));
      const told = await telling.post(`${app}/recipe/signin`, { email, password: knownPassword });
      expect(told.body).toEqual({ status: 'SIGN_IN_RESTRICTED_ERROR', reason: 'DISABLED' });
      const locked = { userId: 'ada', ...free, isDisabled: true, disabledUntil: until };
      expect(await restrictionsOf('ada')).toEqual({ status: 'OK', ...locked });
      expect((await core.get(app + path)).body).toEqual({ status: 'OK', users: [locked] });
      await letTimePass();
      expect(await restrictionsOf('ada')).toEqual({ status: 'OK', userId: 'ada', ...free });
      expect((await core.get(app + path)).body).toEqual({ status: 'OK', users: [] });
      expect(await signIn(core, email, knownPassword, app)).toBe('OK');
      await signInUp(core, 'g1', { id: email }, app);
    },
  );

  test('signs in by a code from then on, and not before', async () => {
    const email = newEmail();
    await importRecord({ loginMethods: [{ recipeId: 'passwordless', email }], disabledUntil: until });
    const byCode = async () => {
      const { body: code } = await core.post(`${app}/recipe/signinup/code`, { email });
      const { preAuthSessionId, deviceId, userInputCode } = code;
      const input = { preAuthSessionId, deviceId, userInputCode };
      return (await core.post(`${app}/recipe/signinup/code/consume`, input)).body.status;
    };
    expect(await byCode()).not.toBe('OK');
    await letTimePass();
    expect(await byCode()).toBe('OK');
  });

  test('is not disabled by a time that has passed, and leaves no row', async () => {
    const email = await importPerson('ada', { isDisabled: true, disabledUntil: 1 });
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
    const kept = await withSql(
      core.database.connection,
      (sql) => sql`
      select count(*)::int as count from user_details t join users u on u.app_no = t.app_no and u.user_id = t.user_id
      where u.email = ${email}`,
    );
    expect(kept).toEqual([{ count: 0 }]);
  });

  test('can be locked by a request for a time, for longer, for good, and let in', async () => {
    const email = await importPerson('ada');
    const put = (change: object) => core.put(app + path, { userId: 'ada', ...change });
    const locked = { status: 'OK', userId: 'ada', ...free, isDisabled: true };
    expect((await put({ disabledUntil: until })).body).toEqual({ ...locked, disabledUntil: until });
    expect((await put({ isDisabled: true, disabledUntil: until + 1 })).body).toEqual({
      ...locked,
      disabledUntil: until + 1,
    });
    expect(await signIn(core, email, knownPassword, app)).toBe(wrong);
    expect((await put({ isDisabled: true })).body).toEqual(locked);
    await letTimePass();
    expect(await signIn(core, email, knownPassword, app)).toBe(wrong);
    expect((await put({ isDisabled: false })).body).toEqual({ status: 'OK', userId: 'ada', ...free });
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  });

  test.each([
    [{ disabledUntil: 1 }, 'must be a time to come'],
    [{ isDisabled: false, disabledUntil: until }, 'leave it out where isDisabled is false'],
    [{ disabledUntil: '2100-01-01' }, 'is invalid in JSON input'],
  ])('is not made by a request that makes no sense: %j', async (change, why) => {
    await importPerson('ada');
    const refused = refusalOf(await core.put(app + path, { userId: 'ada', ...change }));
    expect(refused).toEqual([400, 'INVALID_FIELD', expect.stringContaining('disabledUntil')]);
    expect(refused[2]).toContain(why);
    expect(await restrictionsOf('ada')).toMatchObject(free);
  });

  test('costs no further look-up once the time has passed', async () => {
    const plain = await importPerson('bea');
    const email = await importPerson('ada', { disabledUntil: until });
    await letTimePass();
    const operations = ['find-credential', 'mark-sign-in', 'load-user'];
    const stepsOf = async (who: string) => {
      const counts = () =>
        Promise.all(operations.map((operation) => metric(core, 'carryover_batch_size_sum', { operation })));
      const before = await counts();
      expect(await signIn(core, who, knownPassword, app)).toBe('OK');
      return (await counts()).map((each, place) => each - (before[place] ?? 0));
    };
    expect(await stepsOf(email)).toEqual(await stepsOf(plain));
  });
});

describe('a user who has more than a password at the source', () => {
  test.each([
    [
      'a device',
      { totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }] },
      'SECOND_FACTOR',
      { secondFactors: ['totp'] },
    ],
    [
      'factors',
      { secondFactors: ['webauthn', 'sms'] },
      'SECOND_FACTOR',
      { secondFactors: ['sms', 'webauthn'] },
    ],
    [
      'an action',
      { requiredActions: ['UPDATE_PASSWORD'] },
      'REQUIRED_ACTION',
      { requiredActions: ['UPDATE_PASSWORD'] },
    ],
  ] as const)('%s: cannot sign in until that is lifted', async (_, rest, reason, kept) => {
    const email = await importPerson('ada', rest);
    expect(await signIn(core, email, knownPassword, app)).toBe(wrong);
    const told = await telling.post(`${app}/recipe/signin`, { email, password: knownPassword });
    expect(told.body).toEqual({ status: 'SIGN_IN_RESTRICTED_ERROR', reason });
    const lifted = { ...free, ...kept, userId: 'ada', status: 'OK' };
    expect(await restrictionsOf('ada')).toEqual({ ...lifted, isHeld: true });
    expect((await core.put(app + path, { userId: 'ada', isHeld: false })).body).toEqual(lifted);
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  });

  test('an action that protects nothing is stored, and restricts no one', async () => {
    const email = await importPerson('ada', { requiredActions: ['update_user_locale', 'VERIFY_EMAIL'] });
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
    expect(await restrictionsOf('ada')).toMatchObject({
      isHeld: false,
      requiredActions: ['VERIFY_EMAIL', 'update_user_locale'],
    });
  });
});

describe('restrictions', () => {
  test('are listed page by page, of those only who may not sign in', async () => {
    for (const n of [1, 2, 3]) await importPerson(`d${n}`, { isDisabled: true });
    await importPerson('free', { isDisabled: false });
    await importPerson('held', { secondFactors: ['sms'] });
    await importPerson('lifted', { isDisabled: true });
    await core.put(app + path, { userId: 'lifted', isDisabled: false });
    const listed: unknown[] = [];
    let query: Record<string, string> = { limit: '2' };
    for (let pages = 0; pages < 3; pages++) {
      const { body } = await core.get(app + path, query);
      listed.push(...(body.users as unknown[]));
      if (body.nextPaginationToken === undefined) break;
      query = { limit: '2', paginationToken: body.nextPaginationToken as string };
    }
    const disabled = { ...free, isDisabled: true };
    const held = { ...free, userId: 'held', isHeld: true, secondFactors: ['sms'] };
    expect(listed).toEqual([...['d1', 'd2', 'd3'].map((userId) => ({ userId, ...disabled })), held]);
  });

  test('can be set for any user, and by any id; no other user is touched', async () => {
    const email = newEmail();
    const user = await importUser(core, email, app);
    const other = await importPerson('bob');
    const set = await core.put(app + path, { userId: user.id, isDisabled: true });
    expect(set.body).toEqual({ status: 'OK', userId: user.id, ...free, isDisabled: true });
    expect(await signIn(core, email, knownPassword, app)).toBe(wrong);
    expect(await signIn(core, other, knownPassword, app)).toBe('OK');
  });

  test('of unknown users are refused, and so is an empty change', async () => {
    const unknown = { status: 'UNKNOWN_USER_ID_ERROR' };
    expect(await restrictionsOf('nobody')).toEqual(unknown);
    expect((await core.put(app + path, { userId: 'nobody', isDisabled: true })).body).toEqual(unknown);
    const nothing = refusalOf(await core.put(app + path, { userId: 'nobody' }));
    expect(nothing).toEqual([
      400,
      'INVALID_FIELD',
      expect.stringContaining('give isDisabled, disabledUntil or isHeld'),
    ]);
  });

  test('go with the user', async () => {
    await importPerson('ada', { isDisabled: true });
    await core.post(`${app}/user/remove`, { userId: 'ada' });
    expect((await core.get(app + path)).body).toEqual({ status: 'OK', users: [] });
    expect(await signIn(core, await importPerson('ada', { restoreRemoved: true }), knownPassword, app)).toBe(
      'OK',
    );
  });

  test.each([
    ['isDisabled', 'yes'],
    ['requiredActions', 'UPDATE_PASSWORD'],
    ['requiredActions', ['']],
  ])('of another type are a fault of the record: %s', async (field, value) => {
    const record = { loginMethods: [password(newEmail())], [field]: value };
    const text = JSON.stringify((await core.post(`${app}/bulk-import/import`, record)).body);
    expect(text).toContain(field);
    expect(text).toContain('invalid');
  });
});
