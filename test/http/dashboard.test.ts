/** People who operate an app by the dashboard, and how they sign in. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { metric } from '../helpers/metrics.ts';
import { importUser, knownPassword, newApp, newEmail, refusalOf } from '../helpers/people.ts';

interface Account {
  readonly userId: string;
  readonly email: string;
  readonly timeJoined: number;
}

const password = 'correct horse 1';
const monthMs = 2_592_000_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const wrong = { status: 'INVALID_CREDENTIALS_ERROR' };
const noSession = { status: 'INVALID_SESSION_ERROR' };
let now = 1_700_000_000_000;
let core: TestCore;
/** Behind the same load balancer. */
let other: TestCore;
let app: string;
beforeAll(async () => {
  const options = { overrides: { now: () => now } };
  core = await startTestCore(options);
  other = await startTestCore({ ...options, database: core.database });
});
afterAll(async () => {
  await other.close();
  await core.stop();
});
beforeEach(async () => {
  now += 3_600_000;
  app = await newApp(core);
});

const path = '/recipe/dashboard';
const post = async (what: string, input: object, to = core) =>
  (await to.post(`${app}${path}/${what}`, input)).body;
const change = async (input: object, to = core) => (await to.put(`${app}${path}/user`, input)).body;
const remove = async (query: Record<string, string>) => (await core.delete(`${app}${path}/user`, query)).body;
const listed = async () => (await core.get(`${app}${path}/users`)).body.users;
const sessionsOf = async (userId: string) =>
  (await core.get(`${app}${path}/user/sessions`, { userId })).body.sessions as Record<string, unknown>[];
const verify = (sessionId: unknown, to = core) => post('session/verify', { sessionId }, to);
const enter = (email: string, given = password, to = core) => post('signin', { email, password: given }, to);

async function newAccount(email = newEmail()): Promise<Account> {
  const { status, user } = await post('user', { email, password });
  expect(status).toBe('OK');
  return user as Account;
}

async function newSession(email: string): Promise<string> {
  const { status, sessionId } = await enter(email);
  expect([status, sessionId]).toEqual(['OK', expect.stringMatching(uuid)]);
  return sessionId as string;
}

