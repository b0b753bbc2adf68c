/** Supabase Auth: the tables auth.users and auth.identities. */

import { supabaseDatabase } from './supabase-database.ts';
import { carries, guards, hash, identifies, leftOut, withAbout } from '../fields/declare.ts';
import { countedHere, noMeaningHere } from '../fields/reasons.ts';
import type { Values } from '../fields/declare.ts';
import { convertAddressed } from './parts/addresses.ts';
import { namesOf, recognisedBy } from './parts/marks.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { personOptions, rejected } from './parts/person.ts';
import type { FoundPassword, Person, SocialIdentity } from './parts/person.ts';
import { disabledUntil } from './parts/sign-in-state.ts';
import { phoneOfDigits } from './parts/phones.ts';
import { convertValues, relatedValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';
import { factorFields, supabaseFactors } from './supabase-factors.ts';
import { plainBcrypt } from './parts/way-back.ts';

const ofFlow = 'It is of a link or a code that was sent, and ends with the move';
const ofProvider = 'The provider states it again at the next sign-in';

export const userFields = {
  id: identifies.id('id'),
  email: identifies.text('email'),
  isEmailVerified: carries.evidence('email_confirmed_at'),
  confirmedAt: withAbout(
    'The earlier of the two confirmations; read where there is no other, in exports of old versions',
    carries.evidence('confirmed_at'),
  ),
  phone: phoneOfDigits('phone'),
  isPhoneProved: carries.evidence('phone_confirmed_at'),
  password: hash.text('encrypted_password'),
  timeJoined: carries.time('created_at'),
  userMetadata: carries.object('raw_user_meta_data'),
  appMetadata: carries.object('raw_app_meta_data'),
  bannedUntil: guards.until('banned_until'),
  deletedAt: withAbout('Such users are not imported', guards.evidence('deleted_at')),
  isAnonymous: withAbout('Such users are not imported', guards.flag('is_anonymous')),
  isSsoUser: withAbout('Such users are not imported', guards.flag('is_sso_user')),
  instanceId: leftOut('Supabase has one instance for each project', 'instance_id'),
  audience: leftOut('It is the audience of tokens, which the core issues', 'aud'),
  role: leftOut('It is a role of the database, for row level security', 'role'),
  isSuperAdmin: leftOut('It is a right in Supabase Auth itself', 'is_super_admin'),
  invitedAt: leftOut('It is when an invitation was sent', 'invited_at'),
  confirmationToken: leftOut(ofFlow, 'confirmation_token'),
  confirmationSentAt: leftOut(ofFlow, 'confirmation_sent_at'),
  recoveryToken: leftOut(ofFlow, 'recovery_token'),
  recoverySentAt: leftOut(ofFlow, 'recovery_sent_at'),
  emailChange: leftOut('A change of the email that was not confirmed', 'email_change'),
  emailChangeToken: leftOut(ofFlow, 'email_change_token_new', 'email_change_token'),
  emailChangeTokenCurrent: leftOut(ofFlow, 'email_change_token_current'),
  emailChangeSentAt: leftOut(ofFlow, 'email_change_sent_at'),
  emailChangeStatus: leftOut(ofFlow, 'email_change_confirm_status'),
  phoneChange: leftOut('A change of the phone number that was not confirmed', 'phone_change'),
  phoneChangeToken: leftOut(ofFlow, 'phone_change_token'),
  phoneChangeSentAt: leftOut(ofFlow, 'phone_change_sent_at'),
  reauthenticationToken: leftOut(ofFlow, 'reauthentication_token'),
  reauthenticationSentAt: leftOut(ofFlow, 'reauthentication_sent_at'),
  lastSignInAt: leftOut(countedHere, 'last_sign_in_at'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

/** Claims of the provider; they depend on the provider. */
const claimFields = {
  sub: carries.text('sub'),
  email: carries.text('email'),
  isVerified: carries.flag('email_verified'),
  isPhoneVerified: leftOut('A phone number is in the users', 'phone_verified'),
  issuer: leftOut(ofProvider, 'iss'),
  providerId: leftOut('It is `sub` again', 'provider_id'),
  name: leftOut(ofProvider, 'name'),
  fullName: leftOut(ofProvider, 'full_name'),
  userName: leftOut(ofProvider, 'user_name'),
  preferredName: leftOut(ofProvider, 'preferred_username'),
  nickname: leftOut(ofProvider, 'nickname'),
  slug: leftOut(ofProvider, 'slug'),
  picture: leftOut(ofProvider, 'picture'),
  avatar: leftOut(ofProvider, 'avatar_url'),
  custom: leftOut(ofProvider, 'custom_claims'),
} as const;

const identityFields = {
  userId: identifies.id('user_id'),
  provider: carries.text('provider'),
  providerId: carries.text('provider_id'),
  id: withAbout('The id at the provider in old versions, of the row in newer ones', carries.text('id')),
  data: carries.record(claimFields, 'identity_data'),
  timeJoined: carries.time('created_at'),
  email: leftOut('It is that of `identity_data`', 'email'),
  lastSignInAt: leftOut(countedHere, 'last_sign_in_at'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

export const supabase: Provider = {
  name: 'supabase',
  title: 'Supabase Auth (auth.users, auth.identities)',
  about:
    'Export auth.users with select * and auth.identities likewise; give the latter with --supabase-identities, or social identities are left out. Second factors are in auth.mfa_factors: give it with --supabase-factors, or no user is asked for one. Users of single sign-on (is_sso_user), deleted and anonymous ones are not imported; banned ones are disabled until the ban ends.',
  wayBack: { reads: 'bcrypt, and Argon2id in newer versions', settings: plainBcrypt },
  tables: [
    table('users', userFields, {
      sqlNames: ['auth.users'],
    }),
    table('identities', identityFields, {
      sqlNames: ['auth.identities'],
      flag: 'supabase-identities',
    }),
    table('factors', factorFields, {
      sqlNames: ['auth.mfa_factors'],
      flag: 'supabase-factors',
    }),
  ],
  options: personOptions,
  adviseUnknown,
  database: supabaseDatabase,
  recognises: recognisedBy(userFields, {
    score: 10,
    all: ['password', 'email'],
    any: ['appMetadata', 'userMetadata', 'isEmailVerified'],
  }),
  convert: convertValues(userFields, convert),
};

/** The pages of its admin API: they look like all users, without a hash. */
function adviseUnknown(sample: Sample): string | undefined {
  const names = namesOf(sample);
  const isOfApi = ['aud', 'appmetadata', 'usermetadata'].every((name) => names.has(name));
  const isUser = sample.format === 'json' && isOfApi;
  return isUser
    ? 'it is what auth.admin.listUsers() of Supabase gives, which has no password hashes and only a page of the users: export the table auth.users, whose column encrypted_password has them (select * from auth.users as CSV or JSON, or pg_dump). To import these users without their passwords give --from supabase'
    : undefined;
}

type User = Values<typeof userFields>;
type Identity = Values<typeof identityFields>;

function convert(user: User, related: Related, options: ConvertOptions): Conversion {
  const { id, email, userMetadata, appMetadata, timeJoined, bannedUntil } = user;
  const why = notImportable(user);
  if (why !== undefined) return rejected({ code: 'NOT_IMPORTABLE', ...why, externalUserId: id });
  const person: Person = {
    id,
    email,
    timeJoined,
    isEmailVerified: isEmailVerified(user),
    phone: user.isPhoneProved === true ? user.phone : undefined,
    password: passwordOf(user.password),
    social: relatedValues(identityFields, related.identities).flatMap(socialOf),
    metadata: { user_metadata: userMetadata, app_metadata: appMetadata },
    ...supabaseFactors(relatedValues(factorFields, related.factors)),
    isDisabled: disabledUntil(bannedUntil),
  };
  return convertAddressed(person, 'email', options);
}

function notImportable({
  deletedAt,
  isAnonymous,
  isSsoUser,
}: User): { readonly field: string; readonly message: string } | undefined {
  if (deletedAt === true) return { field: 'deleted_at', message: 'the user is deleted' };
  if (isAnonymous === true)
    return { field: 'is_anonymous', message: 'the account is anonymous: it has nothing to sign in with' };
  if (isSsoUser === true)
    return { field: 'is_sso_user', message: 'the user signs in by single sign-on: set that up again' };
  return undefined;
}

/** `confirmed_at` is the email's if no column is about a phone. */
function isEmailVerified({ isEmailVerified: stated, isPhoneProved, confirmedAt }: User): boolean {
  if (stated !== undefined) return stated;
  return isPhoneProved === undefined && confirmedAt === true;
}

/** Its own spelling of Firebase's scrypt has to be named. */
function passwordOf(text: string | undefined): FoundPassword | undefined {
  if (text === undefined) return undefined;
  const kind = text.startsWith('$fbscrypt$') ? 'provider_scrypt' : undefined;
  return hashPassword('encrypted_password', text, kind);
}

/** A password or a phone number has an identity too; in old dumps `provider_id` is `id`. */
function socialOf({ provider, providerId, data, id, timeJoined }: Identity): readonly SocialIdentity[] {
  const userId = providerId ?? data?.sub ?? id;
  if (provider === undefined || userId === undefined || provider === 'email' || provider === 'phone')
    return [];
  return [{ provider, userId, email: data?.email, isVerified: data?.isVerified, timeJoined }];
}
