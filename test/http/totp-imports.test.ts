/** TOTP devices of imports: sealed, usable, compared with the next export and removed by an undo. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeAt, bytesOfBase32, type CodeShape } from '../../src/hashes/parts/one-time-code.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { newApp } from '../helpers/people.ts';

const secretKey = 'JBSWY3DPEHPK3PXP';
const another = 'GEZDGNBVGY3TQOJQ';
const textDevice = { secretKey: 'the bytes of a text', secretEncoding: 'text' } as const;
const now = 1_700_000_000_000;
let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ settings: { ALLOW_HASH_EXPORT: 'true' }, overrides: { now: () => now } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core);
});

interface JobView {
  readonly id: string;
}

const person = (rest: object) => ({
  externalUserId: 'ada',
  loginMethods: [{ recipeId: 'passwordless', email: 'ada@example.com' }],
  ...rest,
});
const withDevice = (secret: string, rest: object = {}) =>
  person({ totpDevices: [{ secretKey: secret, deviceName: 'phone' }], ...rest });

async function imported(record: object, query = ''): Promise<JobView> {
  const response = await fetch(`${core.url}${app}/bulk-import/jobs?secondFactor=flag${query}`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey },
    body: `${JSON.stringify(record)}\n`,
  });
  return ((await response.json()) as { job: JobView }).job;
}

const undo = async ({ id }: JobView) =>
  (await core.post(`${app}/bulk-import/jobs/${id}/undo`, { force: false })).body;

/** By requests, so that imported devices are sealed. */
async function names(): Promise<unknown[]> {
  const { body } = await core.get(`${app}/recipe/totp/device/list`, { userId: 'ada' });
  return (body.devices as { name: string }[]).map(({ name }) => name);
}
const codeOf = (secret: string) => codeAt(bytesOfBase32(secret) ?? Buffer.alloc(0), Math.floor(now / 30_000));
const verify = async (secret: string) =>
  (await core.post(`${app}/recipe/totp/verify`, { userId: 'ada', totp: codeOf(secret) })).body.status;

const inClear = () =>
  withSql(core.database.connection, async (sql) => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from carryover.user_details d where d.totp_devices::text like '%secretKey%'`;
    return row?.count;
  });

/** Users with devices that are not rows yet. */
const staged = () =>
  withSql(core.database.connection, async (sql) => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from carryover.user_details d where jsonb_typeof(d.totp_devices) = 'array'`;
    return row?.count;
  });

describe('devices of an import', () => {
  test('verify codes, and are sealed by the first request for them', async () => {
    await imported(withDevice(secretKey));
    expect(await verify(secretKey)).toBe('OK');
    expect(await inClear()).toBe(0);
    expect(await names()).toEqual(['phone']);
  });

  test.each([
    ['Base32', { secretKey }],
    ['hexadecimal', { secretKey: '48656c6c6f21deadbeef', secretEncoding: 'hex' }],
    ['eight digits by SHA-256', { secretKey, algorithm: 'SHA256', digits: 8 }],
    ['text, six digits by SHA-512 of a minute', { ...textDevice, algorithm: 'SHA512', period: 60 }],
  ] as const)('verify codes of %s, unsealed and sealed, and after an export', async (_what, device) => {
    const {
      period = 30,
      algorithm,
      digits,
    }: CodeShape & { readonly period?: number } = { ...(device as object) };
    const bytes =
      'secretEncoding' in device && device.secretEncoding === 'text'
        ? Buffer.from(device.secretKey)
        : (bytesOfBase32(secretKey) ?? Buffer.alloc(0));
    const totp = codeAt(bytes, Math.floor(now / 1000 / period), { algorithm, digits });
    await imported(person({ totpDevices: [{ deviceName: 'phone', ...device }] }));
    const verified = async () =>
      (await core.post(`${app}/recipe/totp/verify`, { userId: 'ada', totp })).body.status;
    expect(await verified()).toBe('OK');
    const record = JSON.parse((await core.get(`${app}/bulk-export/users`)).text) as object;
    app = await newApp(core);
    await imported(record);
    expect(await verified()).toBe('OK');
    expect(await verified()).toBe('INVALID_TOTP_ERROR');
  });

  test('are refused by their field where the secret is not of its encoding', async () => {
    const job = await imported(person({ totpDevices: [{ secretKey: 'no hex', secretEncoding: 'hex' }] }));
    const { body } = await core.get(`${app}/bulk-import/jobs/${job.id}/rejects`);
    expect(JSON.stringify(body)).toContain('totpDevices.0.secretKey');
    expect(JSON.stringify(body)).not.toContain('no hex');
  });

  test('become rows by the sweeper where no request needs them', async () => {
    await imported(withDevice(secretKey));
    expect([await inClear(), await staged()]).toEqual([0, 1]);
    const other = await startTestCore({ database: core.database, overrides: { now: () => now } });
    await other.stop();
    expect([await inClear(), await staged()]).toEqual([0, 0]);
    expect(await verify(secretKey)).toBe('OK');
  });

  test('are sealed once by requests that come at once', async () => {
    await imported(withDevice(secretKey));
    const lists = await Promise.all(Array.from({ length: 10 }, () => names()));
    expect(lists).toEqual(Array.from({ length: 10 }, () => ['phone']));
  });

  test('are added to those that were made here', async () => {
    await imported(person({}));
    const made = { userId: 'ada', deviceName: 'phone', skew: 1, period: 30, secretKey: another };
    await core.post(`${app}/recipe/totp/device/import`, made);
    await imported(withDevice(secretKey));
    expect(await names()).toEqual(expect.arrayContaining(['phone', 'TOTP Device 0']));
    for (const secret of [secretKey, another]) expect(await verify(secret)).toBe('OK');
  });

  test('are exported with their secrets, as others are', async () => {
    await imported(withDevice(secretKey));
    const device = { secretKey, deviceName: 'phone' };
    const exported = async () =>
      (JSON.parse((await core.get(`${app}/bulk-export/users`)).text) as { totpDevices: object }).totpDevices;
    expect(await exported()).toEqual([device]);
    await names();
    expect(await exported()).toEqual([{ ...device, period: 30, skew: 1 }]);
  });
});

