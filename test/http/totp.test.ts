import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, newApp, newEmail, newTenant, refusalOf } from '../helpers/people.ts';

const start = 1_700_000_000_000;
const minuteMs = 60_000;
const ofRfc = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
let now = start;
let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ overrides: { now: () => now } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  now += 100 * minuteMs;
  app = await newApp(core);
});

async function post(path: string, input: object, prefix = app): Promise<Record<string, unknown>> {
  const answer = await core.post(`${prefix}/recipe/totp${path}`, input);
  expect([answer.http, answer.text]).toEqual([200, answer.text]);
  return answer.body;
}

const create = (input: object = {}) => post('/device', { userId: 'u', skew: 1, period: 30, ...input });
const importDevice = (input: object = {}) =>
  post('/device/import', { userId: 'u', skew: 1, period: 30, secretKey: ofRfc, ...input });
const verifyDevice = (deviceName: unknown, totp: string, userId = 'u', prefix = app) =>
  post('/device/verify', { userId, deviceName, totp }, prefix);
const verify = (totp: string, userId = 'u', prefix = app) => post('/verify', { userId, totp }, prefix);
const remove = (deviceName: string) => post('/device/remove', { userId: 'u', deviceName });
const rename = async (existingDeviceName: string, newDeviceName: string, userId = 'u') =>
  (await core.put(`${app}/recipe/totp/device`, { userId, existingDeviceName, newDeviceName })).body.status;

interface Listed {
  readonly name: string;
  readonly verified: boolean;
}

async function list(userId = 'u', prefix = app): Promise<Listed[]> {
  const { body } = await core.get(`${prefix}/recipe/totp/device/list`, { userId });
  expect(body.status).toBe('OK');
  return body.devices as Listed[];
}
const namesOf = async (userId = 'u') => (await list(userId)).map(({ name }) => name);

