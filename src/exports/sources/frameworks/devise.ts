import type { Source } from '../source.ts';
import { nameColumns, standingColumns } from '../columns.ts';

export const deviseSource: Source = {
  provider: 'devise',
  engines: ['postgres', 'mysql'],
  versions: 'the table users of Devise 2 or newer',
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'id',
      columns: ['email', 'encrypted_password'],
      maybe: [
        ...['confirmed_at', 'provider', 'uid', 'created_at', 'otp_required_for_login', 'otp_backup_codes'],
        ...['otp_secret', 'encrypted_otp_secret', 'encrypted_otp_secret_iv', 'encrypted_otp_secret_salt'],
        ...nameColumns,
        ...standingColumns,
      ],
    },
    {
      name: 'identities',
      tables: ['identities', 'user_identities', 'authentications', 'authorizations'],
      id: 'user_id',
      columns: ['provider', 'uid'],
      maybe: ['email', 'created_at'],
      isOptional: true,
    },
  ],
};
