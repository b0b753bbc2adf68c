/** Logto: its table users, or users of its Management API. */

import { logtoDatabase } from './logto-database.ts';
import type { SecondFactor } from '../../imports/model.ts';
import type { NativeBackupCode, NativeTotpDevice } from '../../imports/record/native-record.ts';
import {
  carries,
  guards,
  hash,
  identifies,
  leftOut,
  valueOf,
  type Values,
  withAbout,
} from '../fields/declare.ts';
import { countedHere, noMeaningHere, ofTheRow } from '../fields/reasons.ts';
import { unparsable } from '../fields/parsed.ts';
import { parseInteger, parseObject } from '../fields/texts.ts';
import type { SourceRow } from '../fields/source-row.ts';
import { plainCodes } from './parts/backup-codes.ts';
import { convertAddressed, firstAddress } from './parts/addresses.ts';
import { recognisedBy } from './parts/marks.ts';
import { personOptions, badHash, unsupportedHash } from './parts/person.ts';
import type { SocialIdentity, FoundPassword } from './parts/person.ts';
import { factorNamed } from './parts/sign-in-state.ts';
import { phoneOfDigits } from './parts/phones.ts';
import { convertValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related } from './provider.ts';
import { decodeHex } from '../../hashes/parts/encodings.ts';
import { pbkdf2String } from '../../hashes/fields.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { argon2id } from './parts/way-back.ts';

const ofPasskey = 'Passkeys belong to the domain of Logto and do not move';
const identityFields = {
  userId: carries.text('userId'),
  details: carries.object('details'),
} as const;
const detailsEmail = carries.text('email');

/** By the provider's name, each an object with the user's id there. */
function parseIdentities(value: unknown): ReturnType<typeof parseObject> {
  const found = parseObject(value);
  if (found === undefined || found === unparsable) return found;
  const isSound = Object.values(found).every((each) => {
    const identity = parseObject(each);
    return typeof identity === 'object' && valueOf(identity, identityFields.userId) !== undefined;
  });
  return isSound ? found : unparsable;
}

const factorFields = {
  type: guards.text('type'),
  key: guards.text('key'),
  codes: carries.objects({ code: carries.text('code'), isUsed: carries.evidence('usedAt') }, 'codes'),
  id: leftOut(ofTheRow, 'id'),
  createdAt: leftOut(ofTheRow, 'createdAt'),
  lastUsedAt: leftOut(ofTheRow, 'lastUsedAt'),
  credentialId: leftOut(ofPasskey, 'credentialId'),
  publicKey: leftOut(ofPasskey, 'publicKey'),
  counter: leftOut(ofPasskey, 'counter'),
  agent: leftOut(ofPasskey, 'agent'),
  transports: leftOut(ofPasskey, 'transports'),
  rpId: leftOut(ofPasskey, 'rpId'),
  name: leftOut(ofPasskey, 'name'),
} as const;

