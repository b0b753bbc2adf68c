import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { openRoleStores } from '../../src/features/roles/store/store.ts';
import {
  alsoIn,
  credentialOf,
  defaultSettings,
  link,
  openTestStore,
  passwordUser,
  putDetails,
  putPasswordless,
  thirdPartyUser,
  inTurn,
} from '../helpers/store.ts';
import type { TestCore, TestStore } from '../helpers/store.ts';

let store: TestStore;

beforeAll(async () => {
  store = await openTestStore();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => store.dispose());

const lifetimeOf = async (appId: string, tenantId: string, { tenants }: TestCore = store) =>
  (await tenants.find(appId, tenantId))?.settings.emailVerificationTokenLifetimeMs;

/**
 * The cache reads performance.now() and rounds it by a timer. The core connects first: the driver has timers, too.
 * @returns advances the time
 */
async function fakeCacheClock(core: TestCore): Promise<(ms: number) => void> {
  await core.database.read('select 1');
  let now = 1_000_000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return (ms) => {
    now += ms;
    vi.advanceTimersByTime(ms);
  };
}

let names = 0;
const newName = () => `name-${names++}`;

/** Everything stored for an app, by table; the tenant's numbers of identities and tokens if one is given. */
async function rowsOf({ appNo }: Tenant, tenantNo?: number): Promise<Record<string, number>> {
  const tables = await store.sql<{ name: string; has_tenant: boolean }>(
    `select c.table_name as name, bool_or(c.column_name = 'tenant_no') as has_tenant
     from information_schema.columns c
     where c.table_schema = 'carryover' and c.table_name not in ('encryption_check', 'app_moves') -- of the whole database; keeps its app from being removed
     group by 1 having bool_or(c.column_name = 'app_no')`,
  );
  const counts: Record<string, number> = {};
  for (const { name, has_tenant } of tables) {
    if (tenantNo !== undefined && !has_tenant) continue;
    const scope = tenantNo === undefined ? '' : ` and tenant_no = ${tenantNo}`;
    const [row] = await store.sql<{ n: number }>(
      `select count(*) as n from ${name} where app_no = $1${scope}`,
      [appNo],
    );
    counts[name] = row?.n ?? -1;
  }
  return counts;
}

/** A row in every table of users. @returns the core ids of a password, a social and a passwordless user */
async function fill(tenant: Tenant): Promise<[string, string, string]> {
  const own = passwordUser(tenant, 'a@b.test');
  const social = thirdPartyUser(tenant, 'g1');
  await store.users.putPasswordUser(own);
  await store.users.putThirdPartyUser(social);
  const passwordless = await putPasswordless(store.sql, tenant, { email: 'c@b.test', phone: '+1' });
  const externalUserId = `ext of ${tenant.tenantId}`;
  const mapping = { superTokensUserId: own.userId, externalUserId, externalUserIdInfo: 'info' };
  await store.mappings.map(tenant.appNo, mapping);
  await store.verification.setVerified(tenant.appNo, { userId: own.userId, email: 'former@b.test' }, true);
  await store.verification.setVerified(tenant.appNo, { userId: social.userId, email: 'former@b.test' }, true);
  const token = { tenant, pair: { userId: own.userId, email: 'a' }, expiresAt: 1 };
  await store.verification.createToken({ ...token, tokenHash: `00${own.userId.replaceAll('-', '')}` });
  await store.resets.createToken({ ...token, tokenHash: `01${own.userId.replaceAll('-', '')}` });
  await store.sql('insert into former_heads values ($1, $2, $3)', [tenant.appNo, own.userId, social.userId]);
  await store.sql('insert into own_external_ids values ($1, $2, $3)', [
    tenant.appNo,
    social.userId,
    social.userId,
  ]);
  await store.sql('insert into tombstones values ($1, $2, $2, $3, 1)', [
    tenant.appNo,
    own.userId,
    tenant.tenantNo,
  ]);
  const ids: [string, string, string] = [own.userId, social.userId, passwordless];
  for (const id of ids) {
    await putDetails(store.sql, tenant, id, { metadata: {} });
    await store.signIns.mark({ appNo: tenant.appNo, userId: id, at: 1 });
  }
  await store.sql(
    `insert into sessions values ($1, gen_random_uuid(), $2, 'anybody', '', 1, 1, false, '{}', '{}')`,
    [tenant.appNo, tenant.tenantNo],
  );
  await store.sql(`insert into totp_codes values ($1, 'anybody', $2, 1, null, 1, 1, 1)`, [
    tenant.appNo,
    tenant.tenantNo,
  ]);
  await store.sql(
    `insert into totp_devices values ($1, $2, 'phone', gen_random_uuid(), 30, 1, false, false, 1, '')`,
    [tenant.appNo, own.userId],
  );
  await store.sql(
    `with device as (
       insert into passwordless_devices
       values ($1, uuid_send(gen_random_uuid()), $2, 'a@b.test', null, '', 0, 1) returning app_no, device_hash
     )
     insert into passwordless_codes
     select app_no, gen_random_uuid(), device_hash, uuid_send(gen_random_uuid()), 1 from device`,
    [tenant.appNo, tenant.tenantNo],
  );
  await store.sql(
    `insert into opaque_tokens values ($1, $2, 'old', uuid_send(gen_random_uuid()), 'anybody', 1, null, 1)`,
    [tenant.appNo, tenant.tenantNo],
  );
  const { roles, userRoles } = openRoleStores(store.open);
  await roles.put({ appNo: tenant.appNo, role: 'of all', permissions: [] });
  await userRoles.assign({ tenant, userId: 'anybody', role: 'of all' });
  await store.sql('insert into former_identities values ($1, $2, 1, gen_random_uuid(), $3)', [
    tenant.appNo,
    tenant.tenantNo,
    own.userId,
  ]);
  return ids;
}

/** Tables that belong to the app and not to its tenants. */
const isOfImports = (table: string) =>
  table.startsWith('import_') ||
  table.startsWith('dashboard_') ||
  table.startsWith('move') ||
  [
    'carried_sessions',
    'signing_keys',
    'receipt_keys',
    'roles',
    'role_permissions',
    'text_metadata',
    'awaited_ids',
  ].includes(table);

/** A row in every table of imports, and in those of keys, exchanged tokens, roles and the dashboard. */
async function fillImports({ appNo }: Tenant): Promise<void> {
  await store.sql(`insert into carried_sessions values ($1, '', gen_random_uuid(), '', false, 1, 1)`, [
    appNo,
  ]);
  const operator = uuidv7();
  await store.sql(`insert into dashboard_users values ($1, $2, 'o@b.test', '', 1)`, [appNo, operator]);
  await store.sql('insert into dashboard_sessions values ($1, gen_random_uuid(), $2, 1, 1)', [
    appNo,
    operator,
  ]);
  await store.sql(`insert into signing_keys values ($1, 's-1', 1, 1, '', '')`, [appNo]);
  const { roles, metadata } = openRoleStores(store.open);
  await roles.put({ appNo, role: 'r', permissions: ['p'] });
  await metadata.merge({ appNo, userId: 'nobody', set: {}, removed: [] });
  await store.sql(`insert into moves (app_no, move_no, system, label) values ($1, 1, 'laravel', '')`, [
    appNo,
  ]);
  await store.sql(`insert into move_events values ($1, 1, 1, 1, 'key', 'start', 1, 0, '{}')`, [appNo]);
  await store.sql(`insert into move_leases values ($1, 1, 1, 1, 'holder', 1)`, [appNo]);
  await store.sql('insert into move_rounds values ($1, 1, 0)', [appNo]);
  await store.sql('insert into move_outcomes values ($1, 1, 0, gen_random_uuid(), 1)', [appNo]);
  await store.sql('insert into move_changes values ($1, 1, 1, gen_random_uuid())', [appNo]);
  await store.sql(`insert into move_written values ($1, 1, gen_random_uuid(), '1')`, [appNo]);
  await store.sql(`insert into move_passwords values ($1, 1, 'mark', 'hash')`, [appNo]);
  await store.sql(`insert into move_receipts values ($1, 1, '{}', '')`, [appNo]);
  const [jobId, userId] = [uuidv7(), uuidv7()];
  await store.sql(
    `insert into import_jobs (app_no, job_id, name, dry_run, on_conflict, started_at)
     values ($1, $2, '', false, 1, 1)`,
    [appNo, jobId],
  );
  await store.sql(
    `insert into import_series (app_no, series, newest_job, since, jobs) values ($1, 'follow-1', $2, 1, 1)`,
    [appNo, jobId],
  );
  await store.sql(
    `insert into import_rejects (app_no, job_id, line, code, field, message) values ($1, $2, 1, 'INVALID_JSON', '', '')`,
    [appNo, jobId],
  );
  await store.sql(
    'insert into import_claims (app_no, job_id, kind, key, tenant_no, line) values ($1, $2, 1, $3, 0, 1)',
    [appNo, jobId, userId],
  );
  await store.sql(
    `insert into import_met (app_no, job_id, lines_before, tenant_no, user_ids, lines) values ($1, $2, 0, 0, '{}', '{}')`,
    [appNo, jobId],
  );
  await store.sql(
    `insert into import_conflicts (app_no, job_id, line, place, external_user_id, user_id, seen_id, field_group, field, here, source, done)
     values ($1, $2, 1, 0, null, $3, 'seen', 'password', '', '', '', 'kept')`,
    [appNo, jobId, userId],
  );
  await store.sql(
    `insert into import_absent (app_no, job_id, user_id, seen_id, tenants, is_active)
     values ($1, $2, $3, 'seen', '{0}', false)`,
    [appNo, jobId, userId],
  );
  await store.sql(`insert into import_postponed (app_no, job_id, line, record) values ($1, $2, 1, '{}')`, [
    appNo,
    jobId,
  ]);
  await store.sql(`insert into import_ledger values ($1, $2, 0, '', '')`, [appNo, jobId]);
  await store.sql(`insert into import_receipts values ($1, $2, '', '')`, [appNo, jobId]);
  await store.sql(`insert into receipt_keys values ($1, 'k', 1, '', '')`, [appNo]);
  await store.sql(
    `insert into import_before_images (job_id, app_no, user_id, before, after) values ($1, $2, $3, '{}', '{}')`,
    [jobId, appNo, userId],
  );
  await store.sql(
    `insert into import_queue (app_no, entry_id, record, traces, created_at, updated_at) values ($1, $2, '{}', '{}', 1, 1)`,
    [appNo, userId],
  );
  await store.sql('insert into import_queue_leases values ($1, $2, 1)', [appNo, userId]);
}

describe('an app', () => {
  it('is created once, with its public tenant', async () => {
    const appId = newName();
    expect(await store.tenants.find(appId, 'public')).toBeUndefined();
    expect(await store.tenants.putApp(appId, {})).toEqual({ created: true });
    expect(await store.tenants.putApp(appId, {})).toEqual({ created: false });
    expect(await store.tenants.listTenants(appId)).toMatchObject([
      { tenantId: 'public', coreConfig: {}, factors: {} },
    ]);
    expect(await store.tenants.find(appId, 'public')).toMatchObject({
      appId,
      tenantId: 'public',
      tenantNo: 0,
    });
    expect(await store.tenants.listApps()).toContainEqual({
      appId,
      tenants: [
        expect.objectContaining({ tenantId: 'public', coreConfig: {}, factors: {}, providers: [] }) as object,
      ],
    });
  });

  it('is there from the start if it is the public one', async () => {
    expect(store.tenant).toMatchObject({ appId: 'public', tenantId: 'public', appNo: 0, tenantNo: 0 });
    expect(await store.tenants.putApp('public', {})).toEqual({ created: false });
    expect((await store.tenants.listApps())[0]).toMatchObject({ appId: 'public' });
  });

  it('is created by one of many at the same instant on two cores', async () => {
    const appId = newName();
    const cores = [store, store.anotherCore()];
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => inTurn(cores, i).tenants.putApp(appId, {})),
    );
    expect(results.filter((result) => result.created)).toHaveLength(1);
    expect(await store.tenants.listTenants(appId)).toHaveLength(1);
  });
});

