/** Rails with Devise: the users table, with OmniAuth's `provider` and `uid` in it or in a table of identities. */

import { deviseDatabase } from './devise-database.ts';
import type { NativeBackupCode } from '../../imports/record/native-record.ts';
import { deviseFactors, factorOptions, prepareKeys } from './devise-factors.ts';
import { convertAddressed } from './parts/addresses.ts';
import { listInText } from './parts/backup-codes.ts';
import { carries, guards, hash, identifies, leftOut, type Values, withAbout } from '../fields/declare.ts';
import { countedHere, noMeaningHere, ofTheRow } from '../fields/reasons.ts';
import { deletionFields, deletionOf, isRestricted, restrictionFields } from '../fields/restrictions.ts';
import { fieldsIn, recognisedBy } from './parts/marks.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { type Disabled, disabledIf, disabledUntil } from './parts/sign-in-state.ts';
import { deletedOption, personOptions, type FoundPassword, type SocialIdentity } from './parts/person.ts';
import { convertValues, ExportFault, relatedValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';
import { userFields as supabaseFields } from './supabase.ts';
import { plainBcrypt } from './parts/way-back.ts';

const ofDevise = 'It is of Devise itself and ends with the move';

const userFields = {
  id: identifies.id('id'),
  email: identifies.text('email'),
  isEmailVerified: carries.evidence('confirmed_at'),
  password: hash.text('encrypted_password'),
  timeJoined: carries.time('created_at'),
  username: carries.text('username'),
  name: carries.text('name'),
  firstName: carries.text('first_name'),
  lastName: carries.text('last_name'),
  provider: carries.text('provider'),
  uid: carries.text('uid'),
  isOtpRequired: guards.flag('otp_required_for_login'),
  otpSecret: guards.text('otp_secret'),
  encryptedOtpSecret: guards.text('encrypted_otp_secret'),
  encryptedOtpSecretIv: guards.text('encrypted_otp_secret_iv'),
  encryptedOtpSecretSalt: guards.text('encrypted_otp_secret_salt'),
  otpBackupCodes: carries.any('otp_backup_codes'),
  ...restrictionFields,
  ...deletionFields,
  discardedAt: withAbout('Of the gem discard', guards.evidence('discarded_at')),
  lockedAt: withAbout(
    'A lock after wrong passwords is kept for an hour, which is how long it lasts by default (unlock_in)',
    guards.time('locked_at'),
  ),
  unlockToken: leftOut(ofDevise, 'unlock_token'),
  failedAttempts: leftOut(ofDevise, 'failed_attempts'),
  resetPasswordToken: leftOut(ofDevise, 'reset_password_token'),
  resetPasswordSentAt: leftOut(ofDevise, 'reset_password_sent_at'),
  rememberCreatedAt: leftOut(ofDevise, 'remember_created_at'),
  confirmationToken: leftOut(ofDevise, 'confirmation_token'),
  confirmationSentAt: leftOut(ofDevise, 'confirmation_sent_at'),
  unconfirmedEmail: leftOut('A change of the email that was not confirmed', 'unconfirmed_email'),
  consumedTimestep: leftOut('A code of that moment is long over', 'consumed_timestep'),
  signInCount: leftOut(countedHere, 'sign_in_count'),
  signIns: leftOut(
    countedHere,
    ...(['current_sign_in_at', 'last_sign_in_at', 'current_sign_in_ip', 'last_sign_in_ip'] as const),
  ),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

const identityFields = {
  userId: identifies.id('user_id'),
  provider: carries.text('provider'),
  uid: carries.text('uid'),
  email: carries.text('email'),
  timeJoined: carries.time('created_at'),
  id: leftOut(ofTheRow, 'id'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

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
    table('users', userFields, {
      sqlNames: ['users'],
    }),
    table('identities', identityFields, {
      sqlNames: ['identities', 'user_identities', 'authentications', 'omniauth_identities'],
      flag: 'devise-identities',
    }),
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
  database: deviseDatabase,
  recognises,
  prepare,
  convert: convertValues(userFields, convert),
};

/** With a column of one of Devise's modules, which Supabase, with the same column for the hash, does not have. */
const recognisesDevise = recognisedBy(
  userFields,
  {
    score: 9,
    all: ['email', 'password'],
    any: [
      ...(['resetPasswordToken', 'rememberCreatedAt', 'signInCount', 'unconfirmedEmail', 'uid'] as const),
      'failedAttempts',
    ],
  },
  { score: 5, all: ['email', 'password'] },
);

const ofSupabase = [
  ...(['audience', 'instanceId', 'appMetadata', 'userMetadata', 'isEmailVerified', 'isSuperAdmin'] as const),
];

function recognises(sample: Sample): number {
  const has = fieldsIn(sample, supabaseFields);
  return ofSupabase.some((name) => has(name)) ? 0 : recognisesDevise(sample);
}

/** The pepper itself is not needed later: it is not sent to the threads. */
function prepare(given: ConvertOptions): ConvertOptions {
  const options = prepareKeys(given);
  if (options.pepper === undefined) return options;
  if (options.pepper === '')
    throw new ExportFault('--pepper is empty: give the value of config.pepper, or leave the flag out');
  return { ...options, pepper: 'given' };
}

type User = Values<typeof userFields>;

function convert(user: User, related: Related, options: ConvertOptions): Conversion {
  const { id, email, isEmailVerified, timeJoined, username, name, firstName, lastName } = user;
  const isPeppered = options.pepper !== undefined;
  const person = {
    id,
    email,
    isEmailVerified,
    timeJoined,
    password: passwordOf(user.password, isPeppered),
    social: [user, ...relatedValues(identityFields, related.identities)].flatMap(socialOf),
    metadata: { username, name, first_name: firstName, last_name: lastName },
    ...deviseFactors(user, options),
    backupCodes: backupCodesOf(user, isPeppered),
    isDisabled: disabledIf(isRestricted(user), lockOf(user)),
    deleted: user.discardedAt === true ? 'discarded_at is set' : deletionOf(user),
  };
  const conversion = convertAddressed(person, 'email', options);
  return conversion.ok && lockOf(user) === false ? { note: oldLock, ...conversion } : conversion;
}

/** Devise's default of unlock_in. The app's own setting is in no table. */
const lockMs = 3_600_000;

function lockOf({ lockedAt }: User): Disabled {
  return lockedAt === undefined ? undefined : disabledUntil(lockedAt + lockMs);
}

const oldLock =
  'locked more than an hour ago (locked_at), which by default is over: they can sign in. If unlock_strategy is :email or :none in config/initializers/devise.rb, or unlock_in is longer, the lock may hold there: restrict those you mean here (PUT /user/restrictions)';

/** devise-two-factor's codes, hashed as passwords are, with the same pepper. */
function backupCodesOf(
  { isOtpRequired, otpBackupCodes }: User,
  isPeppered: boolean,
): readonly NativeBackupCode[] {
  if (isOtpRequired === false) return [];
  const hashes = listInText(otpBackupCodes).filter((text) => text.startsWith('$2'));
  return hashes.map((text) => ({ hash: text, ...(isPeppered && { hashingAlgorithm: 'bcrypt_peppered' }) }));
}

/** devise-argon2 and devise-encryptable store other hashes in the same column. */
function passwordOf(text: string | undefined, isPeppered: boolean): FoundPassword | undefined {
  if (text === undefined) return undefined;
  const found = hashPassword('encrypted_password', text, isPeppered ? 'bcrypt_peppered' : undefined);
  if (!isPeppered || found === undefined || !('reject' in found) || text.startsWith('$2')) return found;
  const message = 'a pepper is carried over with bcrypt only, and this is no bcrypt hash';
  return { reject: { ...found.reject, code: 'UNSUPPORTED_HASHING_ALGORITHM', message } };
}

/** devise_token_auth writes `email` for users with a password. */
const ownProvider = 'email';

function socialOf({
  provider,
  uid: userId,
  email,
  timeJoined,
}: Pick<User, 'provider' | 'uid' | 'email' | 'timeJoined'>): readonly SocialIdentity[] {
  if (provider === undefined || userId === undefined || provider === ownProvider) return [];
  return [{ provider, userId, email, timeJoined }];
}
