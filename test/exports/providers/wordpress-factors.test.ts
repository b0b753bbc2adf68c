/** Second factors of WordPress's plug-ins: readable ones are imported, others are counted and hold the user. */
import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { convertRow } from '../../helpers/framework-exports.ts';
import { wordpress } from '../../../src/exports/providers/wordpress.ts';
import type { ConvertOptions, Related, SourceRow } from '../../../src/exports/providers/provider.ts';
import { base32Of } from '../../../src/hashes/parts/one-time-code.ts';
import type { NativeUser } from '../../../src/imports/record/native-record.ts';
import { textOf, useExportFiles } from '../../helpers/export-files.ts';

const user = { ID: '7', user_login: 'ada', user_email: 'ada@example.com', user_pass: '' };
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const phpass = '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81';
const inWordPress = `$wp$2y$10$${'a'.repeat(53)}`;

/** As PHP's serialize() writes a list of texts. */
const serialized = (...texts: readonly string[]): string =>
  `a:${texts.length}:{${texts.map((text, n) => `i:${n};s:${Buffer.byteLength(text)}:"${text}";`).join('')}}`;
const metaOf = (meta: Readonly<Record<string, string>>): readonly SourceRow[] =>
  Object.entries(meta).map(([meta_key, meta_value]) => ({ user_id: '7', meta_key, meta_value }));

function converted(related: Related, options: ConvertOptions = {}): Partial<NativeUser> {
  const conversion = convertRow(wordpress, user, related, options);
  if (!conversion.ok) throw new Error(conversion.reason.message);
  return conversion.user;
}

function factorsOf(meta: Readonly<Record<string, string>>, options: ConvertOptions = {}, more: Related = {}) {
  const { totpDevices, backupCodes, secondFactors } = converted({ usermeta: metaOf(meta), ...more }, options);
  return { totpDevices, backupCodes, secondFactors };
}

const none = { totpDevices: undefined, backupCodes: undefined, secondFactors: undefined };
const device = { ...none, totpDevices: [{ secretKey: secret }] };
const counted = (...secondFactors: string[]) => ({ ...none, secondFactors });

describe('Two Factor', () => {
  const enabled = (...names: string[]) => ({ _two_factor_enabled_providers: serialized(...names) });

  it('brings the secret, and the hashes of the codes that are left', () => {
    const meta = {
      ...enabled('Two_Factor_Totp', 'Two_Factor_Backup_Codes'),
      _two_factor_totp_key: secret,
      _two_factor_backup_codes: serialized(phpass, inWordPress),
    };
    expect(factorsOf(meta)).toEqual({
      ...device,
      backupCodes: [{ hash: phpass }, { hash: inWordPress }],
    });
  });

  it.each([
    ['codes by mail', ['Two_Factor_Email'], {}, ['email']],
    ['security keys', ['Two_Factor_FIDO_U2F', 'TwoFactor_Provider_WebAuthn'], {}, ['webauthn']],
    ['a provider of another plug-in', ['Acme_Carrier_Pigeon'], {}, ['other']],
    ['an app whose secret is not there', ['Two_Factor_Totp'], {}, ['totp']],
    [
      'a secret that Solid Security has sealed',
      ['Two_Factor_Totp'],
      { _two_factor_totp_key: '$t1$q6urq6s' },
      ['totp'],
    ],
    ['a secret of a few characters', ['Two_Factor_Totp'], { _two_factor_totp_key: 'JBSW' }, ['totp']],
    [
      'codes in another form',
      ['Two_Factor_Backup_Codes'],
      { _two_factor_backup_codes: serialized('x') },
      ['backup'],
    ],
  ])('counts %s', (_, names, meta, expected) => {
    expect(factorsOf({ ...enabled(...names), ...meta })).toEqual(counted(...expected));
  });

  it('asks no user for what is not enabled', () => {
    expect(factorsOf({ _two_factor_totp_key: secret })).toEqual(none);
    expect(factorsOf({ ...enabled(), _two_factor_totp_key: secret })).toEqual(none);
    expect(factorsOf(enabled('Two_Factor_Dummy'))).toEqual(none);
  });
});

describe('WP 2FA', () => {
  const siteKey = Buffer.from('the key of this very site').toString('base64');
  const sealed = (mark: string, key = siteKey): string => {
    const [digest, iv] = [
      createHash('sha256').update(Buffer.from(key, 'base64')).digest(),
      Buffer.alloc(16, 5),
    ];
    const cipher = createCipheriv('aes-256-ctr', digest, iv);
    return mark + Buffer.concat([iv, cipher.update(secret), cipher.final()]).toString('base64');
  };
  const key = { 'wordpress-2fa-key': siteKey };
  const totp = (wp_2fa_totp_key: string) => ({ wp_2fa_enabled_methods: 'totp', wp_2fa_totp_key });

  it.each(['lsc_', 'ssl_'])('opens a secret marked %s with its key, and counts it without', (mark) => {
    expect(factorsOf(totp(sealed(mark)), key)).toEqual(device);
    expect(factorsOf(totp(sealed(mark)))).toEqual(counted('totp'));
    expect(() => factorsOf(totp(sealed(mark, 'b3RoZXI=')), key)).toThrow('--wordpress-2fa-key does not open');
  });

  it('takes a secret in clear, brings codes, and counts the rest', () => {
    expect(factorsOf(totp(secret))).toEqual(device);
    expect(factorsOf(totp(secret), key)).toEqual(device);
    expect(factorsOf(totp('wps_q6urq6urq6urq6urq6s='), key)).toEqual(counted('totp'));
    expect(factorsOf({ wp_2fa_enabled_methods: 'email', wp_2fa_backup_codes: serialized(phpass) })).toEqual({
      ...counted('email'),
      backupCodes: [{ hash: phpass }],
    });
    expect(factorsOf({ wp_2fa_enabled_methods: 'twilio' })).toEqual(counted('sms'));
    expect(factorsOf({ wp_2fa_totp_key: sealed('lsc_') }, key)).toEqual(none);
  });
});