describe('a user of the dashboard', () => {
  it('is made once by an email, however it is spelt', async () => {
    const email = newEmail();
    const user = await newAccount(email);
    expect(user).toEqual({ userId: expect.stringMatching(uuid) as string, email, timeJoined: now });
    expect(await post('user', { email: ` ${email.toUpperCase()}`, password })).toEqual({
      status: 'EMAIL_ALREADY_EXISTS_ERROR',
    });
    expect(await listed()).toEqual([user]);
  });

  it('is made once by many at the same time', async () => {
    const email = newEmail();
    const cores = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? core : other));
    const answers = await Promise.all(cores.map((each) => post('user', { email, password }, each)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 7 }, () => 'EMAIL_ALREADY_EXISTS_ERROR'),
      'OK',
    ]);
    expect(await listed()).toHaveLength(1);
  });

  it('is of its app, and no user of it', async () => {
    const { email } = await newAccount();
    expect((await core.get(`${app}/users`)).body.users).toEqual([]);
    const signedIn = await core.post(`${app}/recipe/signin`, { email, password });
    expect(signedIn.body).toEqual({ status: 'WRONG_CREDENTIALS_ERROR' });
    app = await newApp(core);
    expect(await listed()).toEqual([]);
    expect(await enter(email)).toEqual(wrong);
  });

  it.each([
    ['nobody', password, { status: 'INVALID_EMAIL_ERROR' }],
    ['', password, { status: 'INVALID_EMAIL_ERROR' }],
    [`${'a'.repeat(250)}@example.com`, password, { status: 'INVALID_EMAIL_ERROR' }],
    ['a@b.test', 'short 1', 'Password must contain at least 8 characters, including a number'],
    ['a@b.test', 'a1'.repeat(50), "Password's length must be lesser than 100 characters"],
    ['a@b.test', '12345678', 'Password must contain at least one alphabet'],
    ['a@b.test', 'correct horse', 'Password must contain at least one number'],
  ])('is not made with %s and %s', async (email, given, fault) => {
    const expected = typeof fault === 'string' ? { status: 'PASSWORD_WEAK_ERROR', message: fault } : fault;
    expect(await post('user', { email, password: given })).toEqual(expected);
    const { userId } = await newAccount('ada@example.com');
    expect(await change({ userId, newEmail: email, newPassword: given })).toEqual(expected);
    expect(await listed()).toEqual([expect.objectContaining({ userId, email: 'ada@example.com' })]);
  });

  it.each(['userId', 'email'] as const)(
    'gets another email and password by %s, and is removed by it',
    async (by) => {
      const before = await newAccount();
      const newEmailOfThem = newEmail();
      const changed = await change({ [by]: before[by], newEmail: newEmailOfThem, newPassword: 'another 1' });
      const user = { ...before, email: newEmailOfThem };
      expect(changed).toEqual({ status: 'OK', user });
      expect(await enter(before.email, 'another 1')).toEqual(wrong);
      expect(await enter(user.email)).toEqual(wrong);
      expect(await enter(user.email, 'another 1')).toMatchObject({ status: 'OK' });
      expect(await remove({ [by]: user[by] })).toEqual({ status: 'OK', didUserExist: true });
      expect(await remove({ [by]: user[by] })).toEqual({ status: 'OK', didUserExist: false });
      expect(await change({ [by]: user[by], newPassword: 'another 2' })).toEqual({
        status: 'UNKNOWN_USER_ERROR',
      });
      expect(await listed()).toEqual([]);
    },
  );

  it('does not take the email of another one', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    expect(await change({ userId: one.userId, newEmail: two.email })).toEqual({
      status: 'EMAIL_ALREADY_EXISTS_ERROR',
    });
    expect(await change({ userId: one.userId, newEmail: one.email, newPassword: null })).toEqual({
      status: 'OK',
      user: one,
    });
  });

  it('is named by id or email, and else no user is meant', async () => {
    const neither = [400, 'INVALID_FIELD', "Either field 'email' or 'userId' must be present"];
    expect(refusalOf(await core.put(`${app}${path}/user`, { email: null, newEmail: 'a@b.test' }))).toEqual(
      neither,
    );
    expect(refusalOf(await core.delete(`${app}${path}/user`))).toEqual(neither);
  });

  it('goes with the app', async () => {
    const { email } = await newAccount();
    await newSession(email);
    const appId = app.replace('/appid-', '');
    const left = () =>
      withSql(
        core.database.connection,
        (sql) => sql`
        select 1 from carryover.dashboard_users u where u.email = ${email}
        union all
        select 1 from carryover.dashboard_sessions s where s.created_at = ${now}`,
      );
    expect(await left()).toHaveLength(2);
    expect((await core.post('/recipe/multitenancy/app/remove', { appId })).body.didExist).toBe(true);
    expect(await left()).toHaveLength(0);
  });
});

