/** Backup codes of imports: used instead of a device's code, each once. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bytesOfBase32, codeAt } from '../../src/hashes/parts/one-time-code.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';

const secretKey = 'JBSWY3DPEHPK3PXP';
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

const digest = (name: string, text: string, form: 'hex' | 'base64' = 'hex') =>
  createHash(name).update(text).digest(form);
const withCodes = (backupCodes: readonly object[], rest: object = {}) => ({
  externalUserId: 'ada',
  loginMethods: [{ recipeId: 'passwordless', email: 'ada@example.com' }],
  totpDevices: [{ secretKey, deviceName: 'phone' }],
  backupCodes,
  ...rest,
});

async function imported(record: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${core.url}${app}/bulk-import/jobs?secondFactor=flag`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey },
    body: `${JSON.stringify(record)}\n`,
  });
  return ((await response.json()) as { job: Readonly<Record<string, unknown>> }).job;
}

const verify = async (totp: string) =>
  (await core.post(`${app}/recipe/totp/verify`, { userId: 'ada', totp })).body.status;
const exported = async () =>
  JSON.parse((await core.get(`${app}/bulk-export/users`)).text) as { backupCodes?: readonly object[] };

describe('a backup code', () => {
  test.each([
    ['in clear', { code: 'abcd-EFGH-1234' }, ['ABCDEFGH1234', 'abcd efgh 1234']],
    ['by bcrypt', { hash: knownHash }, [knownPassword]],
    ['by SHA-256', { hash: digest('sha256', 'k3y-of-ada'), hashingAlgorithm: 'sha256' }, ['k3y-of-ada']],
    [
      'by SHA-512, of what is shown in groups',
      { hash: `$sha512$${digest('sha512', 'ABCD1234EFGH', 'base64')}` },
      ['abcd-1234-efgh'],
    ],
  ])('%s signs in once, however it is typed', async (_what, code, [typed = '', otherwise = typed]) => {
    expect(await imported(withCodes([{ code: 'another one' }, code]))).toMatchObject({
      byFactor: { totp: 1, backup: 1 },
    });
    expect(await verify('not-one-of-them')).toBe('INVALID_TOTP_ERROR');
    expect(await verify(typed)).toBe('OK');
    expect(await verify(otherwise)).toBe('INVALID_TOTP_ERROR');
    expect(await verify('another-one')).toBe('OK');
  });

  test('is spent by one of 30 requests that come at once, and the device’s codes go on', async () => {
    await imported(withCodes([{ code: 'once-only' }, { hash: knownHash }]));
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => verify('once-only')));
    expect(outcomes.filter((status) => status === 'OK')).toHaveLength(1);
    const both = await Promise.all([verify(knownPassword), verify(knownPassword)]);
    expect(both.filter((status) => status === 'OK').length).toBeLessThanOrEqual(1);
    const other = await newApp(core);
    app = other;
    await imported(withCodes([{ code: 'once-only' }]));
    expect(await verify('once-only')).toBe('OK');
    const totp = codeAt(bytesOfBase32(secretKey) ?? Buffer.alloc(0), Math.floor(now / 30_000));
    expect([await verify(totp), await verify(totp)]).toEqual(['OK', 'INVALID_TOTP_ERROR']);
  });

  test('that is wrong counts as a wrong code', async () => {
    await imported(withCodes([{ code: 'right-one' }]));
    for (let n = 1; n <= 5; n++)
      expect(
        (await core.post(`${app}/recipe/totp/verify`, { userId: 'ada', totp: `wrong-one-${n}` })).body,
      ).toMatchObject({ status: 'INVALID_TOTP_ERROR', currentNumberOfFailedAttempts: n });
    expect(await verify('right-one')).toBe('LIMIT_REACHED_ERROR');
  });

  test('signs in also who brought no device', async () => {
    await imported(withCodes([{ code: 'lonely-one' }], { totpDevices: [] }));
    expect(await verify('lonely-one')).toBe('OK');
  });

  test('is no device: the list has none, and the last device takes the codes along', async () => {
    await imported(withCodes([{ code: 'gone-with-it' }]));
    const { body } = await core.get(`${app}/recipe/totp/device/list`, { userId: 'ada' });
    expect(body.devices).toEqual([{ name: 'phone', period: 30, skew: 1, verified: true }]);
    await core.post(`${app}/recipe/totp/device/remove`, { userId: 'ada', deviceName: 'phone' });
    expect(await verify('gone-with-it')).toBe('UNKNOWN_USER_ID_ERROR');
  });

  test('is kept as a hash, and sealed', async () => {
    await imported(withCodes([{ code: 'in-clear-at-the-source' }]));
    const kept = () =>
      withSql(core.database.connection, async (sql) => {
        const rows = await sql<
          { text: string }[]
        >`select d.totp_devices::text as text from carryover.user_details d`;
        return rows.map(({ text }) => text).join(' ');
      });
    expect(await kept()).toContain('"codes"');
    expect(await kept()).not.toMatch(/in-clear|\$sha256\$/);
    expect(await verify('wrong-one')).toBe('INVALID_TOTP_ERROR');
    expect(await kept()).not.toContain('$sha256$');
  });
});

describe('the next import', () => {
  test('finds codes unchanged, and what was spent here stays spent when others are stated', async () => {
    await imported(withCodes([{ code: 'first-one' }, { code: 'second-one' }]));
    expect(await verify('first-one')).toBe('OK');
    expect(await imported(withCodes([{ code: 'first-one' }, { code: 'second-one' }]))).toMatchObject({
      unchanged: 1,
    });
    expect(await imported(withCodes([{ code: 'first-one' }, { code: 'third-one' }]))).toMatchObject({
      updated: 1,
    });
    const typed = ['first-one', 'second-one', 'third-one'];
    expect(await Promise.all(typed.map((each) => verify(each)))).toEqual([
      'INVALID_TOTP_ERROR',
      'INVALID_TOTP_ERROR',
      'OK',
    ]);
  });

  test('takes what an export has: those that are not spent', async () => {
    await imported(withCodes([{ code: 'spent-one' }, { code: 'kept-one' }]));
    expect((await exported()).backupCodes).toHaveLength(2);
    expect(await verify('spent-one')).toBe('OK');
    const record = await exported();
    expect(record.backupCodes).toHaveLength(1);
    app = await newApp(core);
    await imported(record);
    expect([await verify('spent-one'), await verify('kept-one')]).toEqual(['INVALID_TOTP_ERROR', 'OK']);
  });
});

test.each([
  ['both', { code: 'abcdef', hash: knownHash }, 'backupCodes.0'],
  ['neither', {}, 'backupCodes.0'],
  ['no hash', { hash: 'nothing like it' }, 'backupCodes.0.hash'],
  ['one too short', { code: '12345' }, 'backupCodes.0.code'],
])('a backup code with %s is refused by its field', async (_what, code, field) => {
  const { id } = await imported(withCodes([code]));
  const { text } = await core.get(`${app}/bulk-import/jobs/${String(id)}/rejects`);
  expect(text).toContain(`"field":"${field}"`);
  expect(text).not.toContain('nothing like it');
});
