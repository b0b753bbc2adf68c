/** devise-two-factor: secrets sealed by attr_encrypted up to version 4, by Active Record Encryption from 5 on. */

import { pbkdf2Sync } from 'node:crypto';
import type { Person } from './parts/person.ts';
import { openGcm, openRails, railsKeys } from './parts/rails-encryption.ts';
import { factorIf } from './parts/sign-in-state.ts';
import { type ConvertOptions, ExportFault, type ProviderOption } from './provider.ts';

type Factors = Pick<Person, 'totpDevices' | 'secondFactors'>;

const [otpKey, primaryKey, derivationSalt] = ['devise-otp-key', 'rails-primary-key', 'rails-derivation-salt'];
/** The keys derived by `prepare`: deriving takes longer than reading a record. */
const derivedKeys = 'rails-keys';

export const factorOptions: readonly ProviderOption[] = [
  {
    name: otpKey,
    about: "devise-two-factor's otp_secret_encryption_key: opens encrypted_otp_secret, as up to version 4",
    isSecret: true,
  },
  {
    name: primaryKey,
    about:
      'active_record_encryption.primary_key of the credentials (older ones behind commas): opens otp_secret, as from version 5 on',
    isSecret: true,
  },
  {
    name: derivationSalt,
    about: 'active_record_encryption.key_derivation_salt, which belongs to it',
    isSecret: true,
  },
];

/** @throws ExportFault if one of two options that belong together is missing */
export function prepareKeys(options: ConvertOptions): ConvertOptions {
  const { [primaryKey]: primary, [derivationSalt]: salt, ...rest } = options;
  if (primary === undefined && salt === undefined) return options;
  if (!primary || !salt)
    throw new ExportFault(`--${primaryKey} and --${derivationSalt} belong together: give both, or none`);
  const keys = railsKeys(primary, salt).map((each) => each.toString('hex'));
  return { ...rest, [derivedKeys]: keys.join(',') };
}

export interface SealedSecret {
  readonly isOtpRequired: boolean | undefined;
  readonly otpSecret: string | undefined;
  readonly encryptedOtpSecret: string | undefined;
  readonly encryptedOtpSecretIv: string | undefined;
  readonly encryptedOtpSecretSalt: string | undefined;
}

/** @throws ExportFault when a key is wrong: no record could be read */
export function deviseFactors(user: SealedSecret, options: ConvertOptions): Factors {
  if (user.isOtpRequired !== true) return {};
  const secretKey = ofRails(user.otpSecret, options) ?? ofAttrEncrypted(user, options[otpKey]);
  return secretKey === undefined
    ? { secondFactors: factorIf(true, 'totp') }
    : { totpDevices: [{ secretKey }] };
}

/** In clear text if the model does not encrypt it. */
function ofRails(text: string | undefined, options: ConvertOptions): string | undefined {
  if (text === undefined || /^[a-z2-7]{16,}=*$/i.test(text)) return text;
  const keys = options[derivedKeys]?.split(',').map((each) => Buffer.from(each, 'hex'));
  if (keys === undefined) return undefined;
  return openRails(text, keys) ?? wrongKey(`--${primaryKey} and --${derivationSalt} do`, 'otp_secret');
}

/** AES-256-GCM with the tag after the ciphertext, by a key derived with the record's own salt. */
function ofAttrEncrypted(user: SealedSecret, key: string | undefined): string | undefined {
  const parts = [user.encryptedOtpSecret, user.encryptedOtpSecretIv, user.encryptedOtpSecretSalt];
  // The salt begins with an underscore, which marks base64.
  const [sealed, iv, salt] = parts.map((each) => each && Buffer.from(each.replace(/^_/, ''), 'base64'));
  if (key === undefined || !sealed || !iv || !salt) return undefined;
  const derived = pbkdf2Sync(key, salt, 2000, 32, 'sha1');
  const opened = openGcm({ value: sealed.subarray(0, -16), tag: sealed.subarray(-16), iv }, derived);
  return opened?.toString('utf8') ?? wrongKey(`--${otpKey} does`, 'encrypted_otp_secret');
}

function wrongKey(what: string, column: string): never {
  throw new ExportFault(`${what} not open ${column}: give what the app of this database has`);
}
