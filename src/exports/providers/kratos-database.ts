import { kratosIdentity } from './kratos-rows.ts';
import type { ProviderDatabase } from './database.ts';

export const kratosDatabase: ProviderDatabase = {
  engines: ['postgres', 'mysql'],
  versions: 'the tables of Ory Kratos 0.6 or newer',
  realms: { word: 'network', table: 'networks', id: 'id', name: 'id' },
  tables: [
    {
      name: 'users',
      tables: ['identities'],
      id: 'id',
      columns: ['traits', 'created_at'],
      realm: 'nid',
    },
    {
      // A credential once for each of its identifiers.
      name: 'credentials',
      tables: ['identity_credentials'],
      id: 'identity_id',
      columns: ['id', 'config', 'identity_credential_type_id'],
      joins: [
        {
          table: 'identity_credential_types',
          column: 'id',
          with: 'identity_credential_type_id',
          takes: { type: 'name' },
        },
        {
          table: 'identity_credential_identifiers',
          column: 'identity_credential_id',
          with: 'id',
          takes: { identifier: 'identifier' },
        },
      ],
    },
    {
      name: 'addresses',
      tables: ['identity_verifiable_addresses'],
      id: 'identity_id',
      columns: ['value', 'verified', 'via', 'status'],
    },
  ],
  assemble: ({ row, related }) => ({ row: kratosIdentity(row, related), related: {} }),
};
