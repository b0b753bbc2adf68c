import type { ProviderDatabase } from './database.ts';

export const laravelDatabase: ProviderDatabase = {
  engines: ['postgres', 'mysql'],
  versions: 'the table users of Laravel 5.7 or newer',
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'id',
      columns: ['email', 'password'],
    },
    {
      name: 'accounts',
      tables: ['connected_accounts', 'social_accounts', 'linked_social_accounts', 'social_identities'],
      id: 'user_id',
      columns: [],
      isOptional: true,
    },
  ],
};
