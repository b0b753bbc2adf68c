import { betterAuth } from '../../providers/frameworks/better-auth.ts';
import { furtherColumns } from '../columns.ts';
import type { Source } from '../source.ts';

const users = ['email', 'emailVerified', 'name', 'createdAt'];
const accounts = ['accountId', 'providerId', 'password'];
const factors = ['secret', 'backupCodes'];

export const betterAuthSource: Source = {
  provider: 'better-auth',
  engines: ['postgres', 'mysql'],
  versions: 'the tables user and account of better-auth 1',
  tables: [
    {
      name: 'users',
      tables: ['user', 'users', 'User'],
      id: 'id',
      columns: users,
      maybe: furtherColumns(betterAuth, 'users', ['id', ...users]),
    },
    {
      name: 'accounts',
      tables: ['account', 'accounts', 'Account'],
      id: 'userId',
      columns: accounts,
      maybe: furtherColumns(betterAuth, 'accounts', ['userId', ...accounts]),
    },
    {
      name: 'factors',
      tables: ['twoFactor', 'two_factor', 'twoFactors', 'TwoFactor'],
      id: 'userId',
      columns: factors,
      maybe: furtherColumns(betterAuth, 'factors', ['userId', ...factors]),
      isOptional: true,
    },
  ],
};