describe('a tenant', () => {
  it('is created once, and lists in the order of making', async () => {
    const { appId } = await store.newApp();
    for (const tenantId of ['zebra', 'ant']) {
      expect(await store.tenants.putTenant(appId, tenantId, {})).toEqual({ created: true });
      expect(await store.tenants.putTenant(appId, tenantId, {})).toEqual({ created: false });
    }
    const listed = await store.tenants.listTenants(appId);
    expect(listed.map(({ tenantId }) => tenantId)).toEqual(['public', 'zebra', 'ant']);
    expect(await store.tenants.get(appId, 'ant')).toMatchObject({
      tenantId: 'ant',
      coreConfig: {},
      factors: { firstFactors: [] },
    });
    expect(await store.tenants.get(appId, 'bee')).toBeUndefined();
    expect(await store.tenants.find(appId, 'bee')).toBeUndefined();
    expect(await store.tenants.find('no-app', 'public')).toBeUndefined();
    expect(await store.tenants.listTenants('no-app')).toEqual([]);
  });

  it('is created by one of many at the same instant, and each has a number of its own', async () => {
    const { appId } = await store.newApp();
    const cores = [store, store.anotherCore()];
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => inTurn(cores, i).tenants.putTenant(appId, `tenant-${i % 5}`, {})),
    );
    expect(results.filter((result) => result.created)).toHaveLength(5);
    const found = await Promise.all(
      [0, 1, 2, 3, 4].map(async (i) => store.tenants.find(appId, `tenant-${i}`)),
    );
    expect(new Set(found.map((each) => each?.tenantNo))).toHaveLength(5);
    expect(found.map((each) => each?.tenantNo)).not.toContain(0);
  });

  it('of an app that does not exist is not created', async () => {
    expect(await store.tenants.putTenant('no-app', 'tenant', {})).toEqual({ created: false });
    expect(await store.tenants.find('no-app', 'tenant')).toBeUndefined();
  });

  it('of the same name in two apps is two tenants', async () => {
    const apps = [await store.newApp(), await store.newApp()];
    for (const { appId } of apps) {
      expect(await store.tenants.putTenant(appId, 'same', {})).toEqual({ created: true });
    }
    const numbers = await Promise.all(apps.map(async ({ appId }) => store.tenants.find(appId, 'same')));
    expect(new Set(numbers.map((each) => each?.appNo))).toHaveLength(2);
  });
});

