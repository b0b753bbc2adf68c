/** Every user of an app as one stream. The content of a record is tested in test/store/export-users.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, knownHash, newApp, newEmail, newTenant, refusalOf } from '../helpers/people.ts';

const path = '/bulk-export/users';

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({ settings: { ALLOW_HASH_EXPORT: 'true' } });
});
afterAll(() => core.stop());

interface Exported {
  readonly loginMethods: readonly { readonly email?: string; readonly passwordHash?: string }[];
}

function recordsOf(text: string): Exported[] {
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Exported);
}

describe('an export', () => {
  test('is NDJSON of every user of the app, whatever the tenant, and no other app’s', async () => {
    const app = await newApp(core);
    const [here, there] = [newEmail(), newEmail()];
    await importUser(core, here, app);
    await importUser(core, there, await newTenant(core, app));
    await importUser(core, newEmail(), await newApp(core));
    const { http, text, headers } = await core.get(app + path);
    expect([http, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
      'no-store',
    ]);
    expect(recordsOf(text).map(({ loginMethods }) => loginMethods)).toMatchObject([
      [{ email: here, passwordHash: knownHash, hashingAlgorithm: 'bcrypt', tenantIds: ['public'] }],
      [{ email: there, passwordHash: knownHash }],
    ]);
  });

  test('of an app without users is empty', async () => {
    const { http, text } = await core.get((await newApp(core)) + path);
    expect([http, text]).toEqual([200, '']);
  });

  test('goes on over many pages, each user once and in order', async () => {
    const app = await newApp(core);
    await withSql(core.database.connection, async (sql) => {
      await sql`
        insert into carryover.users (app_no, recipe, email_verified, user_id, time_joined, email, password_hash)
        select a.app_no, 1, false, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n,
          'user' || n || '@grown.test', ${knownHash}
        from carryover.apps a, generate_series(1, 2501) n
        where a.app_id = ${app.replace('/appid-', '')}`;
    });
    const { text } = await core.get(app + path);
    const expected = Array.from({ length: 2501 }, (_, i) => `user${i + 1}@grown.test`);
    expect(recordsOf(text).map(({ loginMethods }) => loginMethods[0]?.email)).toEqual(expected);
  });

  test('asks for the key, and for the app’s public tenant', async () => {
    const app = await newApp(core);
    expect((await fetch(core.url + app + path)).status).toBe(401);
    expect(refusalOf(await core.get((await newTenant(core, app)) + path)).slice(0, 2)).toEqual([
      403,
      'APP_SPECIFIC_API',
    ]);
  });

  test('writes nothing of it into the log', async () => {
    await importUser(core, newEmail());
    expect((await core.get(path)).text).toContain(knownHash);
    expect(core.log.join('')).not.toContain(knownHash);
    expect(core.log.join('')).not.toContain(testApiKey);
  });
});

test('without the setting it is refused, and the setting named', async () => {
  const closed = await startTestCore();
  try {
    expect(refusalOf(await closed.get(path))).toEqual([
      403,
      'HASH_EXPORT_NOT_ALLOWED',
      "Exports hold password hashes: set 'allow_hash_export' to true to allow them",
    ]);
  } finally {
    await closed.stop();
  }
});

describe('an export of users who changed since', () => {
  const password = 'a password that was chosen here';

  /** A user who is imported before, and returned after the change. */
  async function changed(change: (userId: string, email: string, app: string) => Promise<unknown>) {
    const app = await newApp(core);
    const [email, other] = [newEmail(), newEmail()];
    await importUser(core, email, app);
    await importUser(core, other, app);
    const found = await core.get(`${app}/users`);
    const { users } = found.body as { users: { id: string; emails: string[] }[] };
    const userId = users.find(({ emails }) => emails.includes(email))?.id ?? '';
    const [since] = await withSql(
      core.database.connection,
      (sql) => sql`select carryover.clock_ms() + 1 as at`,
    );
    await untilAfter(Number(since?.at));
    await change(userId, email, app);
    const { text } = await core.get(app + path, { changedSince: String(since?.at) });
    return recordsOf(text).map(({ loginMethods: [method] }) =>
      method?.email === email ? 'the user' : method?.email,
    );
  }

  /** The database's clock counts whole milliseconds. */
  async function untilAfter(moment: number): Promise<void> {
    await withSql(core.database.connection, async (sql) => {
      for (;;) {
        const [row] = await sql`select carryover.clock_ms() as at`;
        if (Number(row?.at) > moment) return;
      }
    });
  }

  test.each<readonly [string, (userId: string, email: string, app: string) => Promise<unknown>]>([
    ['a password', (recipeUserId, _, app) => core.put(`${app}/recipe/user`, { recipeUserId, password })],
    [
      'an email',
      (recipeUserId, email, app) =>
        core
          .put(`${app}/recipe/user`, { recipeUserId, email })
          .then(() => core.put(`${app}/recipe/user`, { recipeUserId, password })),
    ],
    [
      'metadata',
      (userId, _, app) => core.put(`${app}/recipe/user/metadata`, { userId, metadataUpdate: { a: 1 } }),
    ],
    ['a restriction', (userId, _, app) => core.put(`${app}/user/restrictions`, { userId, isDisabled: true })],
    [
      'a role',
      async (userId, _, app) => {
        await core.put(`${app}/recipe/role`, { role: 'editor' });
        return core.put(`${app}/recipe/user/role`, { userId, role: 'editor' });
      },
    ],
    [
      'a role that was taken',
      async (userId, _, app) => {
        await core.put(`${app}/recipe/role`, { role: 'editor' });
        return core.post(`${app}/recipe/user/role/remove`, { userId, role: 'editor' });
      },
    ],
    [
      'a link',
      async (recipeUserId, _, app) => {
        const linking = `${app}/recipe/accountlinking/user`;
        await core.post(`${linking}/primary`, { recipeUserId });
        const social = await core.post(`${app}/recipe/signinup`, {
          thirdPartyId: 'google',
          thirdPartyUserId: 'g1',
          email: { id: newEmail(), isVerified: true },
        });
        const { recipeUserId: other } = social.body as { recipeUserId: string };
        return core.post(`${linking}/link`, { recipeUserId: other, primaryUserId: recipeUserId });
      },
    ],
  ])('lists a user after %s was changed, and no other', async (_, change) => {
    expect(await changed(change)).toEqual(['the user']);
  });

  test('lists users who signed up, and no one without changes', async () => {
    expect(await changed(() => Promise.resolve())).toEqual([]);
    const signedUp = newEmail();
    expect(
      await changed((_, __, app) => core.post(`${app}/recipe/signup`, { email: signedUp, password })),
    ).toEqual([signedUp]);
  });

  test('refuses what is neither a job nor a time, and says what is', async () => {
    for (const changedSince of ['yesterday', '2026-11-25T08:00:00', '01a207a1-f8d2-732e-91a9-6222e26074f1'])
      expect(await core.get(path, { changedSince })).toMatchObject({ http: 400 });
    expect((await core.get(path, { changedSince: '2026-11-25T08:00:00Z' })).http).toBe(200);
    expect((await core.get(path, { changedSince: 'yesterday' })).text).toContain('the id of a job or a time');
  });
});