/** As an authenticator app computes it, written from RFC 4226 and 6238. */
function codeOf(secret: unknown, at = now, period = 30): string {
  const bits = Array.from(String(secret), (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Math.floor(at / 1000 / period)
    .toString(16)
    .padStart(16, '0');
  const mac = createHmac('sha1', Buffer.from(bytes)).update(Buffer.from(counter, 'hex')).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
const wrongCode = (secret: unknown) => (codeOf(secret) === '000000' ? '111111' : '000000');

const invalid = (count: number, most = 5) => ({
  status: 'INVALID_TOTP_ERROR',
  currentNumberOfFailedAttempts: count,
  maxNumberOfFailedAttempts: most,
});

const sql = (text: string) =>
  withSql(core.database.connection, async (query) =>
    [...(await query.unsafe(`set search_path to carryover; ${text}`))].flat(),
  );

describe('a device', () => {
  test('has a secret of its own and nothing else, and is verified by its code', async () => {
    const made = await create({ deviceName: 'phone' });
    expect(made).toEqual({
      status: 'OK',
      deviceName: 'phone',
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/) as string,
    });
    expect(await list()).toEqual([{ name: 'phone', period: 30, skew: 1, verified: false }]);
    expect(await verify(codeOf(made.secret))).toEqual(invalid(1));
    expect(await verifyDevice('phone', codeOf(made.secret))).toEqual({
      status: 'OK',
      wasAlreadyVerified: false,
    });
    expect(await list()).toEqual([{ name: 'phone', period: 30, skew: 1, verified: true }]);
    expect(await verifyDevice('phone', 'whatever')).toEqual({ status: 'OK', wasAlreadyVerified: true });
    expect(await verifyDevice('other', '000000')).toEqual({ status: 'UNKNOWN_DEVICE_ERROR' });
    now += minuteMs;
    expect(await verify(codeOf(made.secret))).toEqual({ status: 'OK' });
  });

  test('that is not verified gives way to another of its name, a verified one does not', async () => {
    const first = await create({ deviceName: 'phone' });
    const second = await create({ deviceName: 'phone', period: 60, skew: 0 });
    expect(second.secret).not.toBe(first.secret);
    expect(await verifyDevice('phone', codeOf(first.secret))).toMatchObject({ status: 'INVALID_TOTP_ERROR' });
    expect(await verifyDevice('phone', codeOf(second.secret, now, 60))).toMatchObject({ status: 'OK' });
    expect(await create({ deviceName: 'phone' })).toEqual({ status: 'DEVICE_ALREADY_EXISTS_ERROR' });
    expect(await importDevice({ deviceName: 'phone' })).toEqual({ status: 'DEVICE_ALREADY_EXISTS_ERROR' });
  });

  test('without a name is numbered by the verified ones, past names that are taken', async () => {
    expect(await create({ deviceName: null })).toMatchObject({ deviceName: 'TOTP Device 0' });
    expect(await create()).toMatchObject({ deviceName: 'TOTP Device 0' });
    expect(await importDevice()).toEqual({ status: 'OK', deviceName: 'TOTP Device 0' });
    expect(await importDevice({ deviceName: 'TOTP Device 2' })).toMatchObject({ status: 'OK' });
    expect(await create()).toMatchObject({ deviceName: 'TOTP Device 3' });
    expect(await namesOf()).toEqual(['TOTP Device 0', 'TOTP Device 2', 'TOTP Device 3']);
  });

  test('of another system is verified at once', async () => {
    now = 1_111_111_109_000;
    expect(await importDevice({ deviceName: 'phone' })).toEqual({ status: 'OK', deviceName: 'phone' });
    expect(await verify('081804')).toEqual({ status: 'OK' });
    now = start + 1e9;
  });

  test('is renamed and removed', async () => {
    await importDevice({ deviceName: 'a' });
    await importDevice({ deviceName: 'b' });
    expect(await rename('a', 'b')).toBe('DEVICE_ALREADY_EXISTS_ERROR');
    expect(await rename('c', 'b')).toBe('UNKNOWN_DEVICE_ERROR');
    expect(await rename('a', 'a')).toBe('OK');
    expect(await rename('a', 'c')).toBe('OK');
    expect(await verify(codeOf(ofRfc))).toEqual({ status: 'OK' });
    expect(await remove('a')).toEqual({ status: 'OK', didDeviceExist: false });
    expect(await remove('b')).toEqual({ status: 'OK', didDeviceExist: true });
    expect(await verify(codeOf(ofRfc))).toEqual(invalid(1));
    expect(await remove('c')).toEqual({ status: 'OK', didDeviceExist: true });
    expect(await verify(codeOf(ofRfc))).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
    await importDevice();
    expect(await verify(codeOf(ofRfc))).toEqual({ status: 'OK' });
  });

  test('is one of many that are made at once with one name', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => importDevice({ deviceName: 'phone' })));
    expect(made.filter(({ status }) => status === 'OK')).toHaveLength(1);
    const named = await Promise.all(Array.from({ length: 10 }, () => importDevice()));
    expect(new Set(named.map(({ deviceName }) => deviceName)).size).toBe(10);
  });

  test('is refused where its user has ten verified ones, until one of these is removed', async () => {
    for (let n = 0; n < 9; n++) expect(await importDevice()).toMatchObject({ status: 'OK' });
    const last = await create({ deviceName: 'last' });
    await create({ deviceName: 'given up half-way' });
    expect(await verifyDevice('last', codeOf(last.secret))).toMatchObject({ status: 'OK' });
    const tooMany =
      "Field name 'userId' is invalid in JSON input: the user has 10 devices: remove one before";
    const shape = { userId: 'u', skew: 1, period: 30 };
    for (const [path, input] of [
      ['/device', shape],
      ['/device/import', { ...shape, secretKey: ofRfc }],
    ] as const) {
      const answer = await core.post(`${app}/recipe/totp${path}`, input);
      expect(refusalOf(answer)).toEqual([400, 'INVALID_FIELD', tooMany]);
    }
    expect(await create({ deviceName: 'last' })).toEqual({ status: 'DEVICE_ALREADY_EXISTS_ERROR' });
    expect(await remove('last')).toEqual({ status: 'OK', didDeviceExist: true });
    expect(await importDevice()).toMatchObject({ status: 'OK' });
  });

  test('is found by a code that is ten periods old, where it says so, and by none of eleven', async () => {
    expect(await importDevice({ deviceName: 'late', skew: 10 })).toMatchObject({ status: 'OK' });
    expect(await verify(codeOf(ofRfc, now - 11 * 30_000))).toEqual(invalid(1));
    expect(await verify(codeOf(ofRfc, now - 10 * 30_000))).toEqual({ status: 'OK' });
  });

  test.each([
    ['/device', { userId: '', skew: 1, period: 30 }, 'userId cannot be empty'],
    [
      '/device',
      { userId: 'u', skew: 11, period: 30 },
      "Field name 'skew' is invalid in JSON input: must be at most 10 periods",
    ],
    [
      '/device/import',
      { userId: 'u', skew: 11, period: 30, secretKey: ofRfc },
      "Field name 'skew' is invalid in JSON input: must be at most 10 periods",
    ],
    ['/device', { userId: 'u', deviceName: '', skew: -1, period: 30 }, 'deviceName cannot be empty'],
    ['/device', { userId: 'u', skew: -1, period: 0 }, 'skew must be >= 0'],
    ['/device', { userId: 'u', skew: 1, period: 0 }, 'period must be > 0'],
    ['/device/import', { userId: 'u', skew: 1, period: 30, secretKey: '' }, 'secretKey cannot be empty'],
    [
      '/device/import',
      { userId: 'u', skew: 1, period: 30, secretKey: 'n0t-b32!' },
      "Field name 'secretKey' is invalid in JSON input: must be Base32",
    ],
  ])('%s refuses %j', async (path, input, message) => {
    const answer = await core.post(`${app}/recipe/totp${path}`, input);
    expect(refusalOf(answer)).toEqual([400, 'INVALID_FIELD', message]);
  });

  test.each(['existingDeviceName', 'newDeviceName'])('has a %s that is not empty', async (field) => {
    const names = { existingDeviceName: 'a', newDeviceName: 'b', [field]: '' };
    const answer = await core.put(`${app}/recipe/totp/device`, { userId: 'u', ...names });
    expect(refusalOf(answer)).toEqual([400, 'INVALID_FIELD', `${field} cannot be empty`]);
  });
});