describe('settings', () => {
  it('are the core’s own, then the app’s, then the tenant’s', async () => {
    const { appId } = await store.newApp();
    const lifetimes = async () => [await lifetimeOf(appId, 'public'), await lifetimeOf(appId, 'tenant')];
    await store.tenants.putTenant(appId, 'tenant', {});
    const core = defaultSettings.emailVerificationTokenLifetimeMs;
    expect(await lifetimes()).toEqual([core, core]);
    await store.tenants.putApp(appId, { email_verification_token_lifetime: 1000 });
    expect(await lifetimes()).toEqual([1000, 1000]);
    await store.tenants.putTenant(appId, 'tenant', { email_verification_token_lifetime: 2000 });
    expect(await lifetimes()).toEqual([1000, 2000]);
    await store.tenants.putTenant(appId, 'tenant', { email_verification_token_lifetime: null });
    expect(await lifetimes()).toEqual([1000, 1000]);
    await store.tenants.putTenant(appId, 'public', { email_verification_token_lifetime: null });
    expect(await lifetimes()).toEqual([core, core]);
  });

  it('merge: a key that is not given stays, null removes it', async () => {
    const { appId } = await store.newApp();
    const stored = async () => (await store.tenants.get(appId, 'tenant'))?.coreConfig;
    const put = (change: Parameters<TestStore['tenants']['putTenant']>[2]) =>
      store.tenants.putTenant(appId, 'tenant', change);
    await put({ bcrypt_max_cost: 12, argon2_max_iterations: 3 });
    await put({ bcrypt_max_cost: 13 });
    expect(await stored()).toEqual({ bcrypt_max_cost: 13, argon2_max_iterations: 3 });
    await put({});
    expect(await stored()).toEqual({ bcrypt_max_cost: 13, argon2_max_iterations: 3 });
    await put({ bcrypt_max_cost: null });
    expect(await stored()).toEqual({ argon2_max_iterations: 3 });
    expect((await store.tenants.find(appId, 'tenant'))?.settings.hashLimits).toEqual({
      ...defaultSettings.hashLimits,
      argon2MaxIterations: 3,
    });
  });

  it('lose no change of many at the same instant on two cores', async () => {
    const { appId } = await store.newApp();
    const cores = [store, store.anotherCore()];
    const change = {
      bcrypt_max_cost: 12,
      argon2_max_iterations: 3,
      argon2_max_parallelism: 2,
      scrypt_max_memory_mb: 99,
      password_reset_token_lifetime: 5,
    };
    await Promise.all(
      Object.entries(change).map(([key, value], i) =>
        inTurn(cores, i).tenants.putTenant(appId, 'tenant', { [key]: value }),
      ),
    );
    expect((await store.tenants.get(appId, 'tenant'))?.coreConfig).toEqual(change);
  });

  it('carry the signer key as bytes', async () => {
    const { appId } = await store.newApp();
    const key = Buffer.from([0, 1, 2, 250, 251, 252]);
    await store.tenants.putApp(appId, { provider_password_hashing_signer_key: key.toString('base64') });
    expect((await store.tenants.find(appId, 'public'))?.settings.signerKey).toEqual(key);
  });

  it('changed by this core are seen at once, changed by another when the cache expires', async () => {
    const { appId } = await store.newApp();
    const other = store.anotherCore();
    const pass = await fakeCacheClock(other);
    await store.tenants.putApp(appId, { email_verification_token_lifetime: 1000 });
    expect(await lifetimeOf(appId, 'public', other)).toBe(1000);
    await store.tenants.putApp(appId, { email_verification_token_lifetime: 2000 });
    expect(await lifetimeOf(appId, 'public')).toBe(2000);
    pass(900);
    expect(await lifetimeOf(appId, 'public', other)).toBe(1000);
    pass(200);
    expect(await lifetimeOf(appId, 'public', other)).toBe(2000);
  });

  it('of a tenant that another core removed are gone when the cache expires', async () => {
    const { appId } = await store.newApp();
    const other = store.anotherCore();
    const pass = await fakeCacheClock(other);
    await store.tenants.putTenant(appId, 'tenant', {});
    expect(await other.tenants.find(appId, 'tenant')).toBeDefined();
    await store.tenants.removeTenant(appId, 'tenant');
    expect(await store.tenants.find(appId, 'tenant')).toBeUndefined();
    pass(1100);
    expect(await other.tenants.find(appId, 'tenant')).toBeUndefined();
  });

  it('are asked of the database once while the cache holds', async () => {
    const { appId } = await store.newApp();
    const first = await store.tenants.find(appId, 'public');
    const second = store.tenants.find(appId, 'public');
    expect(second).not.toBeInstanceOf(Promise);
    expect(second).toBe(first);
  });
});

