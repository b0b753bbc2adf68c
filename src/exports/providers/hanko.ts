/** Hanko: `hanko user export`, files of its import with credentials, or users of its Admin API. */

import type { SecondFactor } from '../../imports/model.ts';
import { carries, guards, hash, identifies, leftOut, withAbout, type Values } from '../fields/declare.ts';
import { noMeaningHere } from '../fields/reasons.ts';
import { unparsable, type Parsed } from '../fields/parsed.ts';
import { parseObject, parseText } from '../fields/texts.ts';
import { convertAddressed } from './parts/addresses.ts';
import { fieldsIn } from './parts/marks.ts';
import { hashPassword } from './parts/hash-strings.ts';
import {
  personOptions,
  unsupportedHash,
  type FoundPassword,
  type Person,
  type SocialIdentity,
} from './parts/person.ts';
import { factorIf } from './parts/sign-in-state.ts';
import { convertValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';
import { importedBy, plainBcrypt } from './parts/way-back.ts';

const ofTheObject = 'It is of the object itself';
const enrolledAgain = 'It is bound to the domain of the app, and enrolled again';

const objectFields = {
  id: leftOut(ofTheObject, 'id'),
  createdAt: leftOut(ofTheObject, 'created_at'),
  updatedAt: leftOut(ofTheObject, 'updated_at'),
} as const;

const emailFields = {
  address: identifies.text('address'),
  isPrimary: carries.flag('is_primary'),
  isVerified: carries.flag('is_verified'),
  identity: leftOut('identities has it', 'identity'),
  ...objectFields,
} as const;

const passwordFields = {
  hash: hash.text('password'),
  id: carries.text('id'),
  tenantId: leftOut('A tenant of Hanko', 'tenant_id'),
  createdAt: leftOut(noMeaningHere, 'created_at'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

const otpFields = {
  secret: guards.text('secret'),
  ...objectFields,
} as const;

const credentialFields = {
  isSecondFactor: guards.flag('mfa_only'),
  id: leftOut(enrolledAgain, 'id'),
  name: leftOut(enrolledAgain, 'name'),
  publicKey: leftOut(enrolledAgain, 'public_key'),
  attestation: leftOut(enrolledAgain, 'attestation_type'),
  aaguid: leftOut(enrolledAgain, 'aaguid'),
  signCount: leftOut(enrolledAgain, 'sign_count'),
  transports: leftOut(enrolledAgain, 'transports'),
  isEligible: leftOut(enrolledAgain, 'backup_eligible'),
  backupState: leftOut(enrolledAgain, 'backup_state'),
  handle: leftOut(enrolledAgain, 'user_handle'),
  lastUsed: leftOut(enrolledAgain, 'last_used_at'),
  createdAt: leftOut(enrolledAgain, 'created_at'),
  updatedAt: leftOut(enrolledAgain, 'updated_at'),
} as const;

const identityFields = {
  userId: carries.text('provider_id'),
  provider: carries.text('provider_name'),
  timeJoined: carries.time('created_at'),
  id: leftOut(ofTheObject, 'id'),
  emailId: leftOut('The email of the user is used', 'email_id'),
  updatedAt: leftOut(ofTheObject, 'updated_at'),
} as const;

const metadataFields = {
  publicMetadata: carries.object('public_metadata'),
  privateMetadata: carries.object('private_metadata'),
  unsafeMetadata: carries.object('unsafe_metadata'),
} as const;

const userFields = {
  id: identifies.id('user_id', 'id'),
  emails: identifies.objects(emailFields, 'emails'),
  username: withAbout('A text, or an object with the text', {
    ...carries.text('username'),
    parse: parseUsername,
  }),
  password: hash.record(passwordFields, 'password'),
  otpSecret: guards.record(otpFields, 'otp_secret'),
  otp: withAbout('The Admin API says that there is one, and shows no secret', guards.object('otp')),
  credentials: guards.objects(credentialFields, 'webauthn_credentials'),
  identities: carries.objects(identityFields, 'identities'),
  timeJoined: carries.time('created_at'),
  name: carries.text('name'),
  givenName: carries.text('given_name'),
  familyName: carries.text('family_name'),
  picture: carries.text('picture'),
  metadata: carries.record(metadataFields, 'metadata'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
  address: leftOut('It is of the last request', 'ip_address', 'user_agent'),
} as const;

export const hanko: Provider = {
  name: 'hanko',
  title: 'Hanko (user export, or users of its Admin API)',
  about:
    'hanko user export has the ids and emails only: users are imported to sign in by email, or as --without-password says. Password hashes and TOTP secrets are read in the form of its import, where a script of yours took them from the database. Passkeys are enrolled again.',
  wayBack: importedBy('bcrypt', plainBcrypt),
  tables: [
    table('users', userFields, {
      places: [{ format: 'json', path: [] }, { format: 'ndjson' }],
    }),
  ],
  options: personOptions,
  recognises,
  convert: convertValues(userFields, convert),
};

function recognises(sample: Sample): number {
  const [email] = Array.isArray(sample.first.emails) ? (sample.first.emails as readonly unknown[]) : [];
  const isEmail = typeof email === 'object' && email !== null && 'address' in email && 'is_primary' in email;
  if (isEmail) return 10;
  return fieldsIn(sample, userFields)('credentials', 'timeJoined') ? 8 : 0;
}

type User = Values<typeof userFields>;

function convert(user: User, _related: Related, options: ConvertOptions): Conversion {
  const { id, emails = [], otpSecret, timeJoined, metadata } = user;
  const primary = emails.find((each) => each.isPrimary === true) ?? emails[0];
  const email = primary?.address;
  const person: Person = {
    id,
    email,
    timeJoined,
    isEmailVerified: primary?.isVerified === true,
    password: passwordOf(user),
    social: (user.identities ?? []).flatMap(socialOf),
    metadata: {
      username: user.username,
      name: user.name,
      given_name: user.givenName,
      family_name: user.familyName,
      picture: user.picture,
      otherEmails: emails.flatMap((each) => each.address ?? []).filter((each) => each !== email),
      public_metadata: metadata?.publicMetadata,
      private_metadata: metadata?.privateMetadata,
      unsafe_metadata: metadata?.unsafeMetadata,
    },
    ...(otpSecret?.secret !== undefined && { totpDevices: [{ secretKey: otpSecret.secret }] }),
    secondFactors: factorsOf(user),
  };
  return convertAddressed(person, 'emails', options);
}

function factorsOf({ otp, otpSecret, credentials = [] }: User): readonly SecondFactor[] {
  const hasOtp = otp !== undefined || (otpSecret !== undefined && otpSecret.secret === undefined);
  return [
    ...factorIf(hasOtp && otpSecret?.secret === undefined, 'totp'),
    ...factorIf(
      credentials.some((each) => each.isSecondFactor === true),
      'webauthn',
    ),
  ];
}

function socialOf({
  provider,
  userId,
  timeJoined,
}: Values<typeof identityFields>): readonly SocialIdentity[] {
  return provider === undefined || userId === undefined ? [] : [{ provider, userId, timeJoined }];
}

const field = 'password';

const atHanko: FoundPassword = {
  reject: {
    code: 'MISSING_FIELD',
    field,
    message:
      'the user has a password at Hanko, whose API shows no hash: take it from the table password_credentials',
  },
  isElsewhere: true,
};

/** bcrypt; or Firebase's scrypt, with the signer key inside, for users who came from there. */
function passwordOf({ password }: User): FoundPassword | undefined {
  if (password?.hash === undefined) return password?.id === undefined ? undefined : atHanko;
  return password.hash.startsWith('$fbscrypt$')
    ? unsupportedHash(field, 'fbscrypt')
    : hashPassword(field, password.hash);
}

/** The Admin API has `{ id, username }`. */
function parseUsername(value: unknown): Parsed<string> {
  const object = parseObject(value);
  return object === undefined || object === unparsable ? parseText(value) : parseText(object.username);
}
