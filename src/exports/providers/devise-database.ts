import type { ProviderDatabase } from './database.ts';

export const deviseDatabase: ProviderDatabase = {
  engines: ['postgres', 'mysql'],
  versions: 'the table users of Devise 2 or newer',
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'id',
      columns: ['email', 'encrypted_password'],
    },
    {
      name: 'identities',
      tables: ['identities', 'user_identities', 'authentications', 'authorizations'],
      id: 'user_id',
      columns: ['provider', 'uid'],
      isOptional: true,
    },
  ],
};
