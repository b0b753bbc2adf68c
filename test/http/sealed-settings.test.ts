/** Secrets in the settings of apps and tenants: sealed or digests in the database, and usable as before. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { newApp } from '../helpers/people.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';

const [former, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)];
const secretOf = (name: string) => `${name}-${randomBytes(12).toString('hex')}`;
let database: TestDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database.drop());

async function during<Result>(
  encryptionKeys: readonly Buffer[],
  work: (core: TestCore) => Promise<Result>,
): Promise<Result> {
  const core = await startTestCore({ database, encryptionKeys });
  try {
    return await work(core);
  } finally {
    await core.stop();
  }
}

const stored = () =>
  withSql(database.connection, async (sql) => {
    const rows = await sql<{ text: string }[]>`select core_config::text as text from carryover.tenants`;
    return rows.map(({ text }) => text).join('\n');
  });

const secrets = {
  bcrypt_pepper: secretOf('pepper'),
  provider_password_hashing_signer_key: randomBytes(32).toString('base64'),
  hook_keys: secretOf('hook'),
  api_keys: secretOf('api'),
};
const hmacSecret = secretOf('hmac');
const legacySources = [
  {
    name: 'old',
    url: 'https://old.example.com/check',
    speaks: 'http',
    hmac_secret: hmacSecret,
    until: '2027-01-01',
    unknown: 'refuse',
  },
];
const opens = async (core: TestCore, app: string, key: string) =>
  (await fetch(`${core.url}${app}/users/count`, { headers: { 'api-key': key } })).status;

let app: string;

test('are in no row in clear, and an app is opened by its key as before', async () => {
  await during([former], async (core) => {
    app = await newApp(core, { ...secrets, legacy_sources: legacySources });
    expect(await opens(core, app, secrets.api_keys)).toBe(200);
    expect(await opens(core, app, testApiKey)).toBe(401);
    const { body } = await core.get('/recipe/multitenancy/app/list/v2');
    expect(JSON.stringify(body)).toContain('"api_keys":"***"');
    expect(JSON.stringify(body)).not.toMatch(/sealed|sha256:/);
  });
  for (const secret of [...Object.values(secrets), hmacSecret]) expect(await stored()).not.toContain(secret);
  // A change of one setting leaves the others, and another core reads them.
  await during([former], async (core) => {
    const appId = app.slice('/appid-'.length);
    const changed = await core.put('/recipe/multitenancy/app/v2', { appId, coreConfig: { hook_keys: null } });
    expect(changed.body.status).toBe('OK');
    expect(await opens(core, app, secrets.api_keys)).toBe(200);
  });
});

test('are sealed again with a new key, and a core without theirs does not start', async () => {
  await during([next, former], async (core) => {
    const { body } = await core.post('/config/encryption-keys/reseal', {});
    expect(body).toMatchObject({ status: 'OK', settings: 3 });
  });
  await during([next], async (core) => {
    expect(await opens(core, app, secrets.api_keys)).toBe(200);
  });
  const locked = await startTestCore({ database, encryptionKeys: [former] }).then(
    () => 'started',
    (error: unknown) => String(error),
  );
  expect(locked).toContain('encryption_keys');
});

test('of a core without a key are sealed at the start', async () => {
  const pepper = secretOf('old-pepper');
  await withSql(
    database.connection,
    (sql) => sql`
      update carryover.tenants
      set core_config = ${JSON.stringify({ bcrypt_pepper: pepper })}::text::jsonb
      where core_config ? 'api_keys'`,
  );
  await during([next], async (core) => {
    await expect.poll(stored).not.toContain(pepper);
    expect(await opens(core, app, testApiKey)).toBe(200);
  });
  expect(await stored()).toMatch(/sealed/);
});

test('stay in clear without a key, but for keys, which are digests', async () => {
  const own = await createMigratedDatabase();
  const core = await startTestCore({ database: own, encryptionKeys: [] });
  const made = await newApp(core, { bcrypt_pepper: secrets.bcrypt_pepper, api_keys: secrets.api_keys });
  expect(await opens(core, made, secrets.api_keys)).toBe(200);
  const rows = await withSql(
    own.connection,
    (sql) => sql`select core_config::text as text from carryover.tenants`,
  );
  await core.stop();
  expect(JSON.stringify(rows)).toContain(secrets.bcrypt_pepper);
  expect(JSON.stringify(rows)).not.toContain(secrets.api_keys);
  await own.drop();
});
