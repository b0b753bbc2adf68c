/** What a bulk import keeps of users beside their login methods, as clients read it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, newApp, newEmail, newTenant, refusalOf } from '../helpers/people.ts';

/** Parsed, so that the odd key is one like any other. */
const metadata = JSON.parse(
  '{"name":"Ada","nested":{"list":[1,null,"ü"]},"__proto__":{"of":"all"}}',
) as object;
const secretKey = 'JBSWY3DPEHPK3PXP';

let core: TestCore;
let app: string;
let tenant: string;
let userId: string;

beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core);
  tenant = await newTenant(core, app);
  userId = (await importUser(core, newEmail(), app)).id;
});

const tenantName = () => tenant.split('/').at(-1) ?? '';

/** As an import leaves it. */
async function keep(details: { metadata?: object; roles?: object }): Promise<void> {
  await withSql(core.database.connection, async (sql) => {
    await sql`
      insert into carryover.user_details (app_no, user_id, metadata, roles, totp_devices)
      select app_no, user_id, ${details.metadata ? JSON.stringify(details.metadata) : null}::text::jsonb,
        ${details.roles ? JSON.stringify(details.roles) : null}::text::jsonb, ${JSON.stringify([{ secretKey }])}::text::jsonb
      from carryover.users where user_id = ${userId}`;
  });
}

const roles = async (prefix: string, id = userId) =>
  (await core.get(`${prefix}/recipe/user/roles`, { userId: id })).body;
const metadataOf = async (prefix: string, id = userId) =>
  (await core.get(`${prefix}/recipe/user/metadata`, { userId: id })).body;

describe('roles', () => {
  test('are those of the tenant that is asked, the public one where none is named', async () => {
    await keep({
      roles: [
        { role: 'reader' },
        { role: 'admin', tenantIds: [tenantName()] },
        { role: 'writer', tenantIds: [tenantName(), 'public'] },
        { role: 'reader', tenantIds: ['public'] },
      ],
    });
    expect(await roles(app)).toEqual({ status: 'OK', roles: ['reader', 'writer'] });
    expect(await roles(tenant)).toEqual({ status: 'OK', roles: ['admin', 'writer'] });
  });

  test('are found by the external id too', async () => {
    await keep({ roles: [{ role: 'reader' }] });
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: userId, externalUserId: 'auth0|7 ü' });
    for (const id of [userId, 'auth0|7 ü']) expect(await roles(app, id)).toMatchObject({ roles: ['reader'] });
  });

  test('are none for a user who has none or is not known, or is of another app', async () => {
    expect(await roles(app)).toEqual({ status: 'OK', roles: [] });
    expect(await roles(app, 'nobody')).toEqual({ status: 'OK', roles: [] });
    await keep({ roles: [{ role: 'reader' }] });
    expect(await roles('')).toEqual({ status: 'OK', roles: [] });
  });
});

describe('metadata', () => {
  test('is what was imported, and nothing of the devices', async () => {
    await keep({ metadata });
    expect(await metadataOf(app)).toEqual({ status: 'OK', metadata });
    const { text } = await core.get(`${app}/recipe/user/metadata`, { userId });
    expect(text).toContain('"__proto__":{"of":"all"}');
    expect(text).not.toContain(secretKey);
  });

  test('is empty for a user who has none or is not known', async () => {
    for (const id of [userId, 'nobody'])
      expect(await metadataOf(app, id)).toEqual({ status: 'OK', metadata: {} });
    await keep({ roles: [] });
    expect(await metadataOf(app)).toEqual({ status: 'OK', metadata: {} });
  });

  test('belongs to the app: a tenant is not asked', async () => {
    const answer = await core.get(`${tenant}/recipe/user/metadata`, { userId });
    expect(refusalOf(answer).slice(0, 2)).toEqual([403, 'APP_SPECIFIC_API']);
  });
});

test.each(['roles', 'metadata'])('%s of no id at all are refused', async (what) => {
  expect(refusalOf(await core.get(`${app}/recipe/user/${what}`))).toEqual([
    400,
    'MISSING_QUERY_PARAMETER',
    "Field name 'userId' is missing in GET request",
  ]);
});

test('both go with the user', async () => {
  await keep({ metadata, roles: [{ role: 'reader' }] });
  await core.post(`${app}/user/remove`, { userId });
  expect(await roles(app)).toEqual({ status: 'OK', roles: [] });
  expect(await metadataOf(app)).toEqual({ status: 'OK', metadata: {} });
});
