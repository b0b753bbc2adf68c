/** Stytch: users of its search or export utility, joined with the hash file of the support. */

import type { SecondFactor } from '../../imports/model.ts';
import { scryptString } from '../../hashes/fields.ts';
import { decodeBase64 } from '../../hashes/parts/encodings.ts';
import {
  carries,
  guards,
  hash,
  identifies,
  leftOut,
  valueOf,
  withAbout,
  type Values,
} from '../fields/declare.ts';
import { noWallets, ofTheProfile } from '../fields/reasons.ts';
import { integerIn } from '../fields/parts.ts';
import { convertAddressed } from './parts/addresses.ts';
import { fieldsIn } from './parts/marks.ts';
import { builtPassword, hashPassword } from './parts/hash-strings.ts';
import { badHash, countryOption, personOptions, rejected, unsupportedHash } from './parts/person.ts';
import type { FoundPassword, Person, SocialIdentity } from './parts/person.ts';
import { convertValues, ExportFault, relatedValues, table } from './provider.ts';
import { factorIf } from './parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';
import { argon2id, importedBy } from './parts/way-back.ts';

const ofTheObject = 'It is of the object itself';

const emailFields = {
  email: identifies.text('email'),
  isVerified: carries.flag('verified'),
  id: leftOut(ofTheObject, 'email_id'),
} as const;

const phoneFields = {
  phone: carries.phone('phone_number'),
  isVerified: carries.flag('verified'),
  id: leftOut(ofTheObject, 'phone_id'),
} as const;

const providerFields = {
  type: carries.text('provider_type'),
  subject: carries.text('provider_subject'),
  picture: leftOut(ofTheProfile, 'profile_picture_url'),
  locale: leftOut(ofTheProfile, 'locale'),
  id: leftOut(ofTheObject, 'oauth_user_registration_id'),
} as const;

const totpFields = {
  isVerified: guards.flag('verified'),
  id: leftOut(ofTheObject, 'totp_id'),
} as const;

const registrationFields = {
  isVerified: guards.flag('verified'),
  id: leftOut(ofTheObject, 'webauthn_registration_id'),
  domain: leftOut('It is counted, and enrolled again', 'domain'),
  userAgent: leftOut('It is counted, and enrolled again', 'user_agent'),
  type: leftOut('It is counted, and enrolled again', 'authenticator_type'),
  name: leftOut('It is counted, and enrolled again', 'name'),
} as const;

const passwordFields = {
  id: carries.text('password_id'),
  mustReset: guards.flag('requires_reset'),
} as const;

const nameFields = {
  first: carries.text('first_name'),
  middle: carries.text('middle_name'),
  last: carries.text('last_name'),
} as const;

const userFields = {
  id: identifies.id('user_id'),
  emails: identifies.objects(emailFields, 'emails'),
  phones: carries.objects(phoneFields, 'phone_numbers'),
  isGone: withAbout(
    'A user who is pending signs in by what is verified; a deleted one is not imported',
    guards.word<boolean>({ active: false, pending: false, deleted: true }, 'status'),
  ),
  isLocked: guards.flag('is_locked'),
  lockEnds: guards.until('lock_expires_at'),
  providers: carries.objects(providerFields, 'providers'),
  totps: guards.objects(totpFields, 'totps'),
  registrations: guards.objects(registrationFields, 'webauthn_registrations'),
  password: guards.record(passwordFields, 'password'),
  timeJoined: carries.time('created_at'),
  name: carries.record(nameFields, 'name'),
  externalId: carries.text('external_id'),
  trustedMetadata: carries.object('trusted_metadata'),
  untrustedMetadata: carries.object('untrusted_metadata'),
  lockedAt: leftOut('is_locked says so', 'lock_created_at'),
  biometrics: leftOut('A device registers again', 'biometric_registrations'),
  wallets: leftOut(noWallets, 'crypto_wallets'),
  roles: leftOut('--roles-from takes them', 'roles'),
} as const;

const hashFields = {
  id: identifies.id('id'),
  hash: hash.text('hash'),
  salt: hash.salt('salt'),
  method: hash.text('hash_method'),
  projectId: leftOut('It is a project of Stytch', 'project_id'),
} as const;

export const stytch: Provider = {
  name: 'stytch',
  title: 'Stytch (users, with the hash file)',
  about:
    'Hashes come from the support as a CSV file: give it with --stytch-hashes as it is, with the rows before its header, which hold the parameters of scrypt. Without it users are imported by email (--without-password). TOTP secrets and passkeys are not exported.',
  wayBack: importedBy('bcrypt, Argon2id and others', argon2id),
  tables: [
    table('users', userFields, {
      places: [
        { format: 'json', path: ['results'] },
        { format: 'json', path: ['users'] },
        { format: 'json', path: [] },
        { format: 'ndjson' },
        { format: 'csv' },
      ],
    }),
    table('hashes', hashFields, {
      places: [{ format: 'csv', skipTo: 'id' }],
      flag: 'stytch-hashes',
      hashes: "the file that Stytch's support sends",
    }),
  ],
  options: [...personOptions, countryOption],
  recognises,
  prepare,
  convert: convertValues(userFields, convert),
};

function recognises(sample: Sample): number {
  const has = fieldsIn(sample, userFields);
  const isId = valueOf(sample.first, userFields.id)?.startsWith('user-') === true;
  if (isId && has('emails')) return 10;
  return has('id', 'emails', 'phones', 'trustedMetadata') ? 8 : 0;
}