const userFields = {
  id: identifies.id('id'),
  email: identifies.text('primary_email'),
  phone: phoneOfDigits('primary_phone'),
  password: hash.text('password_encrypted', 'password_digest'),
  method: hash.text('password_encryption_method', 'password_algorithm'),
  hasPassword: withAbout(
    'Where there is no hash it says that one was not exported',
    carries.flag('has_password'),
  ),
  identities: { ...carries.object('identities'), parse: parseIdentities },
  timeJoined: carries.time('created_at'),
  username: carries.text('username'),
  name: carries.text('name'),
  avatar: carries.text('avatar'),
  profile: carries.object('profile'),
  customData: carries.object('custom_data'),
  factors: guards.objects(factorFields, 'mfa_verifications'),
  isSuspended: guards.flag('is_suspended'),
  tenantId: leftOut('--tenant says where users go', 'tenant_id'),
  applicationId: leftOut('Applications are of Logto', 'application_id'),
  logtoConfig: leftOut('It is of the pages of Logto', 'logto_config'),
  ssoIdentities: leftOut('Enterprise SSO has to be set up again', 'sso_identities'),
  mfaFactors: leftOut('It follows from mfa_verifications', 'mfa_verification_factors'),
  passwordExpired: leftOut('Only Logto asks for the age of a password', 'is_password_expired'),
  passwordUpdatedAt: leftOut('Only Logto asks for the age of a password', 'password_updated_at'),
  lastSignInAt: leftOut(countedHere, 'last_sign_in_at'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

type User = Values<typeof userFields>;
type Factor = Values<typeof factorFields>;

const marks = ['phone', 'password', 'lastSignInAt', 'isSuspended', 'customData', 'identities'] as const;

export const logto: Provider = {
  name: 'logto',
  title: 'Logto (users)',
  about:
    'The Management API gives hashes only for one user at a time and with includePasswordHash=true; the table users has them all. Primary emails and phone numbers count as verified. Identities of enterprise SSO are left out.',
  wayBack: { reads: 'Argon2id, bcrypt and others, by password_encryption_method', settings: argon2id },
  tables: [
    table('users', userFields, {
      places: [{ format: 'json', path: [] }, { format: 'ndjson' }, { format: 'csv' }],
      sqlNames: ['users'],
    }),
  ],
  options: personOptions,
  // Others have a primary email, too, but their columns about it and about the right to sign in differ from Logto's.
  database: logtoDatabase,
  recognises: recognisedBy(
    userFields,
    { score: 10, all: ['email', 'method'], any: marks },
    { score: 10, all: ['email', 'identities', 'customData'] },
    { score: 3, all: ['email'], any: marks },
  ),
  convert: convertValues(userFields, convert),
};

function convert(user: User, _related: Related, options: ConvertOptions): Conversion {
  const { id, email, phone, timeJoined, username, name, profile, factors: verifications = [] } = user;
  const person = {
    id,
    email,
    phone,
    timeJoined,
    isEmailVerified: true,
    password: logtoPassword(user),
    social: Object.entries(user.identities ?? {}).flatMap(socialOf),
    metadata: { username, name, picture: user.avatar, profile, custom_data: user.customData },
    totpDevices: verifications.flatMap(totpOf),
    backupCodes: verifications.flatMap(backupOf),
    secondFactors: verifications.flatMap(factorsOf),
    isDisabled: user.isSuspended,
  };
  return convertAddressed(person, 'primary_email', options);
}

function socialOf([provider, value]: readonly [string, unknown]): readonly SocialIdentity[] {
  const identity = parseObject(value) as SourceRow;
  const userId = valueOf(identity, identityFields.userId);
  if (userId === undefined || provider.trim() === '') return [];
  const details = valueOf(identity, identityFields.details) ?? {};
  return [{ provider, userId, email: firstAddress(valueOf(details, detailsEmail)) }];
}

function totpOf({ type, key: secretKey }: Factor): readonly NativeTotpDevice[] {
  return type === 'Totp' && secretKey !== undefined ? [{ secretKey }] : [];
}

function backupOf({ type, codes = [] }: Factor): readonly NativeBackupCode[] {
  if (type !== 'BackupCode') return [];
  return plainCodes(codes.filter(({ isUsed }) => isUsed !== true).map(({ code }) => code));
}

const factors = {
  WebAuthn: 'webauthn',
  PhoneVerificationCode: 'sms',
  EmailVerificationCode: 'email',
  Totp: 'totp',
} as const;

/** Backup codes alone are not a factor. */
function factorsOf(verification: Factor): readonly SecondFactor[] {
  const { type } = verification;
  return type === 'BackupCode' || totpOf(verification).length > 0 ? [] : [factorNamed(factors, type)];
}

// Logto's password_encryption_method and its `Legacy` expressions (packages/core/src/utils/password.ts).

const field = 'password_encrypted';

function logtoPassword({ password: text, method = '', hasPassword }: User): FoundPassword | undefined {
  if (text === undefined) return hasPassword === true ? badHash(field, withoutHash) : undefined;
  const name = method.toLowerCase();
  if (name === 'legacy') return legacy(text);
  if (name === 'sha1' || name === 'sha256' || name === 'md5') return hashPassword(field, text, name);
  return ['', 'bcrypt', 'argon2i', 'argon2id', 'argon2d'].includes(name)
    ? hashPassword(field, text)
    : unsupportedHash(field, method);
}

const withoutHash =
  'the user has a password and the export does not have its hash: export the table users, or ask the Management API with includePasswordHash=true';

interface Legacy {
  readonly algorithm: string;
  /** In order, with `@` for the password. */
  readonly parts: readonly string[];
  readonly expected: string;
}

const notLegacy = 'it must be a JSON array [algorithm, [arguments with "@" for the password], expected hash]';

function legacy(text: string): FoundPassword | undefined {
  const found = readLegacy(text);
  if (found === undefined) return badHash(field, notLegacy);
  // As in OpenSSL, which accepts any case and `sha-256` for `sha256`.
  const name = found.algorithm.toLowerCase().replace(/^sha-(?=\d)/, 'sha');
  if (name === 'pbkdf2') return pbkdf2(found);
  if (name === 'firebase-scrypt') return scryptVariant(found);
  return digests.has(name) ? digest(name, found) : unsupportedHash(field, found.algorithm);
}

function readLegacy(text: string): Legacy | undefined {
  try {
    const [algorithm, parts, expected, ...more] = JSON.parse(text) as readonly unknown[];
    const isSound = typeof algorithm === 'string' && typeof expected === 'string' && more.length === 0;
    if (!isSound || !Array.isArray(parts) || !parts.every((each) => typeof each === 'string'))
      return undefined;
    return parts.includes('@') ? { algorithm, parts, expected } : undefined;
  } catch {
    return undefined;
  }
}

const digests: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha256', 'sha384', 'sha512']);

/** The arguments are joined and digested: equivalent to Kratos's template with a salt before the password. */
function digest(name: string, { parts, expected }: Legacy): FoundPassword | undefined {
  const at = parts.indexOf('@');
  if (parts.includes('@', at + 1)) return unsupportedHash(field, `${name}(password,password)`);
  const [before, after] = [parts.slice(0, at).join(''), parts.slice(at + 1).join('')];
  const bytes = decodeHex(expected);
  if (bytes === undefined) return badHash(field, 'its hash is not in hexadecimal digits');
  const template = base64(`{SALT}{PASSWORD}${after}`);
  return hashPassword(field, `$${name}$pf=${template}$${base64(before)}$${bytes.toString('base64')}`);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function integerOf(text: string): number | undefined {
  const found = parseInteger(text);
  return found === unparsable ? undefined : found;
}

const pbkdf2Digests = ['sha1', 'sha256', 'sha512'] as const;

/** `[salt, iterations, bytes of the key, digest, "@"]`; a salt `hex:…` is bytes. */
function pbkdf2({ parts, expected }: Legacy): FoundPassword | undefined {
  const [salt = '', iterations = '', keyBytes = '', name = ''] = parts;
  const digestName = pbkdf2Digests.find((each) => each === name.toLowerCase());
  if (digestName === undefined) return unsupportedHash(field, `pbkdf2-${name}`);
  const saltBytes = salt.startsWith('hex:') ? decodeHex(salt.slice('hex:'.length)) : Buffer.from(salt);
  const key = decodeHex(expected);
  const count = integerOf(iterations);
  const isSound = saltBytes !== undefined && key !== undefined && count !== undefined;
  if (!isSound || key.length !== integerOf(keyBytes)) return badHash(field, notPbkdf2);
  return hashPassword(field, pbkdf2String({ digest: digestName, iterations: count, salt: saltBytes, key }));
}

const notPbkdf2 =
  'its pbkdf2 arguments must be [salt, iterations, bytes of the hash, digest, "@"], and the hash that long';

/** `[salt, signer key, separator, rounds, memory cost, "@"]`. The key is passed on: the core compares it with its own. */
function scryptVariant({ parts, expected }: Legacy): FoundPassword | undefined {
  const [salt = '', signerKey = '', separator = '', rounds = '', memoryCost = ''] = parts;
  const text = [expected, salt, signerKey, separator, rounds, memoryCost].join('$');
  return hashPassword(field, text, 'provider_scrypt');
}
