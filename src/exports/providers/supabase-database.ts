import type { ProviderDatabase } from './database.ts';

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
};
