/** Disabling a user ends their sessions, and none begins or returns. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, newApp, newEmail, newTenant, signInUp } from '../helpers/people.ts';

interface Session {
  readonly handle: string;
  readonly refreshToken: string;
  readonly accessToken: string;
}

let core: TestCore;
let other: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore();
  other = await startTestCore({ database: core.database });
});
afterAll(async () => {
  await other.close();
  await core.stop();
});
beforeEach(async () => {
  app = await newApp(core);
});

const record = (externalUserId: string, more: object = {}) => ({
  externalUserId,
  ...more,
  loginMethods: [
    { recipeId: 'emailpassword', email: `${externalUserId}@example.com`, passwordHash: knownHash },
  ],
});

async function importUser(id: string, more: object = {}): Promise<void> {
  expect((await core.post(`${app}/bulk-import/import`, record(id, more))).body.status).toBe('OK');
}

async function begin(userId: string, prefix = app, at = core): Promise<Session | string> {
  const input = { userId, enableAntiCsrf: false, userDataInJWT: {}, userDataInDatabase: {} };
  const { http, body } = await at.post(`${prefix}/recipe/session`, input);
  expect(http).toBe(200);
  if (body.status !== 'OK') return String(body.status);
  const { session, refreshToken, accessToken } = body as Record<string, Record<string, string>>;
  return {
    handle: session?.handle ?? '',
    refreshToken: refreshToken?.token ?? '',
    accessToken: accessToken?.token ?? '',
  };
}

async function beginOne(userId: string, prefix = app): Promise<Session> {
  const session = await begin(userId, prefix);
  if (typeof session === 'string') throw new Error(session);
  return session;
}

const statusOf = async (path: string, input: object, at = core): Promise<unknown> =>
  (await at.post(app + path, input)).body.status;

const refresh = ({ refreshToken }: Session, at = core): Promise<unknown> =>
  statusOf(
    '/recipe/session/refresh',
    { refreshToken, enableAntiCsrf: false, useDynamicSigningKey: true },
    at,
  );

const verify = ({ accessToken }: Session, checkDatabase = true): Promise<unknown> =>
  statusOf('/recipe/session/verify', {
    accessToken,
    checkDatabase,
    doAntiCsrfCheck: false,
    enableAntiCsrf: false,
  });

const put = (userId: string, change: object, at = core) =>
  at.put(`${app}/user/restrictions`, { userId, ...change });

/** The answers of each way to use a session; ended ones all give the same status. */
async function usesOf(session: Session): Promise<Set<unknown>> {
  const details = await core.get(`${app}/recipe/session`, { sessionHandle: session.handle });
  return new Set([
    await refresh(session),
    await verify(session),
    await statusOf('/recipe/session/regenerate', { accessToken: session.accessToken }),
    details.body.status,
  ]);
}

/** As if the end of the users' restrictions had passed. */
const endLocks = () =>
  withSql(core.database.connection, (sql) =>
    sql.unsafe(
      `update user_details set restrictions = jsonb_set(restrictions, '{isDisabled}', to_jsonb(clock_ms() - 1))
       where jsonb_typeof(restrictions -> 'isDisabled') = 'number'`,
    ),
  );

const dead = new Set(['UNAUTHORISED']);

async function run(records: readonly object[], query: string): Promise<string> {
  const response = await fetch(`${core.url}${app}/bulk-import/jobs?source=old${query}`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey },
    body: records.map((each) => `${JSON.stringify(each)}\n`).join(''),
  });
  return ((await response.json()) as { job: { id: string } }).job.id;
}

const handlesOf = async (userId: string) =>
  (await core.get(`${app}/recipe/session/user`, { userId })).body.sessionHandles;

