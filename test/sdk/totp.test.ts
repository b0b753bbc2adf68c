import MultiFactorAuth from 'supertokens-node/recipe/multifactorauth/index.js';
import TOTP from 'supertokens-node/recipe/totp/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOfBase32, codeAt } from '../../src/hashes/parts/one-time-code.ts';
import { ok, type SdkCore, signUp, startCoreWithSdk } from '../helpers/sdk.ts';

let core: SdkCore;
beforeAll(async () => {
  core = await startCoreWithSdk({ recipes: [MultiFactorAuth.init(), TOTP.init({ issuer: 'carryover' })] });
});
afterAll(() => core.stop());

/** @param periodsAhead so that no code is sent twice; the default skew allows one */
const codeOf = (secret: string, periodsAhead = 0) =>
  codeAt(bytesOfBase32(secret) ?? Buffer.alloc(0), Math.floor(Date.now() / 30_000) + periodsAhead);

describe('an application with the SDK', () => {
  it('makes a device, verifies it, and asks for codes', async () => {
    const userId = await signUp('public', 'totp@totp.test');
    const { secret, deviceName, qrCodeString } = ok(await TOTP.createDevice(userId, 'ada', 'phone'));
    expect([deviceName, qrCodeString]).toEqual(['phone', expect.stringContaining(`secret=${secret}`)]);
    expect(await TOTP.verifyDevice('public', userId, 'phone', 'wrong')).toMatchObject({
      status: 'INVALID_TOTP_ERROR',
      currentNumberOfFailedAttempts: 1,
      maxNumberOfFailedAttempts: 5,
    });
    const code = codeOf(secret);
    expect(await TOTP.verifyDevice('public', userId, 'phone', code)).toMatchObject({
      status: 'OK',
      wasAlreadyVerified: false,
    });
    expect(await TOTP.verifyTOTP('public', userId, code)).toMatchObject({ status: 'INVALID_TOTP_ERROR' });
    expect(await TOTP.verifyTOTP('public', userId, codeOf(secret, 1))).toMatchObject({ status: 'OK' });
    expect(ok(await TOTP.listDevices(userId)).devices).toEqual([
      { name: 'phone', period: 30, skew: 1, verified: true },
    ]);
  });

  it('renames and removes devices', async () => {
    ok(await TOTP.createDevice('anybody', 'ada', 'a'));
    expect(await TOTP.updateDevice('anybody', 'a', 'b')).toMatchObject({ status: 'OK' });
    expect(await TOTP.updateDevice('anybody', 'a', 'b')).toMatchObject({ status: 'UNKNOWN_DEVICE_ERROR' });
    expect(await TOTP.removeDevice('anybody', 'b')).toMatchObject({ status: 'OK', didDeviceExist: true });
    expect(await TOTP.verifyTOTP('public', 'anybody', '123456')).toMatchObject({
      status: 'UNKNOWN_USER_ID_ERROR',
    });
  });
});
