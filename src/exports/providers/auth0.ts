/** Auth0: the user export job with the support's hash file and file of factors, or the bulk import schema. */

import type { SecondFactor } from '../../imports/model.ts';
import type { NativeBackupCode, NativeTotpDevice } from '../../imports/record/native-record.ts';
import { valueOf, type Values } from '../fields/declare.ts';
import { convertAddressed } from './parts/addresses.ts';
import { plainCodes } from './parts/backup-codes.ts';
import {
  factorFields,
  factorTypes,
  hashFields,
  identityFields,
  type importedFactorFields,
  userFields,
} from './auth0-fields.ts';
import { auth0Hash } from './auth0-hashes.ts';
import { fieldsIn, hasField } from './parts/marks.ts';
import { factorIf, factorNamed } from './parts/sign-in-state.ts';
import { countryOption, personOptions, type Person, type SocialIdentity } from './parts/person.ts';
import { convertValues, relatedValues } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from './provider.ts';
import { importedBy, plainBcrypt } from './parts/way-back.ts';

const files = [{ format: 'ndjson' }, { format: 'json', path: [] }, { format: 'csv' }] as const;

export const auth0: Provider = {
  name: 'auth0',
  title: 'Auth0 (user export, with the hash file; or the bulk import schema)',
  about:
    'The user export has no hashes: ask the support for the hash file and give it with --auth0-hashes. Without it users of a database connection are imported by email (--without-password). It has no second factors either: the file of them that the support sends goes with --auth0-factors. External ids are whole, such as auth0|65a1….',
  wayBack: importedBy('bcrypt, and others as custom_password_hash', plainBcrypt),
  tables: [
    {
      name: 'users',
      places: files,
      fields: userFields,
      columnsOf: withoutApostrophes,
      idOf: (row) => passwordId(withoutApostrophes(row)),
      otherIdOf: (row) => withStrategy(valueOf(withoutApostrophes(row), userFields.id)),
    },
    {
      name: 'hashes',
      places: files,
      fields: hashFields,
      idOf: hashOwner,
      isIn: isOfHashes,
      flag: 'auth0-hashes',
      hashes: "the file that Auth0's support sends",
    },
    {
      name: 'factors',
      places: files,
      fields: factorFields,
      idOf: (row) => withStrategy(valueOf(row, factorFields.userId)),
      // Factors belong to the whole user, hashes to the identity in the database: it may be the second of a linked user.
      namesOtherId: true,
      isIn: isOfFactors,
      flag: 'auth0-factors',
    },
  ],
  options: [...personOptions, countryOption],
  recognises,
  convert: convertValues(userFields, convert),
};