describe('removing a tenant', () => {
  it('removes its users and all that is kept of them', async () => {
    const app = await store.newApp();
    const tenant = await store.newTenant(app);
    const before = await rowsOf(app);
    await fill(tenant);
    const full = await rowsOf(app);
    expect(Object.keys(full).filter((table) => full[table] === 0 && !isOfImports(table))).toEqual([]);
    expect(await store.tenants.removeTenant(app.appId, tenant.tenantId)).toBe(true);
    // A mark states where an import has to look, not that something exists there.
    expect(await rowsOf(app)).toEqual({ ...before, tenants: 1, roles: 1, awaited_ids: 1 });
    expect(await store.tenants.find(app.appId, tenant.tenantId)).toBeUndefined();
    expect(await store.tenants.removeTenant(app.appId, tenant.tenantId)).toBe(false);
  });

  it('leaves the other tenants of the app alone, also the same people', async () => {
    const app = await store.newApp();
    const tenant = await store.newTenant(app);
    const here = await fill(app);
    const before = await rowsOf(app);
    await fill(tenant);
    await store.tenants.removeTenant(app.appId, tenant.tenantId);
    expect(await rowsOf(app)).toEqual({ ...before, tenants: 1 });
    const left = await Promise.all(here.map((id) => store.users.findUser(app.appNo, id)));
    expect(left.map((user) => user?.tenantIds)).toEqual([['public'], ['public'], ['public']]);
  });

  it('leaves a login method that is also in another tenant, with all that is kept of it', async () => {
    const app = await store.newApp();
    const [kept, gone] = [await store.newTenant(app), await store.newTenant(app)];
    const ids = await fill(gone);
    for (const id of ids) await alsoIn(store.sql, kept, id);
    const before = await Promise.all(ids.map((id) => store.users.findUser(app.appNo, id)));
    await store.tenants.removeTenant(app.appId, gone.tenantId);
    const after = await Promise.all(ids.map((id) => store.users.findUser(app.appNo, id)));
    expect(after).toMatchObject(
      before.map((user) => ({ id: user?.id, emails: user?.emails, tenantIds: [kept.tenantId] })),
    );
    expect(await rowsOf(app, gone.tenantNo)).toEqual({
      tenants: 0,
      former_identities: 0,
      identities: 0,
      import_claims: 0,
      import_met: 0,
      opaque_tokens: 0,
      passwordless_devices: 0,
      sessions: 0,
      tokens: 0,
      tombstones: 0,
      totp_codes: 0,
      user_roles: 0,
    });
    const former = { userId: ids[0], email: 'former@b.test' };
    expect(await store.verification.isVerified(app.appNo, former)).toBe(true);
    expect(await credentialOf(store, kept, 'a@b.test')).toMatchObject({ userId: ids[0] });
    expect(await store.users.countUsers(kept, [], false)).toBe(3);
  });

  it('takes one method of a linked user and leaves those that are elsewhere', async () => {
    const app = await store.newApp();
    const tenant = await store.newTenant(app);
    const head = passwordUser(tenant, 'a@b.test');
    const social = thirdPartyUser(app, 'g1');
    await store.users.putPasswordUser(head);
    await store.users.putThirdPartyUser(social);
    await link(store.sql, app, [head.userId, social.userId]);
    await store.tenants.removeTenant(app.appId, tenant.tenantId);
    expect(await store.users.findUser(app.appNo, head.userId)).toMatchObject({
      id: head.userId,
      isPrimaryUser: true,
      tenantIds: ['public'],
      loginMethods: [{ recipeUserId: social.userId }],
    });
  });

  it('takes the details of a linked user with the last of the methods only', async () => {
    const app = await store.newApp();
    const [first, last] = [await store.newTenant(app), await store.newTenant(app)];
    const head = passwordUser(first, 'a@b.test');
    const social = thirdPartyUser(last, 'g1');
    await store.users.putPasswordUser(head);
    await store.users.putThirdPartyUser(social);
    await link(store.sql, app, [head.userId, social.userId]);
    await putDetails(store.sql, app, head.userId, { metadata: { colour: 'red' } });
    await store.tenants.removeTenant(app.appId, first.tenantId);
    expect(await store.details.metadata(app.appNo, head.userId)).toEqual({ colour: 'red' });
    expect(await store.details.metadata(app.appNo, social.userId)).toEqual({});
    await store.tenants.removeTenant(app.appId, last.tenantId);
    expect(await rowsOf(app)).toMatchObject({ users: 0, user_details: 0 });
  });

  it('while the other method of a linked user is removed leaves no details behind', async () => {
    const other = store.anotherCore();
    for (let round = 0; round < 15; round++) {
      const app = await store.newApp();
      const tenant = await store.newTenant(app);
      const [here, there] = [passwordUser(tenant, 'a@b.test'), passwordUser(app, 'a@b.test')];
      for (const user of [here, there]) await store.users.putPasswordUser(user);
      const [head, member] = round % 2 === 0 ? [here, there] : [there, here];
      await link(store.sql, app, [head.userId, member.userId]);
      await putDetails(store.sql, app, head.userId, { metadata: {} });
      await Promise.all([
        store.tenants.removeTenant(app.appId, tenant.tenantId),
        other.users.removeUser(app.appNo, there.userId, false),
      ]);
      expect(await rowsOf(app)).toMatchObject({ users: 0, user_details: 0 });
    }
  });

  it('takes the roles that users elsewhere have in it, so that a tenant made again gives no user a role', async () => {
    const app = await store.newApp();
    const { tenantId } = await store.newTenant(app);
    const [some, all, none] = ['a@b.test', 'b@b.test', 'c@b.test'].map((email) => passwordUser(app, email));
    if (!some || !all || !none) throw new Error('no users');
    for (const user of [some, all, none]) await store.users.putPasswordUser(user);
    const here = { role: 'reader' };
    const roles = [
      { role: 'admin', tenantIds: [tenantId, 'public'] },
      { role: 'x', tenantIds: [tenantId] },
    ];
    await putDetails(store.sql, app, some.userId, { roles: [...roles, here] });
    await putDetails(store.sql, app, all.userId, { roles: roles.slice(1), metadata: { a: 1 } });
    await putDetails(store.sql, app, none.userId, { metadata: { a: 1 } });
    await store.tenants.removeTenant(app.appId, tenantId);
    await store.tenants.putTenant(app.appId, tenantId, {});
    const anew = await store.tenants.find(app.appId, tenantId);
    if (!anew) throw new Error('no tenant');
    expect(await store.details.roles(app, some.userId)).toEqual(['admin', 'reader']);
    for (const { userId } of [some, all, none]) expect(await store.details.roles(anew, userId)).toEqual([]);
    for (const { userId } of [all, none]) {
      expect(await store.details.roles(app, userId)).toEqual([]);
      expect(await store.details.metadata(app.appNo, userId)).toEqual({ a: 1 });
    }
  });

  it('and another at the same instant leaves no user who was in both', async () => {
    const other = store.anotherCore();
    for (let round = 0; round < 15; round++) {
      const app = await store.newApp();
      const tenants = [await store.newTenant(app), await store.newTenant(app)] as const;
      const ids = await fill(tenants[0]);
      for (const id of ids) await alsoIn(store.sql, tenants[1], id);
      const removed = await Promise.all([
        store.tenants.removeTenant(app.appId, tenants[0].tenantId),
        other.tenants.removeTenant(app.appId, tenants[1].tenantId),
      ]);
      expect(removed).toEqual([true, true]);
      expect(await rowsOf(app)).toMatchObject({ users: 0, identities: 0, verified_emails: 0 });
    }
  });

  it('and making it again gives an empty one, without its former settings', async () => {
    const app = await store.newApp();
    await store.tenants.putTenant(app.appId, 'tenant', { email_verification_token_lifetime: 1000 });
    const former = await store.tenants.find(app.appId, 'tenant');
    if (former) await fill(former);
    await store.tenants.removeTenant(app.appId, 'tenant');
    expect(await store.tenants.putTenant(app.appId, 'tenant', {})).toEqual({ created: true });
    const anew = await store.tenants.find(app.appId, 'tenant');
    if (!anew || !former) throw new Error('no tenant');
    expect(anew.tenantNo).not.toBe(former.tenantNo);
    expect(anew.settings).toEqual(defaultSettings);
    expect(await store.users.countUsers(anew, [], false)).toBe(0);
    expect(await store.users.putPasswordUser(passwordUser(former, 'late@b.test'))).toEqual({
      outcome: 'tenant-gone',
    });
    expect(await store.users.putPasswordUser(passwordUser(anew, 'a@b.test'))).toEqual({ outcome: 'created' });
  });

  it('is refused for public ones, and is nothing for unknown ones', async () => {
    const app = await store.newApp();
    const before = await rowsOf(app);
    expect(await store.tenants.removeTenant(app.appId, 'public')).toBe(false);
    expect(await store.tenants.removeTenant(app.appId, 'unknown')).toBe(false);
    expect(await store.tenants.removeTenant('unknown', 'tenant')).toBe(false);
    expect(await rowsOf(app)).toEqual(before);
  });
});

