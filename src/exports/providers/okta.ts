/** Okta: users of GET /api/v1/users, or objects of its import with their hashes. */

import { carries, guards, hash, identifies, leftOut, withAbout, type Values } from '../fields/declare.ts';
import { countedHere, noMeaningHere } from '../fields/reasons.ts';
import { integerIn, objectIn, textIn } from '../fields/parts.ts';
import type { SecondFactor } from '../../imports/model.ts';
import { convertAddressed } from './parts/addresses.ts';
import { personOptions, badHash, unsupportedHash, type Person, type FoundPassword } from './parts/person.ts';
import { convertValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from './provider.ts';
import { decodeBase64 } from '../../hashes/parts/encodings.ts';
import { digestString, pbkdf2String } from '../../hashes/fields.ts';
import type { DigestName } from '../../hashes/parts/digested.ts';
import { bcryptString, builtPassword, hashPassword } from './parts/hash-strings.ts';
import { importedBy, plainBcrypt } from './parts/way-back.ts';

const ofTheObject = 'It is of the object itself';

/** The meaning of a status for a sign-in: `may` sign in, must `reset` the password first, or is `out`. */
type Standing = 'may' | 'reset' | 'out';

/**
 * https://developer.okta.com/docs/concepts/user-lifecycle. A lock after wrong passwords expires. STAGED users could never sign
 * in; PROVISIONED ones could, and have not set a password yet.
 */
const statuses: Readonly<Record<string, Standing>> = {
  ACTIVE: 'may',
  RECOVERY: 'reset',
  PASSWORD_EXPIRED: 'reset',
  LOCKED_OUT: 'may',
  PROVISIONED: 'may',
  STAGED: 'out',
  SUSPENDED: 'out',
  DEPROVISIONED: 'out',
};

const profileFields = {
  email: identifies.text('email'),
  login: identifies.text('login'),
  firstName: carries.text('firstName'),
  lastName: carries.text('lastName'),
  mobile: withAbout(
    'Okta does not say whether a number was verified: it is in the metadata',
    carries.text('mobilePhone'),
  ),
  others: carries.others(''),
} as const;

const emailFields = {
  value: carries.text('value'),
  status: carries.text('status'),
  type: leftOut('profile.email is the one that is used', 'type'),
} as const;

const passwordFields = {
  hash: hash.object('hash'),
  plain: hash.untrimmed('value'),
  hook: leftOut('A hook of Okta asks another system', 'hook'),
} as const;

const credentialFields = {
  password: hash.record(passwordFields, 'password'),
  emails: carries.objects(emailFields, 'emails'),
  provider: leftOut('Which system checks the password: Okta gives none of them', 'provider'),
  question: leftOut('There are no security questions', 'recovery_question'),
} as const;

const factorFields = {
  type: guards.word<SecondFactor>(
    {
      'token:software:totp': 'totp',
      'token:hotp': 'hotp',
      'token:hardware': 'other',
      token: 'other',
      sms: 'sms',
      call: 'sms',
      email: 'email',
      push: 'push',
      signed_nonce: 'push',
      webauthn: 'webauthn',
      u2f: 'webauthn',
      web: 'other',
      question: 'other',
      password: 'other',
    },
    'factorType',
  ),
  status: guards.word<boolean>(
    {
      ACTIVE: true,
      ENROLLED: true,
      INACTIVE: false,
      NOT_SETUP: false,
      PENDING_ACTIVATION: false,
      EXPIRED: false,
      DISABLED: false,
    },
    'status',
  ),
  id: leftOut(ofTheObject, 'id'),
  provider: leftOut(ofTheObject, 'provider'),
  vendorName: leftOut(ofTheObject, 'vendorName'),
  profile: leftOut('The factor is counted, and enrolled again', 'profile'),
  created: leftOut(noMeaningHere, 'created'),
  updated: leftOut(noMeaningHere, 'lastUpdated'),
  links: leftOut(ofTheObject, '_links', '_embedded'),
} as const;

const userFields = {
  id: identifies.id('id'),
  standing: withAbout(
    'PASSWORD_EXPIRED and RECOVERY ask for a new password. LOCKED_OUT ends in time. STAGED users were never activated: they are disabled, like SUSPENDED and DEPROVISIONED ones',
    guards.word<Standing>(statuses, 'status'),
  ),
  profile: identifies.record(profileFields, 'profile'),
  credentials: carries.record(credentialFields, 'credentials'),
  timeJoined: carries.time('created'),
  factors: withAbout(
    'A script of yours asked for them: the list of users has none',
    guards.objects(factorFields, 'factors'),
  ),
  transition: leftOut('status is what it is changing from', 'transitioningToStatus'),
  activated: leftOut(noMeaningHere, 'activated'),
  statusChanged: leftOut(noMeaningHere, 'statusChanged'),
  lastLogin: leftOut(countedHere, 'lastLogin'),
  lastUpdated: leftOut(noMeaningHere, 'lastUpdated'),
  passwordChanged: leftOut(noMeaningHere, 'passwordChanged'),
  type: leftOut('It is a type of profile in Okta', 'type'),
  realmId: leftOut('It is a realm of Okta', 'realmId'),
  links: leftOut(ofTheObject, '_links', '_embedded'),
} as const;

export const okta: Provider = {
  name: 'okta',
  title: 'Okta (users of its API)',
  about:
    'Okta gives no password hashes: users are imported to sign in by email, or as --without-password says; credentials.password.hash is read where it was added. Social links are not in the list of users. Suspended and deprovisioned users count as disabled, and so do users who were never activated (STAGED).',
  wayBack: importedBy('bcrypt in parts, with workFactor, salt and value', plainBcrypt),
  tables: [
    table('users', userFields, {
      places: [{ format: 'json', path: [] }, { format: 'json', path: ['users'] }, { format: 'ndjson' }],
    }),
  ],
  options: personOptions,
  recognises,
  convert: convertValues(userFields, convert),
};

function recognises({ first }: Sample): number {
  const profile = objectIn(first.profile);
  if (profile === undefined || !('login' in profile)) return 0;
  return 'status' in first || 'credentials' in first ? 10 : 3;
}

type User = Values<typeof userFields>;

function convert(user: User, _related: Related, options: ConvertOptions): Conversion {
  const { id, profile, credentials, standing, timeJoined, factors = [] } = user;
  const email = profile?.email ?? profile?.login;
  const person: Person = {
    id,
    email,
    timeJoined,
    isEmailVerified: (credentials?.emails ?? []).some((each) => isVerified(each, email)),
    password: oktaHash(credentials?.password),
    metadata: metadataOf(profile),
    secondFactors: factors.flatMap(({ type, status }) =>
      type === undefined || status === false ? [] : [type],
    ),
    isDisabled: standing === undefined ? undefined : standing === 'out',
    requiredActions: standing === 'reset' ? ['UPDATE_PASSWORD'] : [],
  };
  return convertAddressed(person, 'profile.email', options);
}

function metadataOf(profile: User['profile']): Readonly<Record<string, unknown>> {
  if (profile === undefined) return {};
  const { firstName, lastName, login, mobile, others } = profile;
  return {
    firstName,
    lastName,
    login,
    profile: { ...others, ...(mobile !== undefined && { mobilePhone: mobile }) },
  };
}

type Email = Values<typeof emailFields>;

function isVerified({ value, status }: Email, email: string | undefined): boolean {
  return status?.toUpperCase() === 'VERIFIED' && value?.toLowerCase() === email?.toLowerCase();
}

// `credentials.password.hash` of Okta's import, which others imitate.

const field = 'credentials.password.hash';

const digests: Readonly<Partial<Record<string, DigestName>>> = {
  'SHA-512': 'sha512',
  'SHA-256': 'sha256',
  'SHA-1': 'sha1',
  MD5: 'md5',
};

/** The password of a user; undefined if the API, as always, has left it out. */
function oktaHash(password: Values<typeof passwordFields> | undefined): FoundPassword | undefined {
  const { hash, plain } = password ?? {};
  if (hash === undefined) return plain === undefined ? undefined : { plainText: plain };
  const algorithm = textIn(hash.algorithm) ?? '';
  if (algorithm === 'BCRYPT') return bcryptOf(hash);
  if (algorithm === 'PBKDF2') return pbkdf2Of(hash);
  const digest = Object.hasOwn(digests, algorithm) ? digests[algorithm] : undefined;
  return digest === undefined ? unsupportedHash(`${field}.algorithm`, algorithm) : digestOf(hash, digest);
}

function bcryptOf({ workFactor, salt, value }: SourceRow): FoundPassword | undefined {
  return hashPassword(field, bcryptString(integerIn(workFactor), textIn(salt), textIn(value)));
}

const damaged = badHash(field, 'its value or salt is missing or not base64');

function digestOf(hash: SourceRow, digest: DigestName): FoundPassword | undefined {
  const [value, salt] = [bytesOf(hash.value), bytesOf(hash.salt ?? '')];
  const order = textIn(hash.saltOrder);
  if (value === undefined || salt === undefined) return damaged;
  const position = order === 'POSTFIX' || order === 'SUFFIX' ? 'suffix' : 'prefix';
  return builtPassword(
    field,
    digestString({ digest, hash: value, ...(salt.length > 0 && { salt, position }) }),
    'Okta',
  );
}

function pbkdf2Of(hash: SourceRow): FoundPassword | undefined {
  const [key, salt, iterations] = [bytesOf(hash.value), bytesOf(hash.salt), integerIn(hash.iterationCount)];
  const name = /^(SHA256|SHA512)_HMAC$/.exec(textIn(hash.digestAlgorithm) ?? '')?.[1];
  if (name === undefined)
    return unsupportedHash(`${field}.digestAlgorithm`, textIn(hash.digestAlgorithm) ?? '');
  if (key === undefined || salt === undefined || iterations === undefined) return damaged;
  if (integerIn(hash.keySize) !== undefined && integerIn(hash.keySize) !== key.length)
    return badHash(field, 'its value is not as long as its keySize');
  const digest = name === 'SHA256' ? 'sha256' : 'sha512';
  return builtPassword(field, pbkdf2String({ digest, iterations, salt, key }), 'Okta');
}

function bytesOf(value: unknown): Buffer | undefined {
  return typeof value === 'string' ? decodeBase64(value.trim(), 'any') : undefined;
}
