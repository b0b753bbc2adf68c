import { factorKeys } from './wordpress-factors.ts';
import type { ProviderDatabase } from './database.ts';

export const wordpressDatabase: ProviderDatabase = {
  engines: ['mysql'],
  versions: 'the tables of WordPress 3 or newer',
  prefix: 'wp_',
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'ID',
      columns: ['user_login', 'user_pass', 'user_email', 'user_registered'],
    },
    {
      name: 'usermeta',
      tables: ['usermeta'],
      id: 'user_id',
      columns: ['meta_key', 'meta_value'],
      // Plug-ins store whole carts and sessions there.
      only: {
        column: 'meta_key',
        values: ['first_name', 'last_name', '{prefix}capabilities', ...factorKeys],
      },
    },
    {
      name: 'wordfence',
      tables: ['wfls_2fa_secrets'],
      id: 'user_id',
      columns: ['secret', 'recovery', 'mode'],
      isOptional: true,
    },
    {
      name: 'miniorange',
      tables: ['mo2f_user_details'],
      id: 'user_id',
      columns: ['mo2f_configured_2FA_method'],
      isOptional: true,
    },
  ],
};
