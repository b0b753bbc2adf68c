/** Supabase Auth: the tables auth.users and auth.identities. */

import { parseEvidence } from '../../fields/times.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { firstText, flagOf, hasColumns, objectOf, phoneOf, textOf, timeOf } from '../parts/fields.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { personOptions, rejected } from '../parts/person.ts';
import type { FoundPassword, Person, SocialIdentity } from '../parts/person.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { supabaseFactors } from './supabase-factors.ts';
import { plainBcrypt } from '../parts/way-back.ts';

const files = [{ format: 'csv' }, { format: 'json', path: [] }, { format: 'ndjson' }] as const;

export const supabase: Provider = {
  name: 'supabase',
  title: 'Supabase Auth (auth.users, auth.identities)',
  about:
    'Export auth.users with select * and auth.identities likewise; give the latter with --supabase-identities, or social identities are left out. Second factors are in auth.mfa_factors: give it with --supabase-factors, or nobody is asked for one. Users of single sign-on (is_sso_user), deleted and anonymous ones are not imported; banned ones count as disabled.',
  wayBack: { reads: 'bcrypt, and Argon2id in newer versions', settings: plainBcrypt },
  tables: [
    { name: 'users', places: files, sqlNames: ['auth.users'], idOf: (row) => textOf(row.id) },
    {
      name: 'identities',
      places: files,
      sqlNames: ['auth.identities'],
      idOf: (row) => textOf(row.user_id),
      flag: 'supabase-identities',
    },
    {
      name: 'factors',
      places: files,
      sqlNames: ['auth.mfa_factors'],
      idOf: (row) => textOf(row.user_id),
      flag: 'supabase-factors',
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises({ format, columns, first }: Sample): number {
  const names = format === 'csv' ? columns : Object.keys(first);
  if (!hasColumns(names, 'encrypted_password', 'email')) return 0;
  return ['raw_app_meta_data', 'raw_user_meta_data', 'email_confirmed_at'].some((name) =>
    names.includes(name),
  )
    ? 10
    : 0;
}

function convert(user: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const id = textOf(user.id);
  const why = notImportable(user);
  if (why !== undefined) return rejected({ code: 'NOT_IMPORTABLE', ...why, externalUserId: id });
  const isPhoneProved = isConfirmed(user.phone_confirmed_at);
  const person: Person = {
    id,
    email: textOf(user.email),
    isEmailVerified: isConfirmed(user.email_confirmed_at),
    phone: isPhoneProved ? phoneOf(withPlus(textOf(user.phone))) : undefined,
    password: passwordOf(user),
    social: (related.identities ?? []).flatMap(socialOf),
    timeJoined: timeOf(user.created_at),
    metadata: {
      user_metadata: objectOf(user.raw_user_meta_data),
      app_metadata: objectOf(user.raw_app_meta_data),
    },
    ...supabaseFactors(related.factors ?? []),
    isDisabled: 'banned_until' in user ? isBanned(user) : undefined,
  };
  return convertAddressed(person, 'email', options);
}

function notImportable(user: SourceRow): { readonly field: string; readonly message: string } | undefined {
  // What cannot be read as a time or a flag may say that the user is gone.
  if (parseEvidence(user.deleted_at) !== undefined && parseEvidence(user.deleted_at) !== false)
    return { field: 'deleted_at', message: 'the user is deleted' };
  if (flagOf(user.is_anonymous) === true)
    return { field: 'is_anonymous', message: 'the account is anonymous: it has nothing to sign in with' };
  if (flagOf(user.is_sso_user) === true)
    return { field: 'is_sso_user', message: 'the user signs in by single sign-on: set that up anew' };
  return undefined;
}

/** A query may have put a flag in the place of the time. */
function isConfirmed(value: unknown): boolean {
  return parseEvidence(value) === true;
}

/** GoTrue's bans end: one that is over is none. A ban without end has a date far off, or `infinity`. */
function isBanned({ banned_until: until }: SourceRow): boolean {
  const text = textOf(until);
  return text === 'infinity' || (timeOf(text) ?? 0) > Date.now();
}

/** GoTrue keeps E.164 without its plus sign. */
function withPlus(phone: string | undefined): string | undefined {
  return phone === undefined || phone.startsWith('+') ? phone : `+${phone}`;
}

/** Its own spelling of Firebase's scrypt has to be named. */
function passwordOf(user: SourceRow): FoundPassword | undefined {
  const hash = textOf(user.encrypted_password);
  if (hash === undefined) return undefined;
  return hashPassword(
    'encrypted_password',
    hash,
    hash.startsWith('$fbscrypt$') ? 'provider_scrypt' : undefined,
  );
}

/** A password or a phone number has an identity too; old dumps call `provider_id` `id`. */
function socialOf(identity: SourceRow): readonly SocialIdentity[] {
  const data = objectOf(identity.identity_data);
  const provider = textOf(identity.provider);
  const userId = firstText(identity, 'provider_id') ?? textOf(data?.sub) ?? textOf(identity.id);
  if (provider === undefined || userId === undefined || provider === 'email' || provider === 'phone')
    return [];
  const isVerified = flagOf(data?.email_verified);
  return [
    { provider, userId, email: textOf(data?.email), isVerified, timeJoined: timeOf(identity.created_at) },
  ];
}