describe('removing an app', () => {
  it('removes everything that is kept of it, and nothing of another', async () => {
    const [app, other] = [await store.newApp(), await store.newApp()];
    await fill(app);
    await fill(await store.newTenant(app));
    await fill(other);
    await fillImports(app);
    await fillImports(other);
    const [full, ofOther] = [await rowsOf(app), await rowsOf(other)];
    expect(Object.keys(full).filter((table) => full[table] === 0)).toEqual([]);
    expect(await store.tenants.removeApp(app.appId)).toBe(true);
    const left = await rowsOf(app);
    expect(Object.entries(left).filter(([, rows]) => rows !== 0)).toEqual([]);
    expect(await rowsOf(other)).toEqual(ofOther);
    expect(await store.tenants.find(app.appId, 'public')).toBeUndefined();
    expect(await store.tenants.removeApp(app.appId)).toBe(false);
  });

  it('and making it again gives an empty one', async () => {
    const app = await store.newApp();
    await fill(app);
    await store.tenants.removeApp(app.appId);
    expect(await store.tenants.putApp(app.appId, {})).toEqual({ created: true });
    const anew = await store.tenants.find(app.appId, 'public');
    if (!anew) throw new Error('no app');
    expect(anew.appNo).not.toBe(app.appNo);
    expect(await store.users.countUsers(anew, [], true)).toBe(0);
    expect(await store.users.putPasswordUser(passwordUser(app, 'a@b.test'))).toEqual({
      outcome: 'tenant-gone',
    });
  });

  it('while users are put into it leaves no row behind', async () => {
    const other = store.anotherCore();
    for (let round = 0; round < 5; round++) {
      const app = await store.newApp();
      const wave = (n: number) =>
        Promise.all(
          Array.from({ length: 40 }, (_, i) =>
            store.users.putPasswordUser(passwordUser(app, `user${n}.${i}@b.test`)),
          ),
        );
      await wave(0);
      const removal = other.tenants.removeApp(app.appId);
      for (let n = 1, gone = false; !gone; n++) {
        gone = (await wave(n)).some(({ outcome }) => outcome === 'tenant-gone');
      }
      expect(await removal).toBe(true);
      expect(await rowsOf(app)).toMatchObject({ apps: 0, tenants: 0, users: 0, identities: 0 });
    }
  });

  it('is refused for the public one', async () => {
    expect(await store.tenants.removeApp('public')).toBe(false);
    expect(await store.tenants.find('public', 'public')).toBeDefined();
  });
});