describe('the next import', () => {
  test('finds them unchanged after they were sealed', async () => {
    await imported(withDevice(secretKey));
    await names();
    expect(await imported(withDevice(secretKey))).toMatchObject({ unchanged: 1, updated: 0, conflicts: 0 });
    expect(await imported(withDevice(secretKey, { userMetadata: { a: 1 } }))).toMatchObject({ updated: 1 });
    expect([await names(), await verify(secretKey), await inClear()]).toEqual([['phone'], 'OK', 0]);
  });

  test('replaces them when the source has another secret', async () => {
    await imported(withDevice(secretKey));
    await names();
    expect(await imported(withDevice(another))).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await names()).toEqual(['phone']);
    expect([await verify(secretKey), await verify(another)]).toEqual(['INVALID_TOTP_ERROR', 'OK']);
  });

  test.each([
    [
      'removed',
      () => core.post(`${app}/recipe/totp/device/remove`, { userId: 'ada', deviceName: 'phone' }),
      [],
    ],
    [
      'renamed',
      () =>
        core.put(`${app}/recipe/totp/device`, {
          userId: 'ada',
          existingDeviceName: 'phone',
          newDeviceName: 'mine',
        }),
      ['mine'],
    ],
  ])(
    'leaves alone what was %s here, and calls a change at the source a conflict',
    async (_what, change, left) => {
      await imported(withDevice(secretKey));
      expect((await change()).body.status).toBe('OK');
      expect(await imported(withDevice(secretKey))).toMatchObject({ conflicts: 0 });
      expect(await names()).toEqual(left);
      expect(await imported(withDevice(another), '&onConflict=ours')).toMatchObject({ conflicts: 1 });
      expect(await names()).toEqual(left);
    },
  );
});

describe('what an undo needs', () => {
  const images = () =>
    withSql(
      core.database.connection,
      (sql) => sql<{ before: string; after: string }[]>`
        select before::text, after::text from carryover.import_before_images
        join carryover.apps using (app_no) where app_id = ${app.slice('/appid-'.length)}`,
    );

  test('has no secrets, sealed or not', async () => {
    await imported(withDevice(secretKey));
    await imported(withDevice(another));
    await names();
    await imported(withDevice(secretKey));
    const all = await images();
    expect(all).toHaveLength(2);
    for (const text of all.flatMap(({ before, after }) => [before, after])) {
      expect(text).toContain('totp_devices');
      expect(text).not.toMatch(new RegExp(`secretKey|${secretKey}|${another}`));
    }
  });

  test('of a user who was absent, and removed, has none either', async () => {
    const source = '&source=old';
    await imported(withDevice(secretKey), source);
    const others = {
      externalUserId: 'bea',
      loginMethods: [{ recipeId: 'passwordless', email: 'bea@example.com' }],
    };
    await imported(others, `${source}&absent=remove&absentYes=true`);
    const all = await images();
    expect(all).toHaveLength(1);
    expect(all[0]?.before).not.toContain(secretKey);
  });
});

describe('an undo', () => {
  test('of what changed something else leaves devices that are not sealed', async () => {
    await imported(withDevice(secretKey, { userMetadata: { a: 1 } }));
    const job = await imported(withDevice(secretKey, { userMetadata: { a: 2 } }));
    expect(await undo(job)).toMatchObject({ restored: 1, left: [] });
    const { metadata } = (await core.get(`${app}/recipe/user/metadata`, { userId: 'ada' })).body;
    expect(metadata).toEqual({ a: 1 });
    expect([await verify(secretKey), await names()]).toEqual(['OK', ['phone']]);
    expect(await imported(withDevice(secretKey, { userMetadata: { a: 1 } }))).toMatchObject({ unchanged: 1 });
  });

  test('of other secrets brings back former ones that no request has needed', async () => {
    await imported(withDevice(secretKey));
    const job = await imported(withDevice(another));
    expect(await undo(job)).toMatchObject({ restored: 1, left: [] });
    expect([await verify(secretKey), await verify(another)]).toEqual(['OK', 'INVALID_TOTP_ERROR']);
  });

  test('takes the devices that the import brought, sealed or not', async () => {
    await imported(person({}));
    const job = await imported(withDevice(secretKey));
    expect(await names()).toEqual(['phone']);
    expect(await undo(job)).toMatchObject({ restored: 1, left: [] });
    expect(await names()).toEqual([]);
  });

  test('leaves the user alone whose devices were changed since', async () => {
    await imported(person({}));
    const job = await imported(withDevice(secretKey));
    await core.post(`${app}/recipe/totp/device/remove`, { userId: 'ada', deviceName: 'phone' });
    expect(await undo(job)).toMatchObject({ restored: 0, left: [{ userId: 'ada' }] });
  });

  test('of what changed something else leaves them', async () => {
    await imported(withDevice(secretKey));
    await names();
    const job = await imported(withDevice(secretKey, { userMetadata: { a: 1 } }));
    expect(await undo(job)).toMatchObject({ restored: 1, left: [] });
    expect([await names(), await verify(secretKey)]).toEqual([['phone'], 'OK']);
    expect(await imported(withDevice(secretKey))).toMatchObject({ unchanged: 1 });
  });
});