describe('a sign-in', () => {
  it('opens a session, which every core knows until it ends', async () => {
    const { email } = await newAccount();
    const sessionId = await newSession(email);
    for (const each of [core, other]) expect(await verify(sessionId, each)).toEqual({ status: 'OK', email });
    expect((await core.delete(`${app}${path}/session`, { sessionId })).body).toEqual({ status: 'OK' });
    expect(await verify(sessionId, other)).toEqual(noSession);
    expect((await core.delete(`${app}${path}/session`, { sessionId })).body).toEqual({ status: 'OK' });
  });

  it('with a wrong password or an unknown email opens none', async () => {
    const { email, userId } = await newAccount();
    for (const given of ['wrong 123', '', password.toUpperCase()])
      expect(await enter(email, given)).toEqual(wrong);
    expect(await enter(newEmail())).toEqual(wrong);
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('computes a password for an unknown email as well', async () => {
    const verified = () => metric(core, 'carryover_pool_task_duration_seconds_count', { kind: 'verify' });
    const { email } = await newAccount();
    for (const each of [email, newEmail()]) {
      const before = await verified();
      expect(await enter(each, 'wrong 123')).toEqual(wrong);
      expect(await verified()).toBe(before + 1);
    }
    // Without any user it is a hash of the policy.
    app = await newApp(core);
    const before = await verified();
    expect(await enter(email)).toEqual(wrong);
    expect(await verified()).toBe(before + 1);
  });

  it('of an app user does not open the dashboard', async () => {
    const email = newEmail();
    await importUser(core, email, app);
    expect(await enter(email, knownPassword)).toEqual(wrong);
  });

  it('lasts for 30 days', async () => {
    const { email, userId } = await newAccount();
    const sessionId = await newSession(email);
    now += monthMs - 1;
    expect(await verify(sessionId)).toEqual({ status: 'OK', email });
    now += 1;
    expect(await verify(sessionId)).toEqual(noSession);
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('is slowed down after wrong passwords, whether the email is known or not', async () => {
    for (const email of [(await newAccount()).email, newEmail()]) {
      for (let n = 0; n < 20; n++) expect(await enter(email, 'wrong 123')).toEqual(wrong);
      const refused = await core.post(`${app}${path}/signin`, { email, password });
      expect(refusalOf(refused)).toEqual([429, 'TOO_MANY_GUESSES', expect.any(String)]);
    }
  });

  it('counts apart from guesses at an app user of the same email', async () => {
    const { email } = await newAccount();
    await importUser(core, email, app);
    for (let n = 0; n < 25; n++) await core.post(`${app}/recipe/signin`, { email, password: 'wrong' });
    await newSession(email);
  });

  it('that a change of the password overtakes opens no session that stays', async () => {
    for (let round = 0; round < 8; round++) {
      const { email, userId } = await newAccount();
      const answers = await Promise.all([
        enter(email),
        change({ userId, newPassword: 'another 1' }, other),
        enter(email, password, other),
      ]);
      for (const { sessionId } of [answers[0], answers[2]])
        if (sessionId !== undefined) expect(await verify(sessionId)).toEqual(noSession);
    }
  });
});

describe('sessions', () => {
  it('are listed by handles, which end them and open nothing', async () => {
    const { email, userId } = await newAccount();
    const first = await newSession(email);
    now += 1000;
    const second = await newSession(email);
    const list = await sessionsOf(userId);
    expect(list).toEqual(
      [now - 1000, now].map((timeCreated) => ({
        userId,
        timeCreated,
        expiry: timeCreated + monthMs,
        sessionId: expect.stringMatching(uuid) as string,
      })),
    );
    const [handle] = list.map(({ sessionId }) => sessionId as string);
    expect([first, second]).not.toContain(handle);
    expect(await verify(handle)).toEqual(noSession);
    await core.delete(`${app}${path}/session`, { sessionId: handle ?? '' });
    expect([await verify(first), await verify(second)]).toEqual([noSession, { status: 'OK', email }]);
  });

  it.each<[string, object]>([
    ['email', { newEmail: 'other@example.com' }],
    ['password', { newPassword: 'another 1' }],
  ])('end with another %s', async (_what, input) => {
    const { email, userId } = await newAccount();
    const sessionId = await newSession(email);
    expect(await change({ userId, ...input })).toMatchObject({ status: 'OK' });
    expect(await verify(sessionId)).toEqual(noSession);
  });

  it('end with the user, and are not those of another app', async () => {
    const { email, userId } = await newAccount();
    const sessionId = await newSession(email);
    const own = app;
    app = await newApp(core);
    expect(await verify(sessionId)).toEqual(noSession);
    await core.delete(`${app}${path}/session`, { sessionId });
    app = own;
    expect(await verify(sessionId)).toEqual({ status: 'OK', email });
    await remove({ userId });
    expect(await verify(sessionId)).toEqual(noSession);
  });

  test.each(['nobody', randomUUID()])('of %s do not exist', async (userId) => {
    expect(await sessionsOf(userId)).toEqual([]);
  });
});

test('what opens a session, and passwords, are not kept', async () => {
  const { email } = await newAccount();
  const sessionId = await newSession(email);
  await withSql(core.database.connection, async (sql) => {
    const rows = await sql`
      select to_jsonb(s)::text as kept from carryover.dashboard_sessions s
      union all select to_jsonb(u)::text from carryover.dashboard_users u`;
    expect(rows.length).toBeGreaterThan(1);
    for (const { kept } of rows) expect(kept).not.toMatch(new RegExp(`${sessionId}|${password}`));
  });
  expect(core.log.join('')).not.toMatch(new RegExp(`${sessionId}|${password}`));
});
