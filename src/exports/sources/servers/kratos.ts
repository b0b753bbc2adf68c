import { textOf } from '../../providers/parts/fields.ts';
import type { SourceRow } from '../../providers/provider.ts';
import type { Source, SourceUser } from '../source.ts';

export const kratosSource: Source = {
  provider: 'kratos',
  engines: ['postgres', 'mysql'],
  versions: 'the tables of Ory Kratos 0.6 or newer',
  realms: { word: 'network', table: 'networks', id: 'id', name: 'id' },
  tables: [
    {
      name: 'users',
      tables: ['identities'],
      id: 'id',
      columns: ['traits', 'created_at'],
      maybe: ['schema_id', 'state', 'metadata_public', 'metadata_admin'],
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
  assemble,
};

/** As the admin API answers with the credentials that were asked for. */
function assemble({ row, related }: SourceUser): SourceUser {
  const { credentials = [], addresses = [] } = related;
  const byType = Map.groupBy(credentials, ({ type }) => textOf(type) ?? '');
  const made = [...byType].map(([type, rows]) => [type, credentialOf(rows)] as const);
  const identity = { ...row, credentials: Object.fromEntries(made), verifiable_addresses: addresses };
  return { row: identity, related: {} };
}

function credentialOf(rows: readonly SourceRow[]): SourceRow {
  const identifiers = rows.flatMap(({ identifier }) => textOf(identifier) ?? []);
  return { identifiers, config: rows[0]?.config };
}