/** Names as in the file, including its misspelling. */
const preamble = {
  cost: 'scryptCostParameter',
  blockSize: 'scryptRParameter',
  parallelism: 'scryptPParameter',
  keyBytes: 'scryptKeyLengthParamenter',
} as const;

/** Parameters as plain numbers. @throws ExportFault for unreadable ones */
function prepare(options: ConvertOptions): ConvertOptions {
  const named = Object.values(preamble).filter((name) => options[name] !== undefined);
  const read = named.map((name) => [name, readParameter(name, options[name] ?? '')] as const);
  return { ...options, ...Object.fromEntries(read) };
}

/** The cost is written as `1 << 15`. */
function readParameter(name: string, text: string): string {
  const [, base, shift] = /^(\d{1,10})(?:\s*<<\s*(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (base === undefined) throw new ExportFault(`the hash file's ${name} is not a number`);
  return String(Number(base) * 2 ** Number(shift ?? 0));
}

type User = Values<typeof userFields>;

function convert(user: User, related: Related, options: ConvertOptions): Conversion {
  const { id, emails = [], phones = [], password, providers = [] } = user;
  if (user.isGone === true)
    return rejected({
      code: 'NOT_IMPORTABLE',
      field: 'status',
      message: 'the user is deleted',
      externalUserId: id,
    });
  const primary = emails.find(isVerified) ?? emails[0];
  const email = primary?.email;
  const [row] = relatedValues(hashFields, related.hashes);
  const person: Person = {
    id,
    email,
    isEmailVerified: primary !== undefined && isVerified(primary),
    phone: phones.find(isVerified)?.phone,
    hasUnverifiedPhone: phones.length > 0,
    password: (row && passwordOf(row, options)) ?? elsewhere(user),
    social: providers.flatMap(socialOf),
    timeJoined: user.timeJoined,
    metadata: metadataOf(user, email),
    secondFactors: factorsOf(user),
    isDisabled: isLocked(user),
    requiredActions: password?.mustReset === true ? ['UPDATE_PASSWORD'] : [],
  };
  return convertAddressed(person, 'emails', options);
}

function metadataOf(user: User, primary: string | undefined): Readonly<Record<string, unknown>> {
  const { name, emails = [], externalId, trustedMetadata, untrustedMetadata } = user;
  return {
    firstName: name?.first,
    middleName: name?.middle,
    lastName: name?.last,
    external_id: externalId,
    otherEmails: emails.flatMap(({ email = [] }) => email).filter((each) => each !== primary),
    trusted_metadata: trustedMetadata,
    untrusted_metadata: untrustedMetadata,
  };
}

function factorsOf({ totps = [], registrations = [] }: User): readonly SecondFactor[] {
  return [
    ...factorIf(totps.some(isConfirmed), 'totp'),
    ...factorIf(registrations.some(isConfirmed), 'webauthn'),
  ];
}

/** A lock without a stated end is permanent. */
function isLocked({ isLocked: isSet, lockEnds = 0 }: User): boolean | undefined {
  return isSet === true ? lockEnds === 0 || lockEnds > Date.now() : isSet;
}

function elsewhere({ password }: User): FoundPassword | undefined {
  return password?.id === undefined ? undefined : atStytch;
}

interface Verifiable {
  readonly isVerified: boolean | undefined;
}

function isVerified(each: Verifiable): boolean {
  return each.isVerified === true;
}

/** An unfinished registration is marked as such. */
function isConfirmed(each: Verifiable): boolean {
  return each.isVerified !== false;
}

function socialOf({
  type: provider,
  subject: userId,
}: Values<typeof providerFields>): readonly SocialIdentity[] {
  return provider === undefined || userId === undefined ? [] : [{ provider, userId }];
}

const atStytch: FoundPassword = {
  reject: {
    code: 'MISSING_FIELD',
    field: 'password',
    message:
      'the user has a password at Stytch, and no hash of it is here: give the file of its support with --stytch-hashes',
  },
  isElsewhere: true,
};

const field = 'hash';
/** Methods whose value is a whole string. */
const strings: ReadonlySet<string> = new Set(['bcrypt', 'argon_2i', 'argon_2id', 'phpass']);

function passwordOf(row: Values<typeof hashFields>, options: ConvertOptions): FoundPassword | undefined {
  const { hash: value, method = '' } = row;
  if (value === undefined) return undefined;
  if (strings.has(method)) return hashPassword(field, value);
  if (method !== 'scrypt') return unsupportedHash('hash_method', method);
  const [iterations, blockSize, parallelism, keyBytes] = Object.values(preamble).map((name) =>
    integerIn(options[name]),
  );
  if (iterations === undefined || blockSize === undefined || parallelism === undefined)
    throw new ExportFault(
      'the hash file lacks the rows with the parameters of scrypt before its header: give it as it came',
    );
  const key = decodeBase64(value.replaceAll('-', '+').replaceAll('_', '/'), 'any');
  if (key === undefined || (keyBytes !== undefined && key.length !== keyBytes))
    return badHash(field, 'it is not base64 or not as long as the file says');
  // A salt that looks like base64 is used as text: its characters are the bytes.
  const salt = Buffer.from(row.salt ?? '');
  return builtPassword(field, scryptString({ iterations, blockSize, parallelism, salt, key }), 'Stytch');
}
