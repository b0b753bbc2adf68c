import type { ProviderDatabase } from './database.ts';
import { asBcrypt, bcryptSpellings, unusableBcrypt } from './parts/way-back.ts';

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
  writes: {
    email: 'email',
    password: 'password',
    verified: { column: 'email_verified_at', mark: 'time' },
    updatedAt: 'updated_at',
    logins: {
      name: 'accounts',
      provider: ['provider', 'provider_name'],
      userId: ['provider_user_id', 'provider_id', 'provider_uid', 'social_id'],
      email: ['email', 'provider_email'],
      newRow: (now) => ({ created_at: now, updated_at: now }),
    },
    loginColumn: (provider) => `${provider}_id`,
    removal: { column: 'deleted_at', mark: 'time' },
    newRow: ({ email, metadata: { name }, timeJoined }) => ({
      name: typeof name === 'string' ? name : email.split('@')[0],
      created_at: new Date(timeJoined),
    }),
    hashes: {
      // Laravel 11 and newer answer any other hash with an exception: see way-back.ts.
      there: (hash) => asBcrypt(hash, '2y'),
      here: bcryptSpellings,
      ...unusableBcrypt('2y'),
    },
  },
};
