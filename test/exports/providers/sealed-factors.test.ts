/**
 * Secrets that apps seal with a key of their own, sealed by the respective libraries: better-auth 1.7.25, attr_encrypted 3.1.0
 * with encryptor 3.0.0, and Active Record 7.1.6.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { convertRow } from '../../helpers/framework-exports.ts';
import { requireProvider } from '../../../src/exports/providers/index.ts';
import { openXChaCha } from '../../../src/exports/providers/parts/xchacha20-poly1305.ts';
import type { ConvertOptions, SourceRow } from '../../../src/exports/providers/provider.ts';
import type { NativeUser } from '../../../src/imports/record/native-record.ts';

const email = 'ada@example.com';

interface Given {
  readonly options?: ConvertOptions;
  readonly factors?: readonly SourceRow[];
}

/** As a run does: options are prepared once. */
function converted(name: string, row: SourceRow, { options = {}, factors }: Given): NativeUser | undefined {
  const provider = requireProvider(name);
  const prepared = provider.prepare?.(options) ?? options;
  const related = { accounts: [], ...(factors && { factors }) };
  const conversion = convertRow(provider, { id: '1', email, ...row }, related, prepared);
  return conversion.ok ? conversion.user : undefined;
}

const betterAuth = {
  given: 'a secret of better-auth, 32 characters or more',
  secret:
    'a58378d8e1825a8cc5103f13fcb0a04e9f2358ef557982f25862a509d14f7718432938956cb0d199593cfb06b7ab2d3493814a6ad7f73be93e78457b02ec0a18b6c1f64a6aed100d',
  codes:
    '3c133172084b2a8f0a81be62d3d732d0ecaeb93f6acf01edcb07ebad4a4b45164424ac1fccc316cb93d15c9074b3dd0aec214cde643f02d668c4e75f540bd5e815a63ad33e',
  versioned:
    '$ba$2$b4cd3fa288523dcfad65afbd77ece3de8ef832b39bc5f600703a544dbcfea7ae3b884c42222bc76a08978b4424c1eb518a735f02b351b9651f9a62d8b970d9',
};

test('XChaCha20-Poly1305 opens nothing that was altered, cut or sealed with another key', () => {
  const key = createHash('sha256').update(betterAuth.given).digest();
  const sealed = Buffer.from(betterAuth.secret, 'hex');
  expect(openXChaCha(sealed, key)?.toString()).toBe('aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF');
  const altered = Buffer.from(sealed);
  altered[30] = (altered[30] ?? 0) ^ 1;
  for (const wrong of [altered, sealed.subarray(0, -1), sealed.subarray(1), sealed.subarray(0, 30)])
    expect(openXChaCha(wrong, key)).toBeUndefined();
  expect(openXChaCha(sealed, Buffer.alloc(32, 7))).toBeUndefined();
});

describe('better-auth', () => {
  const on = { twoFactorEnabled: true };
  const row = { userId: '1', secret: betterAuth.secret, backupCodes: betterAuth.codes, verified: true };
  const open = (options: ConvertOptions, factor: object = row, user: SourceRow = on) =>
    converted('better-auth', user, { options, factors: [factor as SourceRow] });
  const secret = { 'better-auth-secret': betterAuth.given };

  it("opens secret and backup codes with the app's secret", () => {
    expect(open(secret)).toMatchObject({
      totpDevices: [{ secretKey: 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF', secretEncoding: 'text' }],
      backupCodes: [{ code: 'aB3dE-gH7jK' }, { code: 'cD5eF-iJ9kL' }],
    });
    const snake = { user_id: '1', secret: row.secret, backup_codes: '["in-clear-01"]' };
    expect(open(secret, snake)).toMatchObject({ backupCodes: [{ code: 'in-clear-01' }] });
  });

  it('opens what was sealed with one of several secrets, and reads a key that came from elsewhere', () => {
    const several = { 'better-auth-secret': `3:another of thirty-two characters!!,2:${betterAuth.given}` };
    const versioned = { ...row, secret: betterAuth.versioned, backupCodes: null };
    for (const given of [secret, several])
      expect(open(given, versioned)).toMatchObject({ totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }] });
  });

  it('counts them without the secret, and leaves out what its user has not turned on', () => {
    expect(open({})).toMatchObject({ secondFactors: ['totp'] });
    expect(converted('better-auth', on, { options: secret })).toMatchObject({ secondFactors: ['other'] });
    for (const user of [
      open(secret, { ...row, verified: false }),
      open(secret, row, { twoFactorEnabled: false }),
    ])
      expect(user).not.toHaveProperty('totpDevices');
  });

  it('stops at another secret, without repeating it', () => {
    const attempt = () => open({ 'better-auth-secret': 'not this one' });
    expect(attempt).toThrow(/does not open/);
    expect(attempt).not.toThrow('not this one');
    expect(() => open({ 'better-auth-secret': '' })).toThrow(/is empty/);
  });
});

