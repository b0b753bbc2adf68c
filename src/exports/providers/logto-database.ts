import type { ProviderDatabase } from './database.ts';

export const logtoDatabase: ProviderDatabase = {
  engines: ['postgres'],
  versions: 'the table users of Logto 1',
  realms: { word: 'tenant', table: 'tenants', id: 'id', name: 'id', usual: 'default' },
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'id',
      columns: ['primary_email', 'password_encrypted', 'password_encryption_method', 'identities'],
      realm: 'tenant_id',
    },
  ],
  leavesOut: 'roles, organizations and identities of enterprise SSO',
};
