/** Users with an activity since a time. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import {
  importUser,
  knownPassword,
  newApp,
  newEmail,
  newTenant,
  refusalOf,
  signIn,
  signInUp,
} from '../helpers/people.ts';

const minuteMs = 60_000;
/** The beginning of a step. */
let now = Math.ceil(Date.now() / (60 * minuteMs)) * 60 * minuteMs;
let core: TestCore;
/** Behind the same load balancer: they do not share memory. */
let other: TestCore;
let app: string;
beforeAll(async () => {
  const overrides = { now: () => now };
  core = await startTestCore({ overrides });
  other = await startTestCore({ overrides, database: core.database });
});
afterAll(async () => {
  await other.close();
  await core.stop();
});
beforeEach(async () => {
  now += 60 * minuteMs;
  app = await newApp(core);
});

const active = async (since = now) =>
  (await core.get(`${app}/users/count/active`, { since: String(since) })).body.count;
/** After the reply. */
const willBe = (count: number, since = now) => expect.poll(() => active(since)).toBe(count);

async function newSession(userId: string, prefix = app, on = core): Promise<string> {
  const data = { userDataInJWT: {}, userDataInDatabase: {} };
  const { body } = await on.post(`${prefix}/recipe/session`, { userId, enableAntiCsrf: false, ...data });
  expect(body.status).toBe('OK');
  return (body.refreshToken as { token: string }).token;
}

async function refresh(refreshToken: string, on = core): Promise<void> {
  const input = { refreshToken, enableAntiCsrf: false, useDynamicSigningKey: true };
  expect((await on.post(`${app}/recipe/session/refresh`, input)).body.status).toBe('OK');
}

async function consumeCode(email: string): Promise<void> {
  const { body } = await core.post(`${app}/recipe/signinup/code`, { email });
  const { linkCode, preAuthSessionId } = body;
  const consumed = await core.post(`${app}/recipe/signinup/code/consume`, { linkCode, preAuthSessionId });
  expect(consumed.body.status).toBe('OK');
}

async function imported(): Promise<{ id: string; email: string }> {
  const email = newEmail();
  return { email, id: (await importUser(core, email, app)).id };
}

describe('a user is active', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['who signs up', () => core.post(`${app}/recipe/signup`, { email: newEmail(), password: 'correct 1' })],
    ['who comes by a provider', () => signInUp(core, 'g-1', { id: newEmail() }, app)],
    ['who consumes a code', () => consumeCode(newEmail())],
    ['who gets a session', async () => newSession((await imported()).id)],
  ])('%s', async (_what, act) => {
    expect(await active()).toBe(0);
    await act();
    await willBe(1);
    expect(await active(now + 1)).toBe(0);
  });

  it.each<[string, (email: string) => Promise<unknown>]>([
    ['with a password', (email) => signIn(core, email, knownPassword, app)],
    ['by a provider', (email) => signInUp(core, email, { id: email }, app)],
    ['by a code', (email) => consumeCode(email)],
  ])('who signs in %s, as soon as that is answered', async (how, act) => {
    const email = newEmail();
    if (how === 'with a password') await importUser(core, email, app);
    else await act(email).then(() => willBe(1));
    now += 10 * minuteMs;
    expect(await active()).toBe(0);
    await act(email);
    expect(await active()).toBe(1);
  });

  it('whose session is refreshed, and that writes nothing else', async () => {
    const token = await newSession((await imported()).id);
    await willBe(1);
    now += 10 * minuteMs;
    const sessions = () =>
      withSql(core.database.connection, (sql) => sql`select s.*, s.xmin from carryover.sessions s`);
    const before = await sessions();
    await refresh(token);
    await willBe(1);
    expect(await sessions()).toEqual(before);
  });

  it('in any tenant of the app, and in no other app', async () => {
    const tenant = await newTenant(core, app);
    const { id } = await importUser(core, newEmail(), tenant);
    await newSession(id, tenant);
    await willBe(1);
    app = await newApp(core);
    expect(await active(0)).toBe(0);
  });
});

describe('no user is active', () => {
  it('by an import, a wrong password or a check', async () => {
    const { email } = await imported();
    await signIn(core, email, 'wrong', app);
    await core.post(`${app}/recipe/user/passwordhash/verify`, { email, password: knownPassword });
    // A note that is written after the others.
    await newSession((await imported()).id);
    await willBe(1, 0);
  });

  it('who is no user', async () => {
    await newSession('nobody');
    await newSession((await imported()).id);
    await willBe(1, 0);
  });

  it('who was removed', async () => {
    const { id } = await imported();
    await newSession(id);
    await willBe(1);
    await core.post(`${app}/user/remove`, { userId: id });
    expect(await active(0)).toBe(0);
  });
});

test('a linked user counts once, as active as the login method that was used last', async () => {
  const [head, member] = [await imported(), await imported()];
  await newSession(head.id);
  now += 10 * minuteMs;
  await newSession(member.id);
  await willBe(1);
  expect(await active(0)).toBe(2);
  await core.post(`${app}/recipe/accountlinking/user/primary`, { recipeUserId: head.id });
  const linked = { recipeUserId: member.id, primaryUserId: head.id };
  expect((await core.post(`${app}/recipe/accountlinking/user/link`, linked)).body.status).toBe('OK');
  expect([await active(), await active(0)]).toEqual([1, 1]);
  await core.post(`${app}/user/remove`, { userId: head.id, removeAllLinkedAccounts: false });
  expect([await active(), await active(0)]).toEqual([1, 1]);
});

test('it is noted once in each five minutes, whichever core and way it comes by', async () => {
  const { id, email } = await imported();
  const began = now;
  const noted = () =>
    withSql(core.database.connection, async (sql) => {
      const [row] = await sql<{ active_at: string }[]>`
        select s.active_at from carryover.sign_ins s where s.user_id = ${id}`;
      return Number(row?.active_at);
    });
  const token = await newSession(id);
  await willBe(1);
  now += 5 * minuteMs - 1;
  for (const each of [core, other]) await refresh(token, each);
  await signIn(core, email, knownPassword, app);
  await newSession((await imported()).id, app, other);
  await willBe(1);
  expect(await noted()).toBe(began);
  now += 1;
  await refresh(token, other);
  await expect.poll(noted).toBe(now);
});

test.each(['-1', 'abc', '1.5'])('since %s is refused', async (since) => {
  expect(refusalOf(await core.get(`${app}/users/count/active`, { since }))).toEqual([
    400,
    'INVALID_QUERY_PARAMETER',
    "'since' query parameter must be >= 0",
  ]);
});
