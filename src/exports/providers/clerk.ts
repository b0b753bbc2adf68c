/** Clerk: the CSV of the dashboard, or users as returned by its Backend API and SDK. */

import type { SecondFactor } from '../../imports/model.ts';
import { carries, guards, hash, identifies, leftOut, withAbout, type Values } from '../fields/declare.ts';
import { countedHere, noMeaningHere, noWallets, ofTheProfile } from '../fields/reasons.ts';
import { convertAddressed } from './parts/addresses.ts';
import { fieldsIn } from './parts/marks.ts';
import { countryOption, personOptions, badHash, unsupportedHash } from './parts/person.ts';
import type { Person, SocialIdentity, FoundPassword } from './parts/person.ts';
import { type Disabled, disabledIf, disabledUntil, factorIf } from './parts/sign-in-state.ts';
import { convertValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';
import { decodeBase64, decodeHex } from '../../hashes/parts/encodings.ts';
import { pbkdf2String, type Pbkdf2Fields } from '../../hashes/fields.ts';
import { builtPassword, hashPassword } from './parts/hash-strings.ts';
import { argon2id, importedBy } from './parts/way-back.ts';
import { orAbsent } from '../fields/parsed.ts';
import { parseInteger } from '../fields/texts.ts';

const ofTheObject = 'It is of the object itself';
const linkedAgain = 'An enterprise connection is set up again here, and issues ids of its own';

const verificationFields = {
  status: carries.text('status'),
  strategy: leftOut('How it was verified does not matter any more', 'strategy'),
  attempts: leftOut(ofTheObject, 'attempts'),
  expireAt: leftOut(ofTheObject, 'expire_at'),
  nonce: leftOut(ofTheObject, 'nonce'),
  error: leftOut(ofTheObject, 'error'),
  externalRedirectUrl: leftOut(ofTheObject, 'external_verification_redirect_url'),
  object: leftOut(ofTheObject, 'object'),
} as const;

const objectFields = {
  object: leftOut(ofTheObject, 'object'),
  reserved: leftOut('A sign-up of the source that is not complete', 'reserved'),
  linkedTo: leftOut('Which identities say the same: the identities themselves are read', 'linked_to'),
  createdAt: leftOut(ofTheObject, 'created_at'),
  updatedAt: leftOut(ofTheObject, 'updated_at'),
} as const;

const emailFields = {
  id: carries.text('id'),
  email: identifies.text('email_address'),
  verification: carries.record(verificationFields, 'verification'),
  matchesSso: leftOut(linkedAgain, 'matches_sso_connection'),
  ...objectFields,
} as const;

const phoneFields = {
  id: carries.text('id'),
  phone: carries.phone('phone_number'),
  verification: carries.record(verificationFields, 'verification'),
  isForSecondFactor: withAbout(
    'A number that is a second factor only does not become a way to sign in',
    guards.flag('reserved_for_second_factor'),
  ),
  isDefaultFactor: leftOut('The number is counted as a second factor', 'default_second_factor'),
  backupCodes: leftOut('The API shows them once, when they are made', 'backup_codes'),
  ...objectFields,
} as const;

const accountFields = {
  provider: carries.text('provider'),
  userId: carries.text('provider_user_id', 'external_id'),
  email: carries.text('email_address'),
  verification: carries.record(verificationFields, 'verification'),
  id: leftOut(ofTheObject, 'id'),
  externalAccountId: leftOut(ofTheObject, 'external_account_id'),
  identificationId: leftOut(ofTheObject, 'identification_id'),
  scopes: leftOut('Consent is asked for again', 'approved_scopes', 'scopes'),
  username: leftOut(ofTheProfile, 'username'),
  firstName: leftOut(ofTheProfile, 'first_name', 'given_name'),
  lastName: leftOut(ofTheProfile, 'last_name', 'family_name'),
  picture: leftOut(ofTheProfile, 'avatar_url', 'image_url', 'picture'),
  phoneNumber: leftOut(ofTheProfile, 'phone_number'),
  metadata: leftOut(ofTheProfile, 'public_metadata'),
  label: leftOut(ofTheProfile, 'label'),
  googleId: leftOut('provider_user_id says the same', 'google_id', 'facebook_id', 'github_id'),
  ...objectFields,
} as const;

const userFields = {
  id: identifies.id('id'),
  email: identifies.text('primary_email_address'),
  emailId: carries.text('primary_email_address_id'),
  verifiedEmails: carries.texts('verified_email_addresses'),
  unverifiedEmails: carries.texts('unverified_email_addresses'),
  emails: identifies.objects(emailFields, 'email_addresses'),
  phone: carries.phone('primary_phone_number'),
  phoneId: carries.text('primary_phone_number_id'),
  verifiedPhones: carries.phones('verified_phone_numbers'),
  unverifiedPhones: carries.phones('unverified_phone_numbers'),
  phones: carries.objects(phoneFields, 'phone_numbers'),
  password: hash.text('password_digest'),
  hasher: hash.text('password_hasher'),
  hasPassword: withAbout(
    'Where it is set and there is no password_digest, the password is counted as lost',
    carries.flag('password_enabled'),
  ),
  totpSecret: guards.text('totp_secret'),
  hasTotp: guards.flag('totp_enabled'),
  hasSecondFactor: guards.flag('two_factor_enabled'),
  hasBackupCodes: guards.flag('backup_code_enabled'),
  accounts: carries.objects(accountFields, 'external_accounts'),
  isBanned: guards.flag('banned'),
  isLocked: guards.flag('locked'),
  lockSeconds: guards.number('lockout_expires_in_seconds'),
  isDeprovisioned: guards.flag('deprovisioned'),
  timeJoined: carries.time('created_at'),
  firstName: carries.text('first_name'),
  lastName: carries.text('last_name'),
  username: carries.text('username'),
  picture: carries.text('image_url', 'profile_image_url'),
  externalId: carries.text('external_id'),
  locale: carries.text('locale'),
  publicMetadata: carries.object('public_metadata'),
  privateMetadata: carries.object('private_metadata'),
  unsafeMetadata: carries.object('unsafe_metadata'),
  object: leftOut(ofTheObject, 'object'),
  raw: leftOut('The same record again, as the SDK got it', '_raw'),
  walletId: leftOut(noWallets, 'primary_web3_wallet_id'),
  wallets: leftOut(noWallets, 'web3_wallets'),
  passkeys: leftOut('A passkey is bound to the domain of Clerk, which has its public key', 'passkeys'),
  samlAccounts: leftOut(linkedAgain, 'saml_accounts'),
  enterpriseAccounts: leftOut(linkedAgain, 'enterprise_accounts'),
  hasImage: leftOut('image_url says so', 'has_image'),
  attemptsRemaining: leftOut('The core counts wrong passwords itself', 'verification_attempts_remaining'),
  passwordChanged: leftOut(noMeaningHere, 'password_last_updated_at'),
  factorEnabledAt: leftOut(noMeaningHere, 'mfa_enabled_at'),
  factorDisabledAt: leftOut(noMeaningHere, 'mfa_disabled_at'),
  lastSignIn: leftOut(countedHere, 'last_sign_in_at'),
  lastActive: leftOut(countedHere, 'last_active_at'),
  legalAccepted: leftOut('Only the app knows which terms were accepted', 'legal_accepted_at'),
  mayDeleteSelf: leftOut('It is a permission in Clerk', 'delete_self_enabled'),
  mayCreate: leftOut('There are no organisations', 'create_organization_enabled'),
  createLimit: leftOut('There are no organisations', 'create_organizations_limit'),
  memberships: leftOut('There are no organisations', 'organization_memberships'),
  clientTrust: leftOut('It is a setting of Clerk', 'bypass_client_trust'),
  updatedAt: withAbout('A lock ends so many seconds later', carries.time('updated_at')),
} as const;

export const clerk: Provider = {
  name: 'clerk',
  title: 'Clerk (CSV of the dashboard)',
  about:
    'The CSV has no join dates, social identities or metadata: they are read where external_accounts, created_at and *_metadata of the Backend API were added as JSON. Users of the Backend API have no password_digest: their passwords are counted as lost. For bcrypt_peppered hashes configure the pepper in the core; the one in the file is left out.',
  wayBack: importedBy('bcrypt, Argon2id and others', argon2id),
  tables: [
    table('users', userFields, {
      places: [
        { format: 'csv' },
        { format: 'json', path: [] },
        { format: 'json', path: ['data'] },
        { format: 'ndjson' },
      ],
    }),
  ],
  options: [...personOptions, countryOption],
  recognises,
  convert: convertValues(userFields, convert),
};

function recognises(sample: Sample): number {
  const has = fieldsIn(sample, userFields);
  if (sample.format !== 'csv') return has('email') || has('emailId') ? 8 : 0;
  if (has('email')) return has('hasher') ? 10 : 7;
  return has('emailId') ? 8 : 0;
}

type User = Values<typeof userFields>;

function convert(user: User, _related: Related, options: ConvertOptions): Conversion {
  const { totpSecret, emails = [], verifiedEmails = [], unverifiedEmails = [] } = user;
  const verified = [...verifiedEmails, ...emails.filter(isVerified).flatMap(({ email = [] }) => email)];
  const all = [...verified, ...unverifiedEmails, ...emails.flatMap(({ email = [] }) => email)];
  const email = user.email ?? primaryAddress(user) ?? all[0];
  const phones = verifiedPhonesOf(user);
  const person: Person = {
    id: user.id,
    email,
    isEmailVerified: isAmong(email, verified),
    phone: [user.phone, primaryPhone(user)].find((each) => isAmong(each, phones)) ?? phones[0],
    hasUnverifiedPhone: hasAnyPhone(user),
    password: passwordOf(user),
    social: (user.accounts ?? []).flatMap(socialOf),
    timeJoined: user.timeJoined,
    metadata: {
      firstName: user.firstName,
      lastName: user.lastName,
      username: user.username,
      picture: user.picture,
      external_id: user.externalId,
      locale: user.locale,
      otherEmails: [...new Set(all)].filter((each) => each !== email),
      public_metadata: user.publicMetadata,
      private_metadata: user.privateMetadata,
      unsafe_metadata: user.unsafeMetadata,
    },
    ...(totpSecret !== undefined && { totpDevices: [{ secretKey: totpSecret }] }),
    secondFactors: totpSecret === undefined ? factorsOf(user) : [],
    isDisabled: disabledIf(user.isBanned, lockOf(user), user.isDeprovisioned),
  };
  return convertAddressed(person, 'primary_email_address', options);
}

/**
 * A lock after wrong guesses expires, in seconds from when the user was read: its `updated_at` at the earliest, since a lock
 * changes the user; without that, from now. Without seconds it has no end.
 */
function lockOf({ isLocked, lockSeconds, updatedAt = Date.now() }: User): Disabled {
  if (isLocked !== true || lockSeconds === undefined) return isLocked;
  return disabledUntil(updatedAt + lockSeconds * 1000);
}

/** Users of its API show that they have one, without its secret. */
function factorsOf({ hasTotp, hasSecondFactor, hasBackupCodes, phones = [] }: User): readonly SecondFactor[] {
  if (hasTotp === true) return ['totp'];
  if (hasSecondFactor === true && phones.some((each) => each.isForSecondFactor === true)) return ['sms'];
  return factorIf(hasSecondFactor === true || hasBackupCodes === true, 'other');
}

function isVerified({
  verification,
}: {
  readonly verification: Values<typeof verificationFields> | undefined;
}): boolean {
  return verification?.status === 'verified';
}

function isAmong(value: string | undefined, list: readonly string[]): boolean {
  return value !== undefined && list.some((each) => each.toLowerCase() === value.toLowerCase());
}

/** The API refers to one of `email_addresses` by its id. */
function primaryAddress({ emails = [], emailId }: User): string | undefined {
  return (emails.find(({ id }) => id !== undefined && id === emailId) ?? emails[0])?.email;
}

function primaryPhone({ phones = [], phoneId }: User): string | undefined {
  return phones.find(({ id }) => id !== undefined && id === phoneId)?.phone;
}

/** Numbers by which the user may sign in. */
function verifiedPhonesOf({ verifiedPhones = [], phones = [] }: User): readonly string[] {
  const listed = phones.filter((each) => isVerified(each) && each.isForSecondFactor !== true);
  return [...verifiedPhones, ...listed.flatMap(({ phone = [] }) => phone)];
}

function hasAnyPhone({ phone, unverifiedPhones = [], phones = [] }: User): boolean {
  return phone !== undefined || unverifiedPhones.length > 0 || phones.length > 0;
}

function socialOf({
  provider,
  userId,
  email,
  verification,
}: Values<typeof accountFields>): readonly SocialIdentity[] {
  if (provider === undefined || userId === undefined) return [];
  return [{ provider, userId, email, isVerified: isVerified({ verification }) }];
}

// `password_digest` in the syntax that Clerk's `password_hasher` names.

const field = 'password_digest';

type Read = (digest: string) => FoundPassword | undefined;

const asItIs: Read = (digest) => hashPassword(field, digest);

/** Kinds that are missing here: salted MD5 and SHA-256, whose order is not documented; Symfony's; HMAC without its key; Cognito's. */
const readers: Readonly<Partial<Record<string, Read>>> = {
  bcrypt: asItIs,
  bcrypt_sha256_django: asItIs,
  bcrypt_peppered: (digest) => hashPassword(field, digest.slice(0, 60), 'bcrypt_peppered'),
  md5: (digest) => hashPassword(field, digest, 'md5'),
  sha256: (digest) => hashPassword(field, digest, 'sha256'),
  phpass: asItIs,
  md5_phpass: asItIs,
  pbkdf2_sha1: pbkdf2('sha1', literal, decodeHex),
  pbkdf2_sha256: pbkdf2('sha256', base64, base64),
  pbkdf2_sha256_django: pbkdf2('sha256', literal, base64),
  pbkdf2_sha512: pbkdf2('sha512', literal, decodeHex),
  pbkdf2_sha512_hex: pbkdf2('sha512', decodeHex, decodeHex),
  argon2i: asItIs,
  argon2id: asItIs,
  scrypt_firebase: (digest) => hashPassword(field, digest, 'provider_scrypt'),
  scrypt_werkzeug: asItIs,
  ldap_ssha: asItIs,
};

const atClerk: FoundPassword = {
  reject: {
    code: 'MISSING_FIELD',
    field,
    message:
      'password_enabled is set and there is no password_digest: the Backend API gives none, take the CSV of the dashboard',
  },
  isElsewhere: true,
};

/** The password of a user; undefined for a user without one. */
function passwordOf({ password: digest, hasher, hasPassword }: User): FoundPassword | undefined {
  if (digest === undefined) return hasPassword === true ? atClerk : undefined;
  if (hasher === undefined) return asItIs(digest);
  const read = Object.hasOwn(readers, hasher) ? readers[hasher] : undefined;
  return read === undefined ? unsupportedHash('password_hasher', hasher) : read(digest);
}

type Decode = (text: string) => Buffer | undefined;

function literal(text: string): Buffer {
  return Buffer.from(text);
}

function base64(text: string): Buffer | undefined {
  return decodeBase64(text, 'any');
}

/** `name$iterations$salt$hash`, with the length of the key after it in some. */
function pbkdf2(digest: Pbkdf2Fields['digest'], saltOf: Decode, keyOf: Decode): Read {
  return (text) => {
    const [, count, saltText = '', keyText = '', length] = text.split('$');
    const [iterations, salt, key] = [orAbsent(parseInteger(count)), saltOf(saltText), keyOf(keyText)];
    if (iterations === undefined || salt === undefined || key === undefined || key.length === 0)
      return badHash(field, 'it is not name$iterations$salt$hash as its hasher has it');
    if (length !== undefined && orAbsent(parseInteger(length)) !== key.length)
      return badHash(field, 'its hash is not as long as it says');
    return builtPassword(field, pbkdf2String({ digest, iterations, salt, key }), 'Clerk');
  };
}
