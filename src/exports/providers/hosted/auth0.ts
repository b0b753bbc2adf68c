/** Auth0: the user export job with the hash file of the support, or the bulk import schema. */

import type { SecondFactor } from '../../../imports/model.ts';
import type { NativeTotpDevice } from '../../../imports/record/native-record.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { auth0Hash } from './auth0-hashes.ts';
import { flagOf, listOf, objectOf, objectsOf, phoneOf, textOf, timeOf } from '../parts/fields.ts';
import { factorIf, factorNamed } from '../parts/sign-in-state.ts';
import { personOptions, type Person, type SocialIdentity } from '../parts/person.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { importedBy, plainBcrypt } from '../parts/way-back.ts';

const files = [{ format: 'ndjson' }, { format: 'json', path: [] }, { format: 'csv' }] as const;

export const auth0: Provider = {
  name: 'auth0',
  title: 'Auth0 (user export, with the hash file; or the bulk import schema)',
  about:
    'The user export has no hashes: ask the support for the hash file and give it with --auth0-hashes. Without it users of a database connection are imported by email (--without-password). External ids are whole, such as auth0|65a1….',
  wayBack: importedBy('bcrypt, and others as custom_password_hash', plainBcrypt),
  tables: [
    { name: 'users', places: files, idOf: (row) => passwordId(auth0Row(row)) },
    {
      name: 'hashes',
      places: files,
      idOf: hashOwner,
      flag: 'auth0-hashes',
      hashes: "the file that Auth0's support sends",
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

/** Title-case keys of the old dashboard extension; CSV cells behind the apostrophe that stops formulas. */
function auth0Row(row: SourceRow): SourceRow {
  const isCsv = Object.values(row).every((value) => typeof value === 'string');
  const entries = Object.entries(row).map(([name, value]) => {
    const key = name.trim().toLowerCase().replaceAll(' ', '_');
    const text = isCsv && typeof value === 'string' ? value.replace(/^'/, '') : value;
    return [key === 'id' ? 'user_id' : key, text] as const;
  });
  return Object.fromEntries(entries);
}

/** In the bulk import schema ids lack the connection's strategy. */
function userId(user: SourceRow): string | undefined {
  const id = textOf(user.user_id);
  return id === undefined || id.includes('|') ? id : `auth0|${id}`;
}

/** By what the hash file names the user: the identity of the database, which may be linked to another one as its second. */
function passwordId(user: SourceRow): string | undefined {
  const own = objectsOf(user.identities).find(({ provider }) => provider === 'auth0');
  const id = textOf(own?.user_id);
  if (id === undefined) return userId(user);
  return id.includes('|') ? id : `auth0|${id}`;
}

/** Users who came to Auth0 with ids of their own have them as alt_id, and _id is of the row. */
function hashOwner(row: SourceRow): string | undefined {
  const id = textOf(row.alt_id) ?? textOf(objectOf(row._id)?.$oid) ?? textOf(row._id) ?? textOf(row.user_id);
  return id === undefined || id.includes('|') ? id : `auth0|${id}`;
}

function recognises({ format, columns, first }: Sample): number {
  const user = auth0Row(format === 'csv' ? Object.fromEntries(columns.map((name) => [name, ''])) : first);
  if ('custom_password_hash' in user) return 10;
  const id = textOf(first.user_id ?? first.Id) ?? '';
  const isId = /^'?(auth0|[a-z0-9_-]{2,32}(-oauth2)?)\|/.test(id);
  if (isId) return 'user_id' in user ? 10 : 0;
  if (!('user_id' in user) || !('email' in user)) return 0;
  return 'app_metadata' in user || 'password_hash' in user || 'email_verified' in user ? 4 : 0;
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const user = auth0Row(row);
  const identities = identitiesOf(user);
  const [hashes] = related.hashes ?? [];
  const person: Person = {
    id: userId(user),
    email: textOf(user.email),
    isEmailVerified: flagOf(user.email_verified) === true,
    phone:
      flagOf(user.phone_verified) === true || isBySms(identities) ? phoneOf(user.phone_number) : undefined,
    password: auth0Hash(user) ?? (hashes && auth0Hash(hashes)),
    social: identities.flatMap(socialOf),
    timeJoined: timeOf(user.created_at),
    metadata: metadataOfUser(user),
    totpDevices: objectsOf(user.mfa_factors).flatMap(totpOf),
    secondFactors: [...objectsOf(user.mfa_factors).flatMap(factorsOf), ...enrolled(user)],
    isDisabled: flagOf(user.blocked),
  };
  return convertAddressed(person, 'email', options);
}

/** CSV has them only when asked for: the id says the first of them. */
function identitiesOf(user: SourceRow): readonly SourceRow[] {
  const identities = objectsOf(user.identities);
  if (identities.length > 0) return identities;
  const [, provider, rest] = /^([^|]+)\|(.+)$/.exec(userId(user) ?? '') ?? [];
  return provider === undefined ? [] : [{ provider, user_id: rest }];
}

function isBySms(identities: readonly SourceRow[]): boolean {
  return identities.some(({ provider }) => provider === 'sms');
}

/** Database connections and passwordless ones are methods of their own, not identities elsewhere. */
const ownProviders: ReadonlySet<string> = new Set(['auth0', 'email', 'sms']);
/** Strategies of which there may be many connections: the connection's name separates them. */
const strategies: ReadonlySet<string> = new Set([
  'oidc',
  'samlp',
  'oauth2',
  'adfs',
  'ad',
  'okta',
  'pingfederate',
]);

function socialOf(identity: SourceRow): readonly SocialIdentity[] {
  const [provider, id] = [textOf(identity.provider), textOf(identity.user_id)];
  if (provider === undefined || id === undefined || ownProviders.has(provider)) return [];
  const profile = objectOf(identity.profileData);
  const named = strategies.has(provider)
    ? (textOf(identity.connection) ?? connectionIn(id) ?? provider)
    : provider;
  const isVerified = flagOf(profile?.email_verified);
  const userIdThere = strategies.has(provider) ? withoutConnection(id, named) : id;
  return [{ provider: named, userId: userIdThere, email: textOf(profile?.email), isVerified }];
}

/** In CSV the connection stands in the id alone: `oauth2|line|U5a1f…`. */
function connectionIn(id: string): string | undefined {
  const [connection, rest] = id.split('|', 2);
  return rest === undefined ? undefined : connection;
}

/** The id as the provider itself issues it, which is what a sign-in there brings: Auth0 puts the connection in front. */
function withoutConnection(id: string, connection: string): string {
  return id.startsWith(`${connection}|`) ? id.slice(connection.length + 1) : id;
}

/** Auth0's own field names, as its SDKs show them. */
const metadataFields = ['name', 'given_name', 'family_name', 'nickname', 'username', 'picture'] as const;

function metadataOfUser(user: SourceRow): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(metadataFields.map((name) => [name, textOf(user[name])])),
    user_metadata: objectOf(user.user_metadata),
    app_metadata: objectOf(user.app_metadata),
  };
}

/** What its import takes beside TOTP. */
function factorsOf({ phone, email, totp }: SourceRow): readonly SecondFactor[] {
  return [
    ...factorIf(objectOf(phone) !== undefined, 'sms'),
    ...factorIf(objectOf(email) !== undefined, 'email'),
    ...factorIf(totp !== undefined && totpOf({ totp }).length === 0, 'totp'),
  ];
}

const enrolments = { 'google-authenticator': 'totp' } as const;

/** The user export names the providers only, such as guardian. */
function enrolled({ multifactor }: SourceRow): readonly SecondFactor[] {
  return listOf(multifactor).map((name) => factorNamed(enrolments, textOf(name)));
}

function totpOf({ totp }: SourceRow): readonly NativeTotpDevice[] {
  const secretKey = textOf(objectOf(totp)?.secret);
  return secretKey === undefined ? [] : [{ secretKey }];
}
