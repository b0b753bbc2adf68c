import type { ProviderDatabase } from './database.ts';

export const betterAuthDatabase: ProviderDatabase = {
  engines: ['postgres', 'mysql'],
  versions: 'the tables user and account of better-auth 1',
  tables: [
    {
      name: 'users',
      tables: ['user', 'users', 'User'],
      id: 'id',
      columns: ['email', 'emailVerified', 'name', 'createdAt'],
    },
    {
      name: 'accounts',
      tables: ['account', 'accounts', 'Account'],
      id: 'userId',
      columns: ['accountId', 'providerId', 'password'],
    },
    {
      name: 'factors',
      tables: ['twoFactor', 'two_factor', 'twoFactors', 'TwoFactor'],
      id: 'userId',
      columns: ['secret', 'backupCodes'],
      isOptional: true,
    },
  ],
};
