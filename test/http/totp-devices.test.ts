/** The TOTP devices that imports store, as an app requests them at every sign-in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { newApp, newEmail, newTenant, refusalOf } from '../helpers/people.ts';

const secretKey = 'JBSWY3DPEHPK3PXP';
const path = '/recipe/totp/device/list';

let core: TestCore;
let app: string;

beforeAll(async () => {
  core = await startTestCore();
  app = await newApp(core);
});
afterAll(() => core.stop());

async function importWith(totpDevices: readonly object[], externalUserId: string): Promise<void> {
  const loginMethods = [{ recipeId: 'passwordless', email: newEmail() }];
  const record = { externalUserId, loginMethods, totpDevices };
  expect((await core.post(`${app}/bulk-import/import`, record)).http).toBe(200);
}

const listed = (userId: string) => core.get(app + path, { userId });

test('are listed with names, periods and skews, and never with a secret', async () => {
  const phone = { secretKey, deviceName: 'phone', period: 60, skew: 0 };
  await importWith([phone, { secretKey }, { secretKey, deviceName: 'TOTP Device 1' }, { secretKey }], 'ada');
  const { text, body } = await listed('ada');
  const usual = { period: 30, skew: 1, verified: true };
  expect(body).toEqual({
    status: 'OK',
    devices: [
      { name: 'phone', period: 60, skew: 0, verified: true },
      { name: 'TOTP Device 0', ...usual },
      { name: 'TOTP Device 1', ...usual },
      { name: 'TOTP Device 2', ...usual },
    ],
  });
  expect(text).not.toMatch(/secret|JBSW/i);
});

test('are ten of a record at most, and allow ten periods at most', async () => {
  const device = { secretKey, skew: 10 };
  const ten = Array.from({ length: 10 }, () => device);
  await importWith(ten, 'ten');
  expect((await listed('ten')).body.devices).toHaveLength(10);
  const refusedWith = async (totpDevices: readonly object[]): Promise<unknown> => {
    const loginMethods = [{ recipeId: 'passwordless', email: newEmail() }];
    return (await core.post(`${app}/bulk-import/import`, { loginMethods, totpDevices })).body.errors;
  };
  expect(await refusedWith([...ten, device])).toEqual([
    expect.stringMatching(/^totpDevices: .*must not have more than 10 items: leave out devices/),
  ]);
  expect(await refusedWith([{ ...device, skew: 11 }])).toEqual([
    expect.stringMatching(/^totpDevices.*skew.* must be at most 10 periods: write 10 or less$/),
  ]);
});

test('are an empty list for a user without any, for an unknown id and for one of another app', async () => {
  await importWith([], 'bob');
  await importWith([{ secretKey }], 'cleo');
  for (const id of ['bob', 'unknown', ' '])
    expect((await listed(id)).body).toEqual({ status: 'OK', devices: [] });
  expect((await core.get(path, { userId: 'cleo' })).body).toEqual({ status: 'OK', devices: [] });
});

test('are the app’s, and asked for by an id', async () => {
  const tenant = await newTenant(core, app);
  expect(refusalOf(await core.get(tenant + path, { userId: 'ada' })).slice(0, 2)).toEqual([
    403,
    'APP_SPECIFIC_API',
  ]);
  expect(refusalOf(await listed(''))).toEqual([400, 'INVALID_QUERY_PARAMETER', 'userId cannot be empty']);
  expect(refusalOf(await core.get(app + path)).slice(0, 2)).toEqual([400, 'MISSING_QUERY_PARAMETER']);
});

test('go with the user', async () => {
  await importWith([{ secretKey }], 'dan');
  await core.post(`${app}/user/remove`, { userId: 'dan' });
  expect((await listed('dan')).body).toEqual({ status: 'OK', devices: [] });
});
