import { supabase } from '../../providers/servers/supabase.ts';
import { furtherColumns } from '../columns.ts';
import type { Source } from '../source.ts';

const users = ['email', 'encrypted_password', 'created_at', 'raw_app_meta_data', 'raw_user_meta_data'];
const identities = ['provider', 'identity_data'];
const factors = ['factor_type', 'status', 'secret'];

/** Supabase Auth (GoTrue): its own schema in the project's database. */
export const supabaseSource: Source = {
  provider: 'supabase',
  engines: ['postgres'],
  versions: 'the schema auth of Supabase Auth 2.0 or newer',
  schema: 'auth',
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'id',
      columns: users,
      maybe: furtherColumns(supabase, 'users', ['id', ...users]),
    },
    {
      name: 'identities',
      tables: ['identities'],
      id: 'user_id',
      columns: identities,
      maybe: furtherColumns(supabase, 'identities', ['user_id', ...identities]),
      isOptional: true,
    },
    {
      name: 'factors',
      tables: ['mfa_factors'],
      id: 'user_id',
      columns: factors,
      maybe: furtherColumns(supabase, 'factors', ['user_id', ...factors]),
      isOptional: true,
    },
  ],
};
