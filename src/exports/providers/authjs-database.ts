import type { ProviderDatabase } from './database.ts';

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
};
