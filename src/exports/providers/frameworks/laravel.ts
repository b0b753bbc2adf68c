/** Laravel's users table. Social identities are columns that apps add, or Socialstream's and others' table of accounts. */

import { convertAddressed } from '../parts/addresses.ts';
import { firstText, objectOf, textOf } from '../parts/fields.ts';
import { hasAll, namesOf } from '../parts/folded-row.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { deletedOption, personOptions, type FoundPassword, type SocialIdentity } from '../parts/person.ts';
import { laravelFactors } from './laravel-factors.ts';
import { disabledByColumns } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { timeOf } from '../parts/times.ts';
import { phpBcrypt } from '../parts/way-back.ts';

const places = [{ format: 'csv' }, { format: 'json', path: [] }, { format: 'ndjson' }] as const;

/** Of the migration that a new app has. */
const orders = [
  ['id', 'name', 'email', 'email_verified_at', 'password', 'remember_token', 'created_at', 'updated_at'],
];

/** What apps call the column for a user's id at a provider: `google_id`, and so on. */
const socialColumns = [
  'google',
  'facebook',
  'github',
  'twitter',
  'apple',
  'microsoft',
  'linkedin',
  'gitlab',
  'bitbucket',
  'discord',
  'slack',
] as const;

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
    { name: 'users', places, orders, sqlNames: ['users'], idOf: (row) => textOf(row.id) },
    {
      name: 'accounts',
      places,
      sqlNames: [
        ...['social_accounts', 'connected_accounts', 'linked_social_accounts', 'user_social_accounts'],
        ...['social_identities', 'social_logins', 'socialite_users'],
      ],
      idOf: (row) => textOf(row.user_id),
      flag: 'laravel-accounts',
    },
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
  recognises,
  convert,
};

function recognises(sample: Sample): number {
  const names = namesOf(sample);
  if (!hasAll(names, 'email', 'password')) return 0;
  const marks = ['emailverifiedat', 'remembertoken'].filter((name) => names.has(name)).length;
  return [0, 5, 9][marks] ?? 0;
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const person = {
    id: textOf(row.id),
    email: textOf(row.email),
    isEmailVerified: timeOf(row.email_verified_at) !== undefined,
    password: passwordOf(row.password),
    social: [...ownSocial(row), ...(related.accounts ?? []).flatMap(socialOf)],
    timeJoined: timeOf(row.created_at),
    metadata: {
      name: textOf(row.name),
      username: textOf(row.username),
      first_name: textOf(row.first_name),
      last_name: textOf(row.last_name),
    },
    ...laravelFactors(row, options['laravel-app-key']),
    isDisabled: disabledByColumns(row),
    deleted: textOf(row.deleted_at) === undefined ? undefined : 'deleted_at is set',
  };
  return convertAddressed(person, 'email', options);
}

function passwordOf(value: unknown): FoundPassword | undefined {
  const hash = textOf(value);
  return hash === undefined ? undefined : hashPassword('password', hash);
}

function ownSocial(row: SourceRow): readonly SocialIdentity[] {
  const named = socialColumns.flatMap((provider) => {
    const userId = textOf(row[`${provider}_id`]);
    return userId === undefined ? [] : [{ provider, userId }];
  });
  const [single] = socialOf({ provider: row.provider ?? row.provider_name, provider_id: row.provider_id });
  const isNamed = single !== undefined && named.some(({ userId }) => userId === single.userId);
  return single === undefined || isNamed ? named : [...named, single];
}

function socialOf(row: SourceRow): readonly SocialIdentity[] {
  const provider = firstText(row, 'provider', 'provider_name');
  const userId = firstText(row, 'provider_id', 'provider_user_id', 'provider_uid', 'social_id');
  if (provider === undefined || userId === undefined) return [];
  const email = firstText(row, 'email', 'provider_email') ?? textOf(objectOf(row.data)?.email);
  return [{ provider, userId, email, timeJoined: timeOf(row.created_at) }];
}
