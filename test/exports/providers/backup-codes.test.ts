/** Backup codes, and secrets sealed by an application's key, as each source has them. */
import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { convertRow } from '../../helpers/framework-exports.ts';
import { requireProvider } from '../../../src/exports/providers/index.ts';
import type { ConvertOptions, SourceRow } from '../../../src/exports/providers/provider.ts';
import type { NativeUser } from '../../../src/imports/record/native-record.ts';
import { knownHash } from '../../helpers/people.ts';

function converted(name: string, row: SourceRow, options: ConvertOptions = {}): NativeUser | undefined {
  const provider = requireProvider(name);
  const conversion = convertRow(provider, { id: '1', ...row }, { accounts: [] }, options);
  return conversion.ok ? conversion.user : undefined;
}

const email = 'ada@example.com';
const hash = knownHash;

it.each<[string, SourceRow, readonly object[]]>([
  [
    'keycloak',
    {
      email,
      credentials: [
        {
          type: 'recovery-authn-codes',
          secretData: '{"codes":[{"number":2,"encodedHashedValue":"c2Vjb25k"}]}',
          credentialData: '{"algorithm":"RS512","totalCodes":12,"remainingCodes":1}',
        },
      ],
    },
    [{ hash: '$sha512$c2Vjb25k' }],
  ],
  [
    'kratos',
    {
      traits: { email },
      credentials: {
        lookup_secret: {
          config: {
            recovery_codes: [
              { code: 'unused01', used_at: '0001-01-01T00:00:00Z' },
              { code: 'unused02' },
              { code: 'used0003', used_at: '2026-01-31T12:00:00Z' },
            ],
          },
        },
      },
    },
    [{ code: 'unused01' }, { code: 'unused02' }],
  ],
  [
    'logto',
    {
      primary_email: email,
      mfa_verifications: [
        {
          type: 'BackupCode',
          codes: [{ code: 'unused01' }, { code: 'used0002', usedAt: '2026-01-31T12:00:00Z' }],
        },
      ],
    },
    [{ code: 'unused01' }],
  ],
  [
    'fusionauth',
    { email, twoFactor: { recoveryCodes: ['VLNM-6QX2', 'QKW5-2NLF', '1'] } },
    [{ code: 'VLNM-6QX2' }, { code: 'QKW5-2NLF' }],
  ],
  [
    'devise',
    { email, otp_required_for_login: 't', otp_backup_codes: `{${hash},"${hash}"}` },
    [{ hash }, { hash }],
  ],
  ['devise', { email, otp_required_for_login: 't', otp_backup_codes: JSON.stringify([hash]) }, [{ hash }]],
])('%s: %j', (name, row, backupCodes) => {
  expect(converted(name, row)?.backupCodes).toEqual(backupCodes);
});

it('of Devise with a pepper are hashed with it too', () => {
  const row = { email, otp_required_for_login: 't', otp_backup_codes: [hash] };
  expect(converted('devise', row, { pepper: 'given' })?.backupCodes).toEqual([
    { hash, hashingAlgorithm: 'bcrypt_peppered' },
  ]);
});

/** As Laravel's Crypt: a serialised text, encrypted, then authenticated. */
function sealCbc(text: string, key: Buffer): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const plain = `s:${Buffer.byteLength(text)}:"${text}";`;
  const value = Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64');
  const ivText = iv.toString('base64');
  const mac = createHmac('sha256', key)
    .update(ivText + value)
    .digest('hex');
  return Buffer.from(JSON.stringify({ iv: ivText, value, mac, tag: '' })).toString('base64');
}

function sealGcm(text: string, key: Buffer): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const value = Buffer.concat([cipher.update(text), cipher.final()]).toString('base64');
  const parts = { iv: iv.toString('base64'), value, mac: '', tag: cipher.getAuthTag().toString('base64') };
  return Buffer.from(JSON.stringify(parts)).toString('base64');
}

describe('Laravel Fortify', () => {
  const key = randomBytes(32);
  const appKey = `base64:${key.toString('base64')}`;
  const row = (seal: (text: string, key: Buffer) => string) => ({
    email,
    two_factor_secret: seal('JBSWY3DPEHPK3PXP', key),
    two_factor_recovery_codes: seal('["aaaaaaaaaa-bbbbbbbbbb"]', key),
  });

  it.each([
    ['AES-256-CBC', sealCbc],
    ['AES-256-GCM', sealGcm],
  ])('opens secret and codes of %s with APP_KEY, or an older one', (_name, seal) => {
    for (const given of [appKey, `base64:${randomBytes(32).toString('base64')},${appKey}`]) {
      const user = converted('laravel', row(seal), { 'laravel-app-key': given });
      expect(user?.totpDevices).toEqual([{ secretKey: 'JBSWY3DPEHPK3PXP' }]);
      expect(user?.backupCodes).toEqual([{ code: 'aaaaaaaaaa-bbbbbbbbbb' }]);
    }
  });

  it('counts them without the key', () => {
    const user = converted('laravel', row(sealCbc));
    expect(user).toMatchObject({ secondFactors: ['totp', 'backup'] });
    expect(user).not.toHaveProperty('totpDevices');
  });

  it.each([
    ['another key', `base64:${randomBytes(32).toString('base64')}`, /does not open/],
    ['no key', 'secret', /must be APP_KEY/],
  ])('stops at %s, without repeating it', (_what, given, message) => {
    const attempt = () => converted('laravel', row(sealGcm), { 'laravel-app-key': given });
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow(given);
  });
});