describe('a user who is disabled by a request', () => {
  test('has no session any more, in no tenant, and gets none', async () => {
    await importUser('ada');
    const tenant = await newTenant(core, app);
    const sessions = [await beginOne('ada'), await beginOne('ada', tenant)];
    await put('ada', { isDisabled: true });
    for (const session of sessions) expect(await usesOf(session)).toEqual(dead);
    expect(await begin('ada')).toBe('UNAUTHORISED');
    expect(await handlesOf('ada')).toEqual([]);
  });

  test('gets none of them back when that is lifted, and can begin others', async () => {
    await importUser('ada');
    const session = await beginOne('ada');
    await put('ada', { isDisabled: true });
    await put('ada', { isDisabled: false });
    expect(await usesOf(session)).toEqual(dead);
    expect(await refresh(await beginOne('ada'))).toBe('OK');
  });

  test('gets none back when the time has come, and can begin others', async () => {
    await importUser('ada');
    const session = await beginOne('ada');
    await put('ada', { disabledUntil: Date.parse('2100-01-01') });
    expect(await usesOf(session)).toEqual(dead);
    expect(await begin('ada')).toBe('UNAUTHORISED');
    await endLocks();
    expect(await usesOf(session)).toEqual(dead);
    const later = await beginOne('ada');
    expect(await refresh(later)).toBe('OK');
    // Lifting an expired lock ends nothing that began since.
    await put('ada', { isDisabled: false });
    expect(await verify(later)).toBe('OK');
  });

  test('loses a session that began while the lock was made, also when its time has come', async () => {
    await importUser('ada');
    const session = await beginOne('ada');
    // The state after the race: the lock exists, and so does a session that began before it.
    await withSql(
      core.database.connection,
      (sql) => sql`
        insert into user_details (app_no, user_id, restrictions)
        select u.app_no, u.user_id, jsonb_build_object('isDisabled', clock_ms() - 1) from sessions s
        join users u on u.app_no = s.app_no and u.external_id = 'ada'
        where s.handle = ${session.handle}`,
    );
    expect(await usesOf(session)).toEqual(dead);
    expect(await refresh(await beginOne('ada'))).toBe('OK');
  });

  test('is known by any of their login methods, also the linked ones', async () => {
    await importUser('ada');
    const google = await signInUp(core, 'google-ada', { id: newEmail(), isVerified: true }, app);
    const head = { recipeUserId: 'ada' };
    await core.post(`${app}/recipe/accountlinking/user/primary`, head);
    const link = { recipeUserId: google.id, primaryUserId: 'ada' };
    expect(await statusOf('/recipe/accountlinking/user/link', link)).toBe('OK');
    const sessions = [await beginOne('ada'), await beginOne(google.id)];
    await put(google.id, { isDisabled: true });
    for (const session of sessions) expect(await usesOf(session)).toEqual(dead);
    for (const id of ['ada', google.id]) expect(await begin(id)).toBe('UNAUTHORISED');
  });

  test('is refused by another core at once', async () => {
    await importUser('ada');
    const session = await beginOne('ada');
    await put('ada', { isDisabled: true }, other);
    expect(await refresh(session)).toBe('UNAUTHORISED');
    expect(await refresh(session, other)).toBe('UNAUTHORISED');
  });

  test('keeps an access token that is looked at without the database until it ends', async () => {
    await importUser('ada');
    const session = await beginOne('ada');
    await put('ada', { isDisabled: true });
    expect(await verify(session, false)).toBe('OK');
    expect(await verify(session, true)).toBe('UNAUTHORISED');
  });

  test('has a refreshed token refused that was not used yet', async () => {
    await importUser('ada');
    const first = await beginOne('ada');
    const input = { refreshToken: first.refreshToken, enableAntiCsrf: false, useDynamicSigningKey: true };
    const { body } = await core.post(`${app}/recipe/session/refresh`, input);
    const { accessToken } = body as { accessToken: { token: string } };
    await put('ada', { isDisabled: true });
    // It is looked up at its first use, which ends the token before it.
    expect(await verify({ ...first, accessToken: accessToken.token }, false)).toBe('UNAUTHORISED');
  });

  test('affects no others: users who are held, other users and texts that are not ids keep theirs', async () => {
    for (const id of ['ada', 'bea', 'held']) await importUser(id);
    const kept = [await beginOne('bea'), await beginOne('held'), await beginOne('no-user')];
    await put('ada', { isDisabled: true });
    await put('held', { isHeld: true });
    for (const session of kept) expect(await refresh(session)).toBe('OK');
    expect(await refresh(await beginOne('no-user'))).toBe('OK');
  });
});

