import { randomBytes } from 'node:crypto';
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
  writes: {
    email: 'email',
    password: 'password',
    verifiedAt: 'email_verified_at',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    deletedAt: 'deleted_at',
    name: 'name',
    // Laravel 11 and newer answer any other hash with an exception: see way-back.ts.
    hashOf: (hash) => (/^\$2[aby]\$/.test(hash) ? `$2y$${hash.slice(4)}` : undefined),
    unusable: () => `$2y$12$${randomBytes(53).toString('base64url').replace(/[-_]/g, '.').slice(0, 53)}`,
  },
};
