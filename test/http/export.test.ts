/** Every user of an app as one stream. What is in a record is test/store/export-users.test.ts's. */
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