describe('a session that begins while its user is disabled', () => {
  test('does not outlive that: not found, and ended when it is lifted', async () => {
    await importUser('ada');
    const session = await beginOne('ada');
    // As if its commit came after the disabling, which did not see it.
    await withSql(core.database.connection, async (sql) => {
      await sql`create temporary table kept as select * from carryover.sessions
        where handle = ${session.handle.split('_')[0] ?? ''}::uuid`;
      await put('ada', { isDisabled: true });
      await sql`insert into carryover.sessions select * from kept`;
    });
    expect(await usesOf(session)).toEqual(dead);
    await put('ada', { isDisabled: false });
    expect(await usesOf(session)).toEqual(dead);
  });

  test('is refused or ended in a race of both', async () => {
    const races = Array.from({ length: 40 }, (_, n) => `racer-${n}`);
    for (const id of races) await importUser(id);
    const begun = await Promise.all(
      races.map(async (id, n) => {
        const [session] = await Promise.all([
          begin(id, app, n % 2 === 0 ? core : other),
          put(id, { isDisabled: true }, n % 3 === 0 ? core : other),
        ]);
        return session;
      }),
    );
    const sessions = begun.filter((each) => typeof each !== 'string');
    for (const session of sessions) expect(await refresh(session)).toBe('UNAUTHORISED');
    await Promise.all(races.map((id) => put(id, { isDisabled: false })));
    for (const session of sessions) expect(await refresh(session)).toBe('UNAUTHORISED');
  });

  test('is not refreshed in a race of both', async () => {
    const races = Array.from({ length: 20 }, (_, n) => `refresher-${n}`);
    for (const id of races) await importUser(id);
    const sessions = await Promise.all(races.map((id) => beginOne(id)));
    await Promise.all(
      sessions.flatMap((session, n) => [refresh(session, other), put(races[n] ?? '', { isDisabled: true })]),
    );
    for (const session of sessions) expect(await usesOf(session)).toEqual(dead);
  });
});

describe('a user who is disabled by an import', () => {
  test('has no session any more, and gets none back when a later record lifts it', async () => {
    await run([record('ada'), record('bea')], '');
    const [session, kept] = [await beginOne('ada'), await beginOne('bea')];
    await run([record('ada', { isDisabled: true }), record('bea')], '');
    expect(await usesOf(session)).toEqual(dead);
    expect(await begin('ada')).toBe('UNAUTHORISED');
    expect(await handlesOf('ada')).toEqual([]);
    await run([record('ada', { isDisabled: false }), record('bea')], '');
    expect(await usesOf(session)).toEqual(dead);
    expect(await refresh(await beginOne('ada'))).toBe('OK');
    expect(await refresh(kept)).toBe('OK');
  });

  test('has none by the id under which sessions were begun before the user was imported', async () => {
    const session = await beginOne('ada');
    await run([record('ada', { isDisabled: true })], '');
    expect(await refresh(session)).toBe('UNAUTHORISED');
    await run([record('ada', { isDisabled: false })], '');
    expect(await refresh(session)).toBe('UNAUTHORISED');
  });

  test('because the file does not have them: also after the undo', async () => {
    await run([record('ada'), record('bea')], '');
    const [session, kept] = [await beginOne('ada'), await beginOne('bea')];
    const job = await run([record('bea')], '&absent=disable&absentYes=true');
    expect(await usesOf(session)).toEqual(dead);
    await core.post(`${app}/bulk-import/jobs/${job}/undo`, { force: true });
    expect(await usesOf(session)).toEqual(dead);
    expect(await refresh(await beginOne('ada'))).toBe('OK');
    expect(await refresh(kept)).toBe('OK');
  });
});