describe('a code', () => {
  test('is taken once in all tenants, and wrong ones count in all', async () => {
    const tenant = await newTenant(core, app);
    await importDevice();
    expect(await verify(codeOf(ofRfc))).toEqual({ status: 'OK' });
    expect(await verify(codeOf(ofRfc))).toEqual(invalid(1));
    expect(await verify(codeOf(ofRfc), 'u', tenant)).toEqual(invalid(2));
    expect(await verify(codeOf(ofRfc, now - 30_000), 'u', tenant)).toEqual({ status: 'OK' });
  });

  test('has five attempts over all tenants and two cores, of 300 that come at once', async () => {
    const tenants = [app, ...(await Promise.all(Array.from({ length: 4 }, () => newTenant(core, app))))];
    const other = await startTestCore({ database: core.database, overrides: { now: () => now } });
    await importDevice();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        (n % 2 === 0 ? core : other).post(`${tenants[n % 5] ?? app}/recipe/totp/verify`, {
          userId: 'u',
          totp: String(n).padStart(6, '0'),
        }),
      ),
    );
    await other.stop();
    const judged = answers.filter(({ body }) => body.status === 'INVALID_TOTP_ERROR');
    expect(judged).toHaveLength(5);
    expect((await verify(codeOf(ofRfc), 'u', tenants[3])).status).toBe('LIMIT_REACHED_ERROR');
  });

  test('is refused in a tenant that its user is not in, by whatever id', async () => {
    const tenant = await newTenant(core, app);
    const { id } = await importUser(core, newEmail(), app);
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'of-public' });
    await importDevice({ userId: id, deviceName: 'phone' });
    for (const userId of [id, 'of-public']) {
      expect(await verify(codeOf(ofRfc), userId, tenant)).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
      expect(await verifyDevice('phone', '123456', userId, tenant)).toEqual({
        status: 'UNKNOWN_DEVICE_ERROR',
      });
    }
    const tenantId = { recipeUserId: id };
    expect((await core.post(`${tenant}/recipe/multitenancy/tenant/user`, tenantId)).body.status).toBe('OK');
    expect(await verify(codeOf(ofRfc), 'of-public', tenant)).toEqual({ status: 'OK' });
    expect(await verify(codeOf(ofRfc), id)).toEqual(invalid(1));
  });

  test('is taken once of many that come at once, here and in another core', async () => {
    const other = await startTestCore({ database: core.database, overrides: { now: () => now } });
    await importDevice();
    const totp = codeOf(ofRfc);
    const cores = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? core : other));
    const answers = await Promise.all(
      cores.map((each) => each.post(`${app}/recipe/totp/verify`, { userId: 'u', totp })),
    );
    await other.stop();
    expect(answers.map(({ http }) => http)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body.status === 'OK')).toHaveLength(1);
  });

  test('is not looked at after too many wrong ones until the cooldown is over', async () => {
    const { secret } = await create({ deviceName: 'new' });
    await importDevice({ deviceName: 'old' });
    for (const count of [1, 2, 3]) expect(await verify(wrongCode(ofRfc))).toEqual(invalid(count));
    expect(await verifyDevice('new', wrongCode(secret))).toEqual(invalid(4));
    now += 1000;
    expect(await verify('too long to be one')).toEqual(invalid(5));
    expect(await verify('too long to be one')).toEqual(invalid(5));
    expect(await verify(wrongCode(ofRfc))).toEqual(invalid(5));
    now += 1000;
    const limited = {
      status: 'LIMIT_REACHED_ERROR',
      retryAfterMs: 899_000,
      currentNumberOfFailedAttempts: 5,
      maxNumberOfFailedAttempts: 5,
    };
    expect(await verify(codeOf(ofRfc))).toEqual(limited);
    expect(await verifyDevice('new', codeOf(secret))).toEqual(limited);
    expect(await verify('too long to be one')).toEqual(limited);
    now += 899_000;
    expect(await verify(wrongCode(ofRfc))).toEqual(invalid(1));
    expect(await verify(codeOf(ofRfc))).toEqual({ status: 'OK' });
    expect(await verify(wrongCode(ofRfc))).toEqual(invalid(1));
  });

  test('has no more attempts when many come at once, here and in another core', async () => {
    const other = await startTestCore({ database: core.database, overrides: { now: () => now } });
    await importDevice();
    const cores = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? core : other));
    const answers = await Promise.all(
      cores.map((each) => each.post(`${app}/recipe/totp/verify`, { userId: 'u', totp: wrongCode(ofRfc) })),
    );
    await other.stop();
    const looked = answers.filter(({ body }) => body.status === 'INVALID_TOTP_ERROR');
    expect(looked.map(({ body }) => body.currentNumberOfFailedAttempts).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(answers.filter(({ body }) => body.status === 'LIMIT_REACHED_ERROR')).toHaveLength(35);
  });

  test('has as many attempts, and as long a cooldown, as the app says', async () => {
    app = await newApp(core, { totp_max_attempts: '1', totp_rate_limit_cooldown_sec: 10 });
    await importDevice();
    expect(await verify(wrongCode(ofRfc))).toEqual(invalid(1, 1));
    expect(await verify(codeOf(ofRfc))).toMatchObject({ retryAfterMs: 10_000, maxNumberOfFailedAttempts: 1 });
    now += 10_000;
    expect(await verify(codeOf(ofRfc))).toEqual({ status: 'OK' });
  });

  test('has no user without devices', async () => {
    expect(await verify('123456')).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
    expect(await verifyDevice('phone', '123456')).toEqual({ status: 'UNKNOWN_DEVICE_ERROR' });
  });

  test('and its user’s devices are forgotten with tenant and app', async () => {
    const tenant = await newTenant(core, app);
    await importDevice();
    await verify('000000', 'u', tenant);
    await core.post(`${app}/recipe/multitenancy/tenant/remove`, { tenantId: tenant.split('/').at(-1) });
    expect(await sql('select 1 from totp_codes c where c.tenant_no <> 0')).toEqual([]);
  });
});

