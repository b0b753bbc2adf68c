/** Rails with Devise: the users table, with OmniAuth's `provider` and `uid` in it or in a table of identities. */

import type { NativeBackupCode } from '../../../imports/record/native-record.ts';
import { deviseFactors, factorOptions, prepareKeys } from './devise-factors.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { listInText } from '../parts/backup-codes.ts';
import { flagOf, firstText, textOf } from '../parts/fields.ts';
import { hasAll, namesOf } from '../parts/folded-row.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { deletedOption, personOptions, type FoundPassword, type SocialIdentity } from '../parts/person.ts';
import { ExportFault } from '../provider.ts';
import { disabledByColumns } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { timeOf } from '../parts/times.ts';
import { plainBcrypt } from '../parts/way-back.ts';

const places = [{ format: 'csv' }, { format: 'json', path: [] }, { format: 'ndjson' }] as const;

export const devise: Provider = {
  name: 'devise',
  title: 'Ruby on Rails with Devise (users table)',
  about:
    'If config.pepper is set in config/initializers/devise.rb, give --pepper, and the same pepper to the core as bcrypt_pepper: a hash does not tell that it has one, and without it no old password would be right. Secrets of devise-two-factor are read with their keys, and counted only without.',
  wayBack: {
    reads: 'bcrypt, of a password with the pepper if config.pepper is set: hashes made here have none',
    settings: plainBcrypt,
  },
  tables: [
    { name: 'users', places, sqlNames: ['users'], idOf: (row) => textOf(row.id) },
    {
      name: 'identities',
      places,
      sqlNames: ['identities', 'user_identities', 'authentications', 'omniauth_identities'],
      idOf: (row) => textOf(row.user_id),
      flag: 'devise-identities',
    },
  ],
  options: [
    {
      name: 'pepper',
      about:
        "Devise's config.pepper: hashes are marked as peppered, and the core needs the same bcrypt_pepper",
      isSecret: true,
    },
    ...factorOptions,
    ...personOptions,
    deletedOption,
  ],
  recognises,
  prepare,
  convert,
};

/** Columns of Devise's modules that Supabase, with the same column for the hash, does not have. */
const marks = [
  'resetpasswordtoken',
  'remembercreatedat',
  'signincount',
  'unconfirmedemail',
  'uid',
  'failedattempts',
];
const supabaseMarks = [
  'aud',
  'instanceid',
  'rawappmetadata',
  'rawusermetadata',
  'emailconfirmedat',
  'issuperadmin',
];

function recognises(sample: Sample): number {
  const names = namesOf(sample);
  if (!hasAll(names, 'email', 'encryptedpassword')) return 0;
  if (supabaseMarks.some((name) => names.has(name))) return 0;
  return marks.some((name) => names.has(name)) ? 9 : 5;
}

/** The pepper itself is not needed again: it stays out of what crosses to the threads. */
function prepare(given: ConvertOptions): ConvertOptions {
  const options = prepareKeys(given);
  if (options.pepper === undefined) return options;
  if (options.pepper === '')
    throw new ExportFault('--pepper is empty: give the value of config.pepper, or leave the flag out');
  return { ...options, pepper: 'given' };
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const person = {
    id: textOf(row.id),
    email: textOf(row.email),
    isEmailVerified: timeOf(row.confirmed_at) !== undefined,
    password: passwordOf(row.encrypted_password, options.pepper !== undefined),
    social: [row, ...(related.identities ?? [])].flatMap(socialOf),
    timeJoined: timeOf(row.created_at),
    metadata: {
      username: textOf(row.username),
      name: textOf(row.name),
      first_name: textOf(row.first_name),
      last_name: textOf(row.last_name),
    },
    ...deviseFactors(row, options),
    backupCodes: backupCodesOf(row, options.pepper !== undefined),
    isDisabled: disabledByColumns(row),
    deleted: textOf(row.deleted_at) === undefined ? undefined : 'deleted_at is set',
  };
  return convertAddressed(person, 'email', options);
}

/** devise-two-factor's, hashed as passwords are, with the same pepper. */
function backupCodesOf(row: SourceRow, isPeppered: boolean): readonly NativeBackupCode[] {
  if (flagOf(row.otp_required_for_login) === false) return [];
  const hashes = listInText(row.otp_backup_codes).filter((hash) => hash.startsWith('$2'));
  return hashes.map((hash) => ({ hash, ...(isPeppered && { hashingAlgorithm: 'bcrypt_peppered' }) }));
}

/** devise-argon2 and devise-encryptable keep other hashes in the same column. */
function passwordOf(value: unknown, isPeppered: boolean): FoundPassword | undefined {
  const hash = textOf(value);
  if (hash === undefined) return undefined;
  const found = hashPassword('encrypted_password', hash, isPeppered ? 'bcrypt_peppered' : undefined);
  if (!isPeppered || found === undefined || !('reject' in found) || hash.startsWith('$2')) return found;
  const message = 'a pepper is carried over with bcrypt only, and this is no bcrypt hash';
  return { reject: { ...found.reject, code: 'UNSUPPORTED_HASHING_ALGORITHM', message } };
}

function socialOf(row: SourceRow): readonly SocialIdentity[] {
  const provider = textOf(row.provider);
  const userId = textOf(row.uid);
  if (provider === undefined || userId === undefined) return [];
  return [{ provider, userId, email: firstText(row, 'email'), timeJoined: timeOf(row.created_at) }];
}
