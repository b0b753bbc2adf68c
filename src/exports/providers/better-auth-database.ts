import { createHash } from 'node:crypto';
import { tagged, untagged } from '../../hashes/spellings.ts';
import { newIdOf } from '../back/person.ts';
import type { DatabaseTable, MakeKey, ProviderDatabase } from './database.ts';
import { bcryptSpellings, noPassword } from './parts/way-back.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** In the form of generateId() of better-auth, packages/core/src/utils/id.ts: 32 letters and digits. */
const keys: MakeKey = (seed, form) => {
  if (form === 'uuid') return newIdOf(seed);
  const bytes = createHash('sha256').update(`carryover key ${seed}`).digest();
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join('');
};

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
  writes: {
    email: 'email',
    password: 'password',
    passwords: {
      name: 'accounts',
      only: { column: 'providerId', value: 'credential' },
      rowKey: 'id',
      updatedAt: 'updatedAt',
      newRow: (key, now) => ({ accountId: key, createdAt: now }),
    },
    verified: { column: 'emailVerified', mark: 'flag' },
    keys,
    logins: {
      name: 'accounts',
      provider: ['providerId'],
      userId: ['accountId'],
      rowKey: 'id',
      newRow: (now) => ({ createdAt: now, updatedAt: now }),
    },
    updatedAt: 'updatedAt',
    further: [
      { table: ofUser('sessions', 'session', 'sessions', 'Session') },
      { table: ofUser('factors', 'twoFactor', 'two_factor', 'twoFactors', 'TwoFactor') },
    ],
    newRow: ({ email, metadata: { name }, timeJoined }) => ({
      name: typeof name === 'string' ? name : email.split('@')[0],
      createdAt: new Date(timeJoined),
    }),
    hashes: {
      there(hash) {
        const inside = untagged(hash);
        return inside?.kind === 'better_auth' ? inside.hash : undefined;
      },
      here: (hash) => (/^[0-9a-f]{32}:/.test(hash) ? [tagged('better_auth', hash)] : bcryptSpellings(hash)),
      ...noPassword,
    },
  },
};

/** Rows that end with their user. */
function ofUser(name: string, ...tables: readonly string[]): DatabaseTable {
  return { name, tables, id: 'userId', columns: [], isOptional: true };
}