describe('Wordfence', () => {
  const bytes = Buffer.from('000102030405060708090a0b0c0d0e0f10111213', 'hex');
  const row = {
    user_id: '7',
    mode: 'authenticator',
    secret: `0x${bytes.toString('hex')}`,
    recovery: `0x00112233445566778899aabbccddeeff`,
  };

  it('brings the secret of bytes, and recovery codes as they are typed', () => {
    expect(factorsOf({}, {}, { wordfence: [row] })).toEqual({
      ...none,
      totpDevices: [{ secretKey: base32Of(bytes) }],
      backupCodes: [{ code: '0011223344556677' }, { code: '8899aabbccddeeff' }],
    });
  });

  it('takes bytes that happen to be a text, and counts what is not there', () => {
    const text = 'twenty bytes of text';
    expect(factorsOf({}, {}, { wordfence: [{ ...row, secret: text, recovery: null }] }).totpDevices).toEqual([
      { secretKey: base32Of(Buffer.from(text)) },
    ]);
    expect(factorsOf({}, {}, { wordfence: [{ mode: 'authenticator' }] })).toEqual(counted('totp'));
    expect(factorsOf({}, {}, { wordfence: [{ ...row, mode: 'sms' }] })).toEqual(counted('other'));
  });
});

describe('miniOrange, Google Authenticator and Simba', () => {
  const userKey = 'aB3dE5gH';
  const sealed = (): string => {
    const [filled, iv] = [Buffer.alloc(16), Buffer.alloc(16, 9)];
    filled.write(userKey);
    const cipher = createCipheriv('aes-128-cbc', filled, iv);
    const text = Buffer.concat([cipher.update(secret), cipher.final()]);
    const mac = createHmac('sha256', userKey).update(text).digest();
    return Buffer.concat([iv, mac, text]).toString('base64');
  };
  const stored = { mo2f_gauth_key: sealed(), mo2f_get_auth_rnd_string: userKey };
  const row = (method: string, isOn = '1') => ({
    miniorange: [{ user_id: '7', mo2f_configured_2FA_method: method, mo2f_2factor_enable_2fa_byusers: isOn }],
  });

  it("opens miniOrange's secret with the key that is stored for the user", () => {
    expect(factorsOf(stored, {}, row('Google Authenticator'))).toEqual(device);
    expect(factorsOf({ ...stored, currentMethod: 'Google Authenticator' })).toEqual(device);
    const altered = { ...stored, mo2f_gauth_key: stored.mo2f_gauth_key.replace(/..$/, 'A=') };
    expect(factorsOf(altered, {}, row('Google Authenticator'))).toEqual(counted('totp'));
    expect(factorsOf(stored, {}, row('Google Authenticator', '0'))).toEqual(none);
    expect(factorsOf(stored, {}, row(''))).toEqual(none);
  });

  it.each([
    ['OTP Over SMS', 'sms'],
    ['OTP Over Email', 'email'],
    ['miniOrange Push Notification', 'push'],
    ['Duo Authenticator', 'push'],
    ['Security Questions', 'other'],
    ['Authy Authenticator', 'totp'],
  ])("counts miniOrange's %s", (method, factor) => {
    expect(factorsOf({}, {}, row(method))).toEqual(counted(factor));
  });

  it("brings Google Authenticator's secret where it is on, and counts Simba's", () => {
    const meta = { googleauthenticator_secret: secret };
    expect(factorsOf({ ...meta, googleauthenticator_enabled: 'enabled' })).toEqual(device);
    expect(factorsOf({ ...meta, googleauthenticator_enabled: 'disabled' })).toEqual(none);
    expect(factorsOf({ tfa_enable_tfa: '1' })).toEqual(counted('totp'));
    expect(factorsOf({ tfa_enable_tfa: '1', tfa_algorithm_type: 'hotp' })).toEqual(counted('hotp'));
    expect(factorsOf({ tfa_enable_tfa: '0' })).toEqual(none);
  });
});

describe('a dump of the whole site', () => {
  const { fileOf, sourceOf, converted: batchesOf } = useExportFiles();

  it.each([
    ['marked as bytes', '_binary '],
    ['marked by nothing, as MariaDB writes them', ''],
  ])('has the bytes of Wordfence %s, whatever they are', async (_, mark) => {
    // Not UTF-8, and without any control character, which would show that it is not a text.
    const bytes = Buffer.from('a1b2c3d4e5f6a7b8c9dadbecfda1b2c3d4e5f6a7', 'hex');
    const dump = Buffer.concat([
      Buffer.from(
        `-- MySQL dump\nINSERT INTO \`wp_usermeta\` (umeta_id, user_id, meta_key, meta_value) VALUES (1,7,'first_name','Ada');\nINSERT INTO \`wp_wfls_2fa_secrets\` (id, user_id, secret, recovery, mode) VALUES (1,7,${mark}'`,
      ),
      bytes,
      Buffer.from(
        `','','authenticator');\nINSERT INTO \`wp_users\` (ID, user_login, user_pass, user_email) VALUES (7,'ada','${phpass}','ada@example.com');\n`,
      ),
    ]);
    const [user] = textOf(await batchesOf(await sourceOf(fileOf(dump))))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as NativeUser);
    expect(user).toMatchObject({ totpDevices: [{ secretKey: base32Of(bytes) }] });
  });
});
