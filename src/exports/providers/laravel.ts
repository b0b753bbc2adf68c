/** Laravel's users table. Social identities are columns that apps add, or the table of accounts of Socialstream and others. */

import { laravelDatabase } from './laravel-database.ts';
import { carries, guards, hash, identifies, leftOut, type Values } from '../fields/declare.ts';
import { noMeaningHere } from '../fields/reasons.ts';
import { deletionFields, deletionOf, isRestricted, restrictionFields } from '../fields/restrictions.ts';
import { convertAddressed } from './parts/addresses.ts';
import { recognisedBy } from './parts/marks.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { deletedOption, personOptions, type FoundPassword, type SocialIdentity } from './parts/person.ts';
import { laravelFactors } from './laravel-factors.ts';
import { convertValues, relatedValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related } from './provider.ts';
import { phpBcrypt } from './parts/way-back.ts';

/** Columns of the migration in a new app. */
const orders = [
  ['id', 'name', 'email', 'email_verified_at', 'password', 'remember_token', 'created_at', 'updated_at'],
];

/** Common names of columns for a user's id at a provider. */
const socialFields = {
  google: carries.text('google_id'),
  facebook: carries.text('facebook_id'),
  github: carries.text('github_id'),
  twitter: carries.text('twitter_id'),
  apple: carries.text('apple_id'),
  microsoft: carries.text('microsoft_id'),
  linkedin: carries.text('linkedin_id'),
  gitlab: carries.text('gitlab_id'),
  bitbucket: carries.text('bitbucket_id'),
  discord: carries.text('discord_id'),
  slack: carries.text('slack_id'),
} as const;

/** A row that is one identity. */
const identityFields = {
  provider: carries.text('provider'),
  providerName: carries.text('provider_name'),
  providerId: carries.text('provider_id'),
} as const;

const userFields = {
  id: identifies.id('id'),
  email: identifies.text('email'),
  isEmailVerified: carries.evidence('email_verified_at'),
  password: hash.text('password'),
  timeJoined: carries.time('created_at'),
  name: carries.text('name'),
  username: carries.text('username'),
  firstName: carries.text('first_name'),
  lastName: carries.text('last_name'),
  twoFactorSecret: guards.text('two_factor_secret'),
  twoFactorRecoveryCodes: guards.text('two_factor_recovery_codes'),
  ...socialFields,
  ...identityFields,
  ...restrictionFields,
  ...deletionFields,
  rememberToken: leftOut('Sessions are carried over by carryover sessions import', 'remember_token'),
  twoFactorConfirmed: leftOut('A secret counts whether it was confirmed or not', 'two_factor_confirmed_at'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

const accountFields = {
  userId: identifies.id('user_id'),
  ...identityFields,
  providerUserId: carries.text('provider_user_id'),
  providerUid: carries.text('provider_uid'),
  socialId: carries.text('social_id'),
  email: carries.text('email'),
  providerEmail: carries.text('provider_email'),
  data: carries.object('data'),
  timeJoined: carries.time('created_at'),
} as const;

export const laravel: Provider = {
  name: 'laravel',
  title: 'Laravel (users table)',
  about:
    'Times without a zone are read as UTC. Social identities are read from columns such as google_id, from provider and provider_id, or from a table of accounts in a file of its own; two-factor secrets and recovery codes of Fortify are read with --laravel-app-key, and counted only without it.',
  wayBack: {
    reads:
      'bcrypt $2y$ alone from Laravel 11 on: others end a sign-in with an exception unless hashing.bcrypt.verify is off',
    settings: phpBcrypt,
  },
  tables: [
    table('users', userFields, {
      orders,
      sqlNames: ['users'],
    }),
    table('accounts', accountFields, {
      sqlNames: [
        'social_accounts',
        'connected_accounts',
        'linked_social_accounts',
        'user_social_accounts',
        'social_identities',
        'social_logins',
        'socialite_users',
      ],
      flag: 'laravel-accounts',
    }),
  ],
  options: [
    {
      name: 'laravel-app-key',
      about: 'APP_KEY of .env (older ones behind commas): opens two-factor secrets and recovery codes',
      isSecret: true,
    },
    ...personOptions,
    deletedOption,
  ],
  database: laravelDatabase,
  recognises: recognisedBy(
    userFields,
    { score: 9, all: ['email', 'password', 'isEmailVerified', 'rememberToken'] },
    { score: 5, all: ['email', 'password'], any: ['isEmailVerified', 'rememberToken'] },
  ),
  convert: convertValues(userFields, convert),
};

function convert(user: Values<typeof userFields>, related: Related, options: ConvertOptions): Conversion {
  const { id, email, isEmailVerified, timeJoined, name, username, firstName, lastName } = user;
  const person = {
    id,
    email,
    isEmailVerified,
    timeJoined,
    password: passwordOf(user.password),
    social: [...ownSocial(user), ...relatedValues(accountFields, related.accounts).flatMap(socialOf)],
    metadata: { name, username, first_name: firstName, last_name: lastName },
    ...laravelFactors(user, options['laravel-app-key']),
    isDisabled: isRestricted(user),
    deleted: deletionOf(user),
  };
  return convertAddressed(person, 'email', options);
}

function passwordOf(text: string | undefined): FoundPassword | undefined {
  return text === undefined ? undefined : hashPassword('password', text);
}

function ownSocial(user: Values<typeof userFields>): readonly SocialIdentity[] {
  const providers = Object.keys(socialFields) as (keyof typeof socialFields)[];
  const named = providers.flatMap((provider) => {
    const userId = user[provider];
    return userId === undefined ? [] : [{ provider, userId }];
  });
  const [provider, userId] = [user.provider ?? user.providerName, user.providerId];
  if (provider === undefined || userId === undefined) return named;
  return named.some((each) => each.userId === userId) ? named : [...named, { provider, userId }];
}

function socialOf(account: Values<typeof accountFields>): readonly SocialIdentity[] {
  const { provider = account.providerName, providerId, providerUserId, providerUid, socialId } = account;
  const userId = providerId ?? providerUserId ?? providerUid ?? socialId;
  if (provider === undefined || userId === undefined) return [];
  const { email = account.providerEmail, data, timeJoined } = account;
  const inData = typeof data?.email === 'string' ? data.email.trim() : undefined;
  return [{ provider, userId, email: email ?? (inData === '' ? undefined : inData), timeJoined }];
}
