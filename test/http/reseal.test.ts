/** A change of encryption keys: the new one first, everything sealed again, the old one removed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bytesOfBase32, codeAt } from '../../src/hashes/parts/one-time-code.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { newApp, refusalOf } from '../helpers/people.ts';

const [former, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)];
const secretKey = 'JBSWY3DPEHPK3PXP';
const path = '/config/encryption-keys/reseal';
const now = 1_700_000_000_000;
const provider = { thirdPartyId: 'own', clients: [{ clientId: 'c', clientSecret: 'hidden' }] };
let database: TestDatabase;
let place: Place;
beforeAll(async () => {
  [database, place] = await Promise.all([createMigratedDatabase(), makePlace()]);
});
afterAll(() => Promise.all([database.drop(), place.remove()]));

async function during<Result>(
  encryptionKeys: readonly Buffer[],
  work: (core: TestCore) => Promise<Result>,
): Promise<Result> {
  const core = await startTestCore({ database, encryptionKeys, overrides: { now: () => now } });
  try {
    return await work(core);
  } finally {
    await core.stop();
  }
}

const keysOf = async (core: TestCore, app: string) =>
  (await fetch(`${core.url}${app}/.well-known/jwks.json`)).text();

test('seals what there is of every app, so that the new key alone opens it', async () => {
  const [app, keys] = await during([former], async (core) => {
    const made = await newApp(core);
    const device = { userId: 'u', skew: 1, period: 30, secretKey };
    for (let n = 0; n < 1100; n += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          core.post(`${made}/recipe/totp/device/import`, { ...device, userId: `u${n + i}` }),
        ),
      );
    await core.put(`${made}/recipe/multitenancy/config/thirdparty`, {
      config: provider,
      skipValidation: true,
    });
    return [made, await keysOf(core, made)] as const;
  });

  await during([next, former], async (core) => {
    expect(refusalOf(await core.post(app + path, {})).slice(0, 2)).toEqual([403, 'PUBLIC_APP_ONLY']);
    const { code, stdout } = await place.run(['reseal', '--yes', '--url', core.url], {
      environment: { CARRYOVER_API_KEY: testApiKey },
    });
    expect([code, stdout]).toEqual([
      0,
      'Sealed with the first encryption key: 3 signing keys, 1 tenant provider, 1,100 TOTP secrets\n',
    ]);
    const again = await core.post(path, {});
    expect(again.body).toEqual({
      status: 'OK',
      signingKeys: 0,
      providers: 0,
      totpDevices: 0,
      images: 0,
      records: 0,
      settings: 0,
    });
  });

  await during([next], async (core) => {
    expect(await keysOf(core, app)).toBe(keys);
    const tenant = (await core.get(`${app}/recipe/multitenancy/tenant/v2`)).body;
    expect(tenant.thirdParty).toMatchObject({ providers: [provider] });
    const session = { userId: 'u', enableAntiCsrf: false, userDataInJWT: {}, userDataInDatabase: {} };
    expect((await core.post(`${app}/recipe/session`, session)).body.status).toBe('OK');
    const totp = codeAt(bytesOfBase32(secretKey) ?? Buffer.alloc(0), Math.floor(now / 30_000));
    for (const userId of ['u0', 'u1099'])
      expect((await core.post(`${app}/recipe/totp/verify`, { userId, totp })).body).toEqual({ status: 'OK' });
  });
});

test('a key that TOTP secrets need is missed at the start', async () => {
  const own = await createMigratedDatabase();
  const core = await startTestCore({ database: own, encryptionKeys: [former] });
  await core.post('/recipe/totp/device', { userId: 'u', skew: 1, period: 30 });
  await core.stop();
  await expect(startTestCore({ database: own, encryptionKeys: [next] })).rejects.toThrow(
    /sealed secrets that this core cannot open/,
  );
  await own.drop();
});

test('without a key nothing is sealed, and it is said what to set', async () => {
  const own = await createMigratedDatabase();
  const core = await startTestCore({ database: own, encryptionKeys: [] });
  expect(refusalOf(await core.post(path, {})).slice(0, 2)).toEqual([400, 'ENCRYPTION_KEY_MISSING']);
  await core.stop();
  await own.drop();
});