describe('the user of a device', () => {
  test('is the login method that an id means, or the text itself until it is a user’s', async () => {
    const { id } = await importUser(core, newEmail(), app);
    await importDevice({ userId: 'ext', deviceName: 'before' });
    await importDevice({ userId: 'ext', deviceName: 'both' });
    await importDevice({ userId: id, deviceName: 'both' });
    await core.post(`${app}/recipe/userid/map`, {
      superTokensUserId: id,
      externalUserId: 'ext',
      force: true,
    });
    for (const each of ['ext', id]) expect(await namesOf(each)).toEqual(['before', 'both']);
    expect(await verify(codeOf(ofRfc), 'ext')).toEqual({ status: 'OK' });
    expect(await verify(codeOf(ofRfc), id)).toEqual(invalid(1));
    await core.post(`${app}/recipe/userid/map/remove`, { userId: 'ext', force: true });
    expect([await namesOf(id), await namesOf('ext')]).toEqual([['before', 'both'], []]);
    await core.post(`${app}/user/remove`, { userId: id });
    expect(await namesOf(id)).toEqual([]);
    expect(await sql(`select 1 from totp_codes where user_key = '${id}'`)).toEqual([]);
  });

  test('keeps it when the head goes and others stay', async () => {
    const [first, second] = [newEmail(), newEmail()];
    const loginMethods = [
      { recipeId: 'passwordless', email: first, isPrimary: true },
      { recipeId: 'passwordless', email: second },
    ];
    const totpDevices = [{ secretKey: ofRfc, deviceName: 'phone' }];
    const record = { externalUserId: 'linked', loginMethods, totpDevices };
    const made = await core.post(`${app}/bulk-import/import`, record);
    const { loginMethods: methods } = made.body.user as {
      loginMethods: { recipeUserId: string; email: string }[];
    };
    const headId = methods.find(({ email }) => email === first)?.recipeUserId;
    await core.post(`${app}/user/remove`, { userId: headId, removeAllLinkedAccounts: false });
    expect(await namesOf('linked')).toEqual(['phone']);
    expect(await verify(codeOf(ofRfc), 'linked')).toEqual({ status: 'OK' });
    await core.post(`${app}/user/remove`, { userId: 'linked' });
    expect(
      await sql(`select 1 from totp_devices where name = 'phone' and user_key = '${String(headId)}'`),
    ).toEqual([]);
  });
});

describe('secrets', () => {
  test('are sealed in the database', async () => {
    const { secret } = await create({ userId: 'sealed', deviceName: 'new' });
    await importDevice({ userId: 'sealed' });
    const rows = await sql(`select t::text as row from totp_devices t where user_key = 'sealed'`);
    expect(rows).toHaveLength(2);
    for (const text of [String(secret), ofRfc])
      for (const shown of [text, Buffer.from(text).toString('hex')])
        expect(JSON.stringify(rows)).not.toContain(shown);
  });
});
