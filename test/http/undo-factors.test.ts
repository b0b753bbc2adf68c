/** Second factors after an undo: restored, or their user is held. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bytesOfBase32, codeAt } from '../../src/hashes/parts/one-time-code.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';

const secretKey = 'JBSWY3DPEHPK3PXP';
const another = 'GEZDGNBVGY3TQOJQ';
const ofHere = 'NBSWY3DPEB3W64TM';
const now = 1_700_000_000_000;
let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ overrides: { now: () => now } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core);
});

const user = (name: string, rest: object = {}) => ({
  externalUserId: name,
  loginMethods: [{ recipeId: 'emailpassword', email: `${name}@example.com`, passwordHash: knownHash }],
  ...rest,
});
const factors = (secret: string, codes: readonly string[]) => ({
  totpDevices: [{ secretKey: secret, deviceName: 'phone', algorithm: 'SHA256', digits: 8, period: 60 }],
  backupCodes: codes.map((code) => ({ code })),
});
const ada = (rest: object = factors(secretKey, ['first-code', 'second-code'])) => user('ada', rest);

interface JobView {
  readonly id: string;
}

async function imported(records: readonly object[], query = ''): Promise<JobView> {
  const response = await fetch(`${core.url}${app}/bulk-import/jobs?secondFactor=flag&source=old${query}`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  });
  return ((await response.json()) as { job: JobView }).job;
}

const undo = async ({ id }: JobView) =>
  (await core.post(`${app}/bulk-import/jobs/${id}/undo`, { force: true })).body;
const withoutAda = () => imported([user('bea')], '&absent=remove&absentYes=true');
const devices = async () =>
  (await core.get(`${app}/recipe/totp/device/list`, { userId: 'ada' })).body.devices as { name: string }[];
const names = async () => (await devices()).map(({ name }) => name);
const verify = async (totp: string) =>
  (await core.post(`${app}/recipe/totp/verify`, { userId: 'ada', totp })).body.status;
const imports = (secret: string) =>
  codeAt(bytesOfBase32(secret) ?? Buffer.alloc(0), Math.floor(now / 60_000), {
    algorithm: 'SHA256',
    digits: 8,
  });
const codeHere = codeAt(bytesOfBase32(ofHere) ?? Buffer.alloc(0), Math.floor(now / 30_000));
const signIn = async () =>
  (await core.post(`${app}/recipe/signin`, { email: 'ada@example.com', password: knownPassword })).body
    .status;
const restrictions = async () => (await core.get(`${app}/user/restrictions`, { userId: 'ada' })).body;
const addDeviceHere = () =>
  core.post(`${app}/recipe/totp/device/import`, {
    userId: 'ada',
    deviceName: 'here',
    skew: 1,
    period: 30,
    secretKey: ofHere,
  });

const sql = (text: string) => withSql(core.database.connection, (query) => query.unsafe(text));
const ofApp = () =>
  `app_no = (select app_no from carryover.apps where app_id = '${app.slice('/appid-'.length)}')`;

describe('an undo of a removal', () => {
  test('brings devices and backup codes back, of imports and of here', async () => {
    await imported([ada(), user('bea')]);
    await addDeviceHere();
    expect(await verify('first-code')).toBe('OK');
    const before = await devices();
    const job = await withoutAda();
    expect(await names()).toEqual([]);
    expect(await undo(job)).toMatchObject({ restored: 1, held: 0, left: [] });
    expect(await devices()).toEqual(before);
    expect([await verify(imports(secretKey)), await verify(codeHere)]).toEqual(['OK', 'OK']);
    expect([await verify('first-code'), await verify('second-code')]).toEqual(['INVALID_TOTP_ERROR', 'OK']);
    expect(await signIn()).toBe('OK');
  });

  test('leaves a record of the same factors unchanged, as before', async () => {
    await imported([ada(), user('bea')]);
    await names();
    await undo(await withoutAda());
    expect(await imported([ada(), user('bea')])).toMatchObject({ unchanged: 2, updated: 0 });
    expect(await names()).toEqual(['phone']);
  });

  test('brings back what was never asked for', async () => {
    await imported([ada(), user('bea')]);
    expect(await undo(await withoutAda())).toMatchObject({ restored: 1, held: 0 });
    expect([await verify(imports(secretKey)), await verify('second-code')]).toEqual(['OK', 'OK']);
  });

  test('holds the user, and says so, where no key opens them', async () => {
    await imported([ada(), user('bea')]);
    await names();
    const job = await withoutAda();
    const otherKey = `replace(factors::text, '\\\\x01', '\\\\x01ffffffff')::jsonb`;
    await sql(`update carryover.import_before_images set factors = ${otherKey} where ${ofApp()}`);
    expect(await undo(job)).toMatchObject({ restored: 1, held: 1, left: [] });
    expect(await restrictions()).toMatchObject({ isHeld: true });
    expect(JSON.stringify(await restrictions())).toContain('totp');
    expect([await signIn(), await names()]).toEqual(['WRONG_CREDENTIALS_ERROR', []]);
    // The next file has the factors: they are restored with it.
    await imported([ada(), user('bea')]);
    expect([await signIn(), await verify(imports(secretKey))]).toEqual(['OK', 'OK']);
  });
});

describe('an undo of an update', () => {
  test('brings former factors back, and no code that was spent since', async () => {
    await imported([ada()]);
    expect(await verify('first-code')).toBe('OK');
    const job = await imported([ada(factors(another, ['second-code', 'third-code']))]);
    expect([await verify(imports(another)), await verify('second-code')]).toEqual(['OK', 'OK']);
    expect(await undo(job)).toMatchObject({ restored: 1, held: 0, left: [] });
    expect([await names(), await verify(imports(secretKey))]).toEqual([['phone'], 'OK']);
    for (const gone of ['first-code', 'second-code', 'third-code', imports(another)])
      expect(await verify(gone)).not.toBe('OK');
  });

  test('renames a former device where one of here has its name', async () => {
    await imported([ada()]);
    await names();
    const job = await imported([ada({ totpDevices: [{ secretKey: another, deviceName: 'tablet' }] })]);
    await names();
    await core.post(`${app}/recipe/totp/device/import`, {
      userId: 'ada',
      deviceName: 'phone',
      skew: 1,
      period: 30,
      secretKey: ofHere,
    });
    expect(await undo(job)).toMatchObject({ restored: 1, left: [] });
    expect((await names()).sort()).toEqual(['phone', 'phone (2)']);
    expect([await verify(codeHere), await verify(imports(secretKey))]).toEqual(['OK', 'OK']);
  });
});

test('a new key seals what undos bring back', async () => {
  await imported([ada(), user('bea')]);
  await names();
  const job = await withoutAda();
  const fresh = randomBytes(32);
  const first = [fresh, Buffer.alloc(32, 7)];
  const second = await startTestCore({
    database: core.database,
    encryptionKeys: first,
    overrides: { now: () => now },
  });
  const resealed = await second.post('/config/encryption-keys/reseal', {});
  await second.stop();
  expect(resealed.body).toMatchObject({ status: 'OK', images: 2 });
  const alone = await startTestCore({
    database: core.database,
    encryptionKeys: [fresh],
    overrides: { now: () => now },
  });
  const { body } = await alone.post(`${app}/bulk-import/jobs/${job.id}/undo`, { force: false });
  const { status } = (
    await alone.post(`${app}/recipe/totp/verify`, { userId: 'ada', totp: imports(secretKey) })
  ).body;
  await alone.stop();
  expect([body, status]).toMatchObject([{ restored: 1, held: 0 }, 'OK']);
});
