import { createHash } from 'node:crypto';
import type { ProviderDatabase } from './database.ts';
import { bcryptSpellings } from './parts/way-back.ts';

/** bcrypt with a salt of zeros, which no library makes: a digest after it that was not made from a password is that of no known one. */
const saltOfNone = `$2y$12$${'.'.repeat(22)}`;

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
      there: (hash) => (/^\$2[aby]\$/.test(hash) ? `$2y$${hash.slice(4)}` : undefined),
      here: bcryptSpellings,
      unusable: (seed) =>
        saltOfNone + createHash('sha256').update(seed).digest('base64url').replace(/[-_]/g, '.').slice(0, 31),
      isUnusable: (hash) => hash === '' || hash.startsWith(saltOfNone),
    },
  },
};
