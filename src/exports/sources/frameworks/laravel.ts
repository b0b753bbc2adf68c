import type { Source } from '../source.ts';
import { nameColumns, standingColumns } from '../columns.ts';

/** Whose ids apps keep in a column such as `google_id`. */
const providers = [
  ...['google', 'facebook', 'github', 'twitter', 'apple', 'microsoft', 'linkedin', 'gitlab', 'bitbucket'],
  ...['discord', 'slack'],
];
const identityColumns = [
  ...['provider', 'provider_name', 'provider_id', 'provider_user_id', 'provider_uid', 'social_id'],
];

export const laravelSource: Source = {
  provider: 'laravel',
  engines: ['postgres', 'mysql'],
  versions: 'the table users of Laravel 5.7 or newer',
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'id',
      columns: ['email', 'password'],
      maybe: [
        ...['email_verified_at', 'created_at', 'two_factor_secret', 'two_factor_recovery_codes'],
        ...['provider', 'provider_name', 'provider_id', ...providers.map((name) => `${name}_id`)],
        ...nameColumns,
        ...standingColumns,
      ],
    },
    {
      name: 'accounts',
      tables: ['connected_accounts', 'social_accounts', 'linked_social_accounts', 'social_identities'],
      id: 'user_id',
      columns: [],
      maybe: [...identityColumns, 'email', 'provider_email', 'created_at'],
      isOptional: true,
    },
  ],
};
