import { newIdOf } from '../back/person.ts';
import type { Cell, ProviderDatabase, WrittenAddress, WrittenUser } from './database.ts';
import { asBcrypt, bcryptSpellings, noPassword } from './parts/way-back.ts';

/** In older versions the id of a row is that of the account. */
const accountId = ['provider_id', 'id'];

/** Supabase Auth (GoTrue): its own schema in the project's database. */
export const supabaseDatabase: ProviderDatabase = {
  engines: ['postgres'],
  versions: 'the schema auth of Supabase Auth 2.0 or newer',
  schema: 'auth',
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'id',
      columns: ['email', 'encrypted_password', 'created_at', 'raw_app_meta_data', 'raw_user_meta_data'],
    },
    {
      name: 'identities',
      tables: ['identities'],
      id: 'user_id',
      columns: ['provider', 'identity_data'],
      isOptional: true,
    },
    {
      name: 'factors',
      tables: ['mfa_factors'],
      id: 'user_id',
      columns: ['factor_type', 'status', 'secret'],
      isOptional: true,
    },
  ],
  writes: {
    email: 'email',
    password: 'encrypted_password',
    verified: { column: 'email_confirmed_at', mark: 'time' },
    keys: newIdOf,
    updatedAt: 'updated_at',
    emailAccount: {
      name: 'identities',
      only: { column: 'provider', value: 'email' },
      userId: accountId,
      isFor: signsInWithEmail,
      cells: (address, now) => ({ identity_data: { json: claimsOf(address) }, updated_at: now }),
      newRow: (key, address, now) => identityOf(key, claimsOf(address), now),
    },
    logins: {
      name: 'identities',
      provider: ['provider'],
      userId: accountId,
      newRow: (now, { userId, email }) => identityOf(userId, { email }, now),
    },
    providerNames: { microsoft: 'azure', linkedin: 'linkedin_oidc', slack: 'slack_oidc' },
    // Supabase Auth signs such users in, but has removed their email and password.
    removal: { column: 'deleted_at', mark: 'time', deletes: true },
    newRow,
    hashes: {
      there: (hash) => asBcrypt(hash, '2a'),
      here: bcryptSpellings,
      ...noPassword,
    },
  },
};

/** A user with accounts at providers alone has no identity of the provider `email`. */
function signsInWithEmail({ passwordHash, logins = [] }: WrittenUser): boolean {
  return passwordHash !== undefined || logins.length === 0;
}

function claimsOf({ email, isVerified }: WrittenAddress) {
  return { email, email_verified: isVerified };
}

/** @param id at the provider; of the user for the provider `email` */
function identityOf(id: string, claims: Readonly<Record<string, unknown>>, now: Date) {
  return {
    identity_data: { json: { sub: id, ...claims } },
    created_at: now,
    updated_at: now,
  };
}

/** As internal/models/user.go of supabase/auth reads a row: an instance and an audience find it, and texts are never null. */
function newRow(user: WrittenUser): Readonly<Record<string, Cell>> {
  const { logins = [], metadata, timeJoined } = user;
  const { name } = metadata;
  const providers = [...(signsInWithEmail(user) ? ['email'] : []), ...logins.map(({ provider }) => provider)];
  return {
    instance_id: '00000000-0000-0000-0000-000000000000',
    aud: 'authenticated',
    role: 'authenticated',
    raw_app_meta_data: { json: { provider: providers[0], providers } },
    raw_user_meta_data: { json: typeof name === 'string' ? { name } : {} },
    created_at: new Date(timeJoined),
    confirmation_token: '',
    recovery_token: '',
    email_change: '',
    email_change_token_new: '',
  };
}
