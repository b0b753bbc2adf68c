/**
 * Second factors of WordPress, which plug-ins add: Two Factor (and Solid Security, which has its keys), WP 2FA, Wordfence Login
 * Security, miniOrange, Google Authenticator, and Simba's, which All-In-One Security has. Keys and tables are those of the
 * plug-ins' sources.
 */

import { base32Of, bytesOfBase32 } from '../../hashes/parts/one-time-code.ts';
import type { SecondFactor } from '../../imports/model.ts';
import type { NativeBackupCode, NativeTotpDevice } from '../../imports/record/native-record.ts';
import { parseFlag } from '../fields/flags.ts';
import type { Person } from './parts/person.ts';
import { phpStrings } from './parts/php-values.ts';
import { factorIf, factorNamed } from './parts/sign-in-state.ts';
import { openMiniOrange, openWp2fa } from './parts/wordpress-encryption.ts';
import { type ConvertOptions, ExportFault, type ProviderOption } from './provider.ts';
import type { MiniOrange, Wordfence } from './wordpress-fields.ts';

type Factors = Required<Pick<Person, 'totpDevices' | 'backupCodes' | 'secondFactors'>>;
type Meta = ReadonlyMap<string, string>;

/** Keys of wp_usermeta that are read: `export-from` selects only these. */
export const factorKeys: readonly string[] = [
  // Two Factor.
  '_two_factor_enabled_providers',
  '_two_factor_totp_key',
  '_two_factor_backup_codes',
  // WP 2FA.
  'wp_2fa_enabled_methods',
  'wp_2fa_totp_key',
  'wp_2fa_backup_codes',
  // Google Authenticator.
  'googleauthenticator_enabled',
  'googleauthenticator_secret',
  // miniOrange.
  'currentMethod',
  'mo2f_gauth_key',
  'mo2f_get_auth_rnd_string',
  // Simba's.
  'tfa_enable_tfa',
  'tfa_algorithm_type',
];

const wp2faKey = 'wordpress-2fa-key';

export const factorOptions: readonly ProviderOption[] = [
  {
    name: wp2faKey,
    about:
      "WP 2FA's secret key (WP2FA_ENCRYPT_KEY of wp-config.php, else the option wp_2fa_secret_key): opens wp_2fa_totp_key",
    isSecret: true,
  },
];

export interface FactorSources {
  readonly meta: Meta;
  /** Rows of wp_wfls_2fa_secrets. */
  readonly wordfence: readonly Wordfence[];
  /** Rows of wp_mo2f_user_details. */
  readonly miniOrange: readonly MiniOrange[];
}

/** @throws ExportFault when WP 2FA's key is wrong: no record could be read */
export function wordpressFactors(
  { meta, wordfence, miniOrange }: FactorSources,
  options: ConvertOptions,
): Factors {
  const found = [
    ofTwoFactor(meta),
    ofWp2fa(meta, options[wp2faKey]),
    ofGoogleAuthenticator(meta),
    ofMiniOrange(meta, miniOrange),
    ofSimba(meta),
    ...wordfence.map(ofWordfence),
  ];
  return {
    totpDevices: found.flatMap(({ totpDevices = [] }) => totpDevices),
    backupCodes: found.flatMap(({ backupCodes = [] }) => backupCodes),
    secondFactors: found.flatMap(({ secondFactors = [] }) => secondFactors),
  };
}

const twoFactorProviders: Readonly<Record<string, SecondFactor>> = {
  Two_Factor_Totp: 'totp',
  Two_Factor_Email: 'email',
  Two_Factor_Backup_Codes: 'backup',
  Two_Factor_FIDO_U2F: 'webauthn',
  TwoFactor_Provider_WebAuthn: 'webauthn',
};

/** The plug-in asks for enabled factors: a stored secret without that belongs to an abandoned set-up. */
function ofTwoFactor(meta: Meta): Partial<Factors> {
  const enabled = phpStrings(meta.get('_two_factor_enabled_providers') ?? '')
    .filter((name) => name !== '' && name !== 'Two_Factor_Dummy')
    .map((name) => factorNamed(twoFactorProviders, name));
  return carried(enabled, {
    secret: meta.get('_two_factor_totp_key'),
    codes: meta.get('_two_factor_backup_codes'),
  });
}

const wp2faMethods: Readonly<Record<string, SecondFactor>> = {
  totp: 'totp',
  hotp: 'hotp',
  email: 'email',
  oob: 'email',
  twilio: 'sms',
  clickatell: 'sms',
  passkeys: 'webauthn',
  backup_codes: 'backup',
};

