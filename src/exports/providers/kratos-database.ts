import { newIdOf } from '../back/person.ts';
import { kratosIdentity } from './kratos-rows.ts';
import type { DatabaseTable, ProviderDatabase, WrittenSort } from './database.ts';
import { objectOf, textOf } from './parts/fields.ts';
import { bcryptSpellings, noPassword } from './parts/way-back.ts';

/** What is written besides the tables that are read. */
function further(table: string, given: Pick<DatabaseTable, 'id' | 'columns'>): DatabaseTable {
  return { name: table, tables: [table], isOptional: true, ...given };
}

const newRow = (now: Date) => ({ created_at: now, updated_at: now });

/** Newer versions have the identity in it, too. */
const newIdentifier = (key: string, now: Date) => ({ identity_id: key, ...newRow(now) });

/** Which rows of `identity_credentials`. */
function ofType(value: string): WrittenSort {
  const types = further('identity_credential_types', { id: 'id', columns: ['name'] });
  return { column: 'identity_credential_type_id', value, of: { table: types, name: 'name' } };
}

const identifiers = further('identity_credential_identifiers', {
  id: 'identity_credential_id',
  columns: ['id', 'identifier'],
});

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
  writes: {
    email: 'traits',
    emailKey: 'email',
    password: 'config',
    passwords: {
      name: 'credentials',
      only: ofType('password'),
      rowKey: 'id',
      parts: {
        columns: ['config'],
        hashOf: ({ config }) => textOf(objectOf(config)?.hashed_password) ?? '',
        // Another document: what else was in it, such as a hook for passwords, belonged to the former one.
        cellsOf: (hash) => ({ config: JSON.stringify({ hashed_password: hash }) }),
      },
      updatedAt: 'updated_at',
      newRow: (_key, now) => ({ ...newRow(now), version: '0' }),
    },
    keys: newIdOf,
    addresses: {
      name: 'addresses',
      only: { column: 'via', value: 'email' },
      email: 'value',
      isVerified: 'verified',
      rowKey: 'id',
      newRow,
      state: (isVerified, now) => ({
        status: isVerified ? 'completed' : 'pending',
        verified_at: isVerified ? now : undefined,
        updated_at: now,
      }),
    },
    emailRows: [
      {
        table: identifiers,
        through: {
          table: further('identity_credentials', { id: 'identity_id', columns: ['id'] }),
          rowKey: 'id',
        },
        isOfPassword: true,
        email: 'identifier',
        rowKey: 'id',
        newRow: newIdentifier,
      },
      {
        table: further('identity_recovery_addresses', { id: 'identity_id', columns: ['id', 'via', 'value'] }),
        email: 'value',
        rowKey: 'id',
        newRow: (_key, now) => ({ via: 'email', ...newRow(now) }),
      },
    ],
    loginDocuments: {
      name: 'credentials',
      only: ofType('oidc'),
      rowKey: 'id',
      document: 'config',
      list: 'providers',
      provider: 'provider',
      userId: 'subject',
      newItem: { initial_id_token: '', initial_access_token: '', initial_refresh_token: '' },
      newRow: (now) => ({ ...newRow(now), version: '0' }),
      identifiers: { table: identifiers, column: 'identifier', rowKey: 'id', newRow: newIdentifier },
    },
    updatedAt: 'updated_at',
    likeMost: ['schema_id'],
    newRow: ({ timeJoined }) => ({
      state: 'active',
      created_at: new Date(timeJoined),
    }),
    hashes: {
      there: (hash) => (own.test(hash) ? hash : undefined),
      here: bcryptSpellings,
      ...noPassword,
    },
  },
  assemble: ({ row, related }) => ({ row: kratosIdentity(row, related), related: {} }),
};

/** Kinds whose spellings are the same in both: hash/hash_comparator.go. */
const own = /^\$(?:2[aby]\$|argon2(?:id|i)\$v=19\$|pbkdf2-sha(?:1|256|512)\$i=)/;