/** CSV cells begin with the apostrophe that prevents formulas in a spreadsheet. */
function withoutApostrophes(row: SourceRow): SourceRow {
  const cells = Object.values(row);
  if (!cells.every((value) => typeof value === 'string')) return row;
  if (!cells.some((value) => value.startsWith("'"))) return row;
  return Object.fromEntries(Object.keys(row).map((name, at) => [name, cells[at]?.replace(/^'/, '')]));
}

/** In the bulk import schema ids lack the connection's strategy. */
function withStrategy(id: string | undefined): string | undefined {
  return id === undefined || id.includes('|') ? id : `auth0|${id}`;
}

/** The hash file's id of the user: the identity of the database, which may be linked to another one as its second. */
function passwordId(row: SourceRow): string | undefined {
  const identities = valueOf(row, userFields.identities) as readonly SourceRow[] | undefined;
  const own = identities?.find((each) => valueOf(each, identityFields.provider) === 'auth0');
  const id = own && valueOf(own, identityFields.userId);
  return withStrategy(id ?? valueOf(row, userFields.id));
}

/** Users who were imported into Auth0 with their own ids have them as alt_id, and _id is the row's. */
function hashOwner(row: SourceRow): string | undefined {
  const { ownId, rowId, userId } = hashFields;
  return withStrategy(valueOf(row, ownId) ?? valueOf(row, rowId) ?? valueOf(row, userId));
}

function recognises(sample: Sample): number {
  const has = fieldsIn(sample, userFields);
  if (has('customHash')) return 10;
  if (isOfFactors(sample) || isOfHashes(sample)) return 0;
  const id = valueOf(withoutApostrophes(sample.first), userFields.id) ?? '';
  const isId = /^(auth0|[a-z0-9_-]{2,32}(-oauth2)?)\|/.test(id);
  if (isId) return hasField(sample, userFields.id) ? 10 : 0;
  // Custom tables have ids, emails and hashes, too: these names of metadata are Auth0's.
  return has('id', 'email') && (has('appMetadata') || has('userMetadata')) ? 4 : 0;
}

/** The support's file: a user's id, and the kind of the factor. */
function isOfFactors(sample: Sample): boolean {
  const { type, secret, recoveryCode, userId } = factorFields;
  const isFactor = [type, secret, recoveryCode].some((field) => hasField(sample, field));
  const has = fieldsIn(sample, userFields);
  const isOfUsers = has('identities') || has('isEmailVerified');
  return isFactor && !isOfUsers && (valueOf(sample.first, userId) ?? '').includes('|');
}

function isOfHashes(sample: Sample): boolean {
  const has = fieldsIn(sample, hashFields);
  return '_id' in sample.first && has('passwordHash', 'tenant', 'connection') && !has('userId');
}

type User = Values<typeof userFields>;
type Identity = Values<typeof identityFields>;

function convert(user: User, related: Related, options: ConvertOptions): Conversion {
  const id = withStrategy(user.id);
  const identities = identitiesOf(user, id);
  const [hashes] = relatedValues(hashFields, related.hashes);
  const enrolments = relatedValues(factorFields, related.factors).filter(isConfirmed);
  const { factors = [], enrolled = [], phone } = user;
  const isProved = user.isPhoneVerified === true || isBySms(identities);
  const person: Person = {
    id,
    email: user.email,
    isEmailVerified: user.isEmailVerified === true,
    phone: isProved ? phone : undefined,
    hasUnverifiedPhone: phone !== undefined,
    password: auth0Hash(user) ?? (hashes && auth0Hash(hashes)),
    social: identities.flatMap(socialOf),
    timeJoined: user.timeJoined,
    metadata: {
      name: user.name,
      given_name: user.givenName,
      family_name: user.familyName,
      nickname: user.nickname,
      username: user.username,
      picture: user.picture,
      user_metadata: user.userMetadata,
      app_metadata: user.appMetadata,
    },
    totpDevices: [...factors.flatMap(totpOf), ...enrolments.flatMap(deviceOf)],
    backupCodes: enrolments.flatMap(codesOf),
    secondFactors: [
      ...factors.flatMap(factorsOf),
      ...enrolled.map((name) => factorNamed(factorTypes, name)),
      ...enrolments.flatMap(enrolledOf),
    ],
    isDisabled: user.isBlocked,
  };
  return convertAddressed(person, 'email', options);
}

/** CSV has them only on request: the id contains the first. */
function identitiesOf({ identities = [] }: User, id: string | undefined): readonly Partial<Identity>[] {
  if (identities.length > 0) return identities;
  const [, provider, userId] = /^([^|]+)\|(.+)$/.exec(id ?? '') ?? [];
  return provider === undefined ? [] : [{ provider, userId }];
}

function isBySms(identities: readonly Partial<Identity>[]): boolean {
  return identities.some(({ provider }) => provider === 'sms');
}

/** Database connections and passwordless ones are login methods here, not identities elsewhere. */
const ownProviders: ReadonlySet<string> = new Set(['auth0', 'email', 'sms']);
/** Strategies with possibly many connections: the connection's name distinguishes them. */
const strategies: ReadonlySet<string> = new Set([
  'oidc',
  'samlp',
  'oauth2',
  'adfs',
  'ad',
  'okta',
  'pingfederate',
]);

function socialOf({
  provider,
  userId: id,
  connection,
  profile,
}: Partial<Identity>): readonly SocialIdentity[] {
  if (provider === undefined || id === undefined || ownProviders.has(provider)) return [];
  const isNamed = strategies.has(provider);
  const named = isNamed ? (connection ?? connectionIn(id) ?? provider) : provider;
  const userId = isNamed ? withoutConnection(id, named) : id;
  return [{ provider: named, userId, email: profile?.email, isVerified: profile?.isEmailVerified }];
}

/** In CSV the connection is only in the id: `oauth2|line|U5a1f…`. */
function connectionIn(id: string): string | undefined {
  const [connection, rest] = id.split('|', 2);
  return rest === undefined ? undefined : connection;
}

/** The id as the provider issues it and a sign-in there returns it: Auth0 adds the connection before it. */
function withoutConnection(id: string, connection: string): string {
  return id.startsWith(`${connection}|`) ? id.slice(connection.length + 1) : id;
}

type ImportedFactor = Values<typeof importedFactorFields>;

/** The factors that its import accepts in addition to TOTP. */
function factorsOf({ phone, email, totp }: ImportedFactor): readonly SecondFactor[] {
  return [
    ...factorIf(phone !== undefined, 'sms'),
    ...factorIf(email !== undefined, 'email'),
    ...factorIf(totp !== undefined && totp.secret === undefined, 'totp'),
  ];
}

function totpOf({ totp }: ImportedFactor): readonly NativeTotpDevice[] {
  return totp?.secret === undefined ? [] : [{ secretKey: totp.secret }];
}

type Enrolment = Values<typeof factorFields>;

function isConfirmed({ isActive, status }: Enrolment): boolean {
  return isActive !== false && status !== false;
}

function deviceOf({ type, secret }: Enrolment): readonly NativeTotpDevice[] {
  return secret === undefined || (type !== undefined && type !== 'totp') ? [] : [{ secretKey: secret }];
}

/** Hashed by bcrypt, or in clear text. */
function codesOf({ recoveryCode }: Enrolment): readonly NativeBackupCode[] {
  return recoveryCode?.startsWith('$2') === true ? [{ hash: recoveryCode }] : plainCodes([recoveryCode]);
}

/** A recovery code alone is not a factor: it replaces another one. */
function enrolledOf({ type, secret }: Enrolment): readonly SecondFactor[] {
  if (type === 'backup' || (type === 'totp' && secret !== undefined)) return [];
  return type === undefined ? factorIf(secret === undefined, 'other') : [type];
}
