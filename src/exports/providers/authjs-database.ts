import { storedKind } from '../../hashes/recognise.ts';
import { newIdOf } from '../back/person.ts';
import type { DatabaseTable, ProviderDatabase } from './database.ts';
import { asBcrypt, bcryptSpellings, noPassword } from './parts/way-back.ts';

export const authjsDatabase: ProviderDatabase = {
  engines: ['postgres', 'mysql'],
  versions: 'the tables users and accounts of the adapters of Auth.js 5 and NextAuth 4',
  tables: [
    {
      name: 'users',
      tables: ['users', 'User', 'user'],
      id: 'id',
      columns: ['email', 'emailVerified'],
    },
    {
      name: 'accounts',
      tables: ['accounts', 'Account', 'account'],
      id: 'userId',
      columns: ['provider', 'providerAccountId'],
    },
  ],
  writes: {
    email: 'email',
    password: ['password', 'hashedPassword', 'passwordHash'],
    verified: { column: 'emailVerified', mark: 'time' },
    // Adapters make UUIDs, or cuids, which are as unique.
    keys: newIdOf,
    updatedAt: 'updatedAt',
    logins: {
      name: 'accounts',
      provider: ['provider'],
      userId: ['providerAccountId'],
      rowKey: 'id',
      newRow: (now) => ({ type: 'oauth', createdAt: now, updatedAt: now }),
    },
    providerNames: { 'active-directory': 'microsoft-entra-id' },
    further: [
      { table: ofUser('sessions', 'sessions', 'Session', 'session') },
      { table: ofUser('authenticators', 'authenticators', 'Authenticator', 'authenticator') },
    ],
    removal: { column: 'deleted_at', mark: 'time' },
    newRow: ({ metadata: { name }, timeJoined }) => ({
      name: typeof name === 'string' ? name : undefined,
      createdAt: new Date(timeJoined),
    }),
    hashes: {
      there,
      here: bcryptSpellings,
      ...noPassword,
    },
  },
};

/** Rows that end with their user. */
function ofUser(name: string, ...tables: readonly string[]): DatabaseTable {
  return { name, tables, id: 'userId', columns: [], isOptional: true };
}

/** The app compares passwords itself: it reads the kind that it makes. The library bcrypt does not know `$2y$`. */
function there(hash: string, made: string | null): string | undefined {
  if (storedKind(hash) !== made) return undefined;
  return asBcrypt(hash, '2b') ?? (hash.startsWith('$argon2') ? hash : undefined);
}