/** One method, as text; its codes are listed separately. */
function ofWp2fa(meta: Meta, key: string | undefined): Partial<Factors> {
  const named = meta.get('wp_2fa_enabled_methods');
  if (named === undefined || isOff(named)) return {};
  const codes = meta.get('wp_2fa_backup_codes');
  const methods = namesIn(named).map((name) => factorNamed(wp2faMethods, name));
  const sealed = meta.get('wp_2fa_totp_key');
  const secret = sealed === undefined || key === undefined ? sealed : openWp2fa(sealed, key);
  if (secret === undefined && sealed !== undefined && methods.includes('totp'))
    throw new ExportFault(
      `--${wp2faKey} does not open wp_2fa_totp_key: give WP2FA_ENCRYPT_KEY of this site's wp-config.php, or the option wp_2fa_secret_key`,
    );
  return carried([...methods, ...factorIf(codes !== undefined, 'backup')], { secret, codes });
}

function namesIn(value: string): readonly string[] {
  return value.startsWith('a:') ? phpStrings(value) : [value];
}

function ofGoogleAuthenticator(meta: Meta): Partial<Factors> {
  const isOn = meta.get('googleauthenticator_enabled') === 'enabled';
  return isOn ? carried(['totp'], { secret: meta.get('googleauthenticator_secret') }) : {};
}

/** miniOrange has names for people: `OTP Over SMS`, `Google Authenticator`. */
const miniOrangeMethods: readonly (readonly [RegExp, SecondFactor])[] = [
  [/duo|push|qr code/i, 'push'],
  [/(google|microsoft|authy|lastpass) ?auth/i, 'totp'],
  [/sms|whatsapp|phone/i, 'sms'],
  [/email/i, 'email'],
];

function ofMiniOrange(meta: Meta, rows: readonly MiniOrange[]): Partial<Factors> {
  const named = rows[0]?.method ?? meta.get('currentMethod');
  if (rows.some(({ isOn }) => isOn === false) || named === undefined) return {};
  const method = miniOrangeMethods.find(([words]) => words.test(named))?.[1] ?? 'other';
  const [sealed, key] = [meta.get('mo2f_gauth_key'), meta.get('mo2f_get_auth_rnd_string')];
  return carried([method], { secret: sealed && key && openMiniOrange(sealed, key) });
}

/** Its secrets are sealed with a key that is not in these tables. */
function ofSimba(meta: Meta): Partial<Factors> {
  const enabled = meta.get('tfa_enable_tfa');
  if (enabled === undefined || isOff(enabled)) return {};
  return { secondFactors: [meta.get('tfa_algorithm_type') === 'hotp' ? 'hotp' : 'totp'] };
}

function isOff(text: string): boolean {
  return parseFlag(text) === false || text === 'a:0:{}' || text === 'b:0;';
}

/** Bytes of each recovery code: the plug-in shows their hexadecimal digits in groups of four. */
const recoveryBytes = 8;

function ofWordfence(row: Wordfence): Partial<Factors> {
  if (row.mode !== undefined && row.mode !== 'authenticator') return { secondFactors: ['other'] };
  const [secret, recovery] = [bytesOf(row.secret), bytesOf(row.recovery)];
  const codes = Array.from({ length: Math.floor(recovery.length / recoveryBytes) }, (_, place) =>
    recovery.toString('hex', place * recoveryBytes, (place + 1) * recoveryBytes),
  );
  return {
    ...carried(['totp'], { secret: secret.length === 0 ? undefined : base32Of(secret) }),
    backupCodes: codes.map((code) => ({ code })),
  };
}

/** A binary column: `0x` and digits if its bytes are not a text (see readers/sql/texts.ts), otherwise the text itself. */
function bytesOf(value: string | undefined): Buffer {
  if (value === undefined) return Buffer.alloc(0);
  const [, digits] = /^0x((?:[0-9A-Fa-f]{2})*)$/.exec(value) ?? [];
  return digits === undefined ? Buffer.from(value) : Buffer.from(digits, 'hex');
}

/** A user's factors, with their secrets if readable; an unreadable one is counted by its name. */
function carried(
  factors: readonly SecondFactor[],
  { secret, codes }: { readonly secret?: string | undefined; readonly codes?: string | undefined },
): Partial<Factors> {
  const totpDevices = factors.includes('totp') ? devicesOf(secret) : [];
  const backupCodes = factors.includes('backup') ? codesOf(codes ?? '') : [];
  return {
    totpDevices,
    backupCodes,
    secondFactors: factors.filter(
      (each) =>
        (each !== 'totp' || totpDevices.length === 0) && (each !== 'backup' || backupCodes.length === 0),
    ),
  };
}

/** RFC 4226 requires 16 bytes, and apps have used 10: a shorter value is only a part of a secret. */
const fewestSecretBytes = 10;

function devicesOf(secret: string | undefined): NativeTotpDevice[] {
  const secretKey = secret?.trim().toUpperCase();
  const bytes = secretKey === undefined ? undefined : bytesOfBase32(secretKey);
  return secretKey === undefined || bytes === undefined || bytes.length < fewestSecretBytes
    ? []
    : [{ secretKey }];
}

/** Hashes by wp_hash_password; only unused ones are listed. */
function codesOf(serialized: string): NativeBackupCode[] {
  return phpStrings(serialized)
    .filter((hash) => /^\$([PH]|wp\$2y|2[aby])\$/.test(hash))
    .map((hash) => ({ hash }));
}