describe('devise-two-factor', () => {
  const on = { encrypted_password: '', otp_required_for_login: 't' };
  const open = (row: SourceRow, options: ConvertOptions) =>
    converted('devise', { ...on, ...row }, { options });
  const device = { totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXPJBSWY3DP' }] };

  const upTo4 = {
    encrypted_otp_secret: '70iQ6mxtJGiOdCWiK6wHwq6QmKUCp2VAiNxTRTiGH8T6YhI2DADkGA==\n',
    encrypted_otp_secret_iv: '4btSCP+smRsCZaqE\n',
    encrypted_otp_secret_salt: '_oLdDh4/SVOwfsV1fnO//wg==\n',
  };
  const otpKey = { 'devise-otp-key': 'a-key-of-devise-two-factor-of-more-than-32-bytes' };

  it('up to version 4 is opened with otp_secret_encryption_key', () => {
    expect(open(upTo4, otpKey)).toMatchObject(device);
    expect(() => open(upTo4, { 'devise-otp-key': 'another' })).toThrow(/--devise-otp-key does not open/);
    expect(open(upTo4, {})).toMatchObject({ secondFactors: ['totp'] });
  });

  const rails = {
    'rails-primary-key': 'QgfNLq4yq9rUSVXW8pZkTnB2dCcE7aHj',
    'rails-derivation-salt': 'aVb2sWc9kDq4tRz7mXy1pLf6nGh3jUe8',
  };
  const from5 = {
    sha1: '{"p":"4ctd+oTucPky9+u7yDomELeFz5wwknGn","h":{"iv":"APqNrhO2SkH6+IPZ","at":"IwczBwpXoesr6o9WYekX6w=="}}',
    sha256:
      '{"p":"+f8MD+7L52r6lpbrUBajQ+V0IUD02N5o","h":{"iv":"lg8YoiuRJKPCeBY5","at":"GU/sNwWHC7PH4QcfhwQp2g=="}}',
  };
  const packed =
    '{"p":"fOvlF0F778e6vrRJ7bC0uRNd3lleEzaLBZNZ","h":{"iv":"6bbq85ULnISneCES","at":"ZUY3R9xmasuFAMK4MV5Eag==","c":true}}';

  it.each(Object.entries(from5))(
    'from version 5 on is opened with keys that %s derives',
    (_digest, sealed) => {
      expect(open({ otp_secret: sealed }, rails)).toMatchObject(device);
      const several = { ...rails, 'rails-primary-key': `a newer one, ${rails['rails-primary-key']}` };
      expect(open({ otp_secret: sealed }, several)).toMatchObject(device);
      expect(open({ otp_secret: sealed }, {})).toMatchObject({ secondFactors: ['totp'] });
    },
  );

  it('is read where it was packed, or stands in clear', () => {
    const secretKey = 'JBSWY3DPEHPK3PXP'.repeat(12);
    expect(open({ otp_secret: packed }, rails)).toMatchObject({ totpDevices: [{ secretKey }] });
    expect(open({ otp_secret: 'JBSWY3DPEHPK3PXPJBSWY3DP' }, {})).toMatchObject(device);
  });

  it('stops at another key, or half of one', () => {
    const other = { ...rails, 'rails-derivation-salt': 'another' };
    expect(() => open({ otp_secret: from5.sha1 }, other)).toThrow(/do not open otp_secret/);
    for (const name of ['rails-primary-key', 'rails-derivation-salt'] as const)
      expect(() => open({ otp_secret: from5.sha1 }, { [name]: rails[name] })).toThrow(/belong together/);
  });

  it('that its user has not turned on is left out', () => {
    const user = open({ otp_secret: from5.sha1, otp_required_for_login: 'f' }, rails);
    expect(user).not.toHaveProperty('totpDevices');
    expect(user).not.toHaveProperty('secondFactors');
  });
});
