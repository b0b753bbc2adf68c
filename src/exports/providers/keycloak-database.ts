import { newIdOf } from '../back/person.ts';
import { groupLevels, keycloakUser } from './keycloak-rows.ts';
import { storedHash, storedPasswordOf } from './keycloak-password.ts';
import type { DatabaseTable, Join, ProviderDatabase, WrittenRows, WrittenUser } from './database.ts';
import { noPassword } from './parts/way-back.ts';

/** A group and those around it, from the inside out: `group0`, `group1`. */
const groups: readonly Join[] = Array.from({ length: groupLevels }, (_, level) => ({
  table: 'keycloak_group',
  column: 'id',
  with: level === 0 ? 'group_id' : 'parent_group',
  ...(level > 0 && { of: level - 1 }),
  takes: { [`group${level}`]: 'name' },
}));

const roles: readonly Join[] = [
  {
    table: 'keycloak_role',
    column: 'id',
    with: 'role_id',
    takes: { role: 'name', isOfClient: 'client_role' },
  },
  { table: 'client', column: 'id', with: 'client', of: 0, takes: { client: 'client_id' } },
];

/** Rows of a user, by the user's id. */
function ofUser(name: string, table: string, given: Partial<DatabaseTable>): DatabaseTable {
  return { name, tables: [table], id: 'user_id', columns: [], ...given };
}

/** Of a removed user. */
function ended(table: string, given: Partial<DatabaseTable> = {}): DatabaseTable {
  return ofUser(table, table, { isOptional: true, ...given });
}

/** What a realm gives new users. */
function ofRealm(table: string, given: Pick<DatabaseTable, 'id' | 'columns'>): DatabaseTable {
  return { name: table, tables: [table], isOptional: true, ...given };
}

const consents = ended('user_consent');
const sessions = ended('offline_user_session');

/** Removed by JpaUserProvider.removeUser, and made by its addUser, in the order of their references. */
const further: readonly WrittenRows[] = [
  {
    table: ended('user_consent_client_scope', { id: 'user_consent_id' }),
    through: { table: consents, rowKey: 'id' },
  },
  { table: consents },
  {
    table: ended('offline_client_session', { id: 'user_session_id' }),
    through: { table: sessions, rowKey: 'user_session_id' },
  },
  { table: sessions },
  { table: ended('credential') },
  { table: ended('user_attribute') },
  { table: ended('user_required_action') },
  {
    table: ended('user_role_mapping'),
    defaults: [
      {
        table: ofRealm('realm', { id: 'id', columns: ['default_role'] }),
        takes: { role_id: 'default_role' },
      },
      // Before version 13.
      {
        table: ofRealm('realm_default_roles', { id: 'realm_id', columns: ['role_id'] }),
        takes: { role_id: 'role_id' },
      },
    ],
  },
  {
    table: ended('user_group_membership'),
    defaults: [
      {
        table: ofRealm('realm_default_groups', { id: 'realm_id', columns: ['group_id'] }),
        takes: { group_id: 'group_id' },
        cells: { membership_type: 'UNMANAGED' },
      },
    ],
  },
];

export const keycloakDatabase: ProviderDatabase = {
  engines: ['postgres', 'mysql'],
  versions: 'the tables of Keycloak 8 or newer',
  realms: { word: 'realm', table: 'realm', id: 'id', name: 'name', own: 'master' },
  tables: [
    {
      name: 'users',
      tables: ['user_entity'],
      id: 'id',
      columns: ['username', 'email', 'email_verified', 'enabled', 'first_name', 'last_name', 'realm_id'],
      realm: 'realm_id',
    },
    ofUser('credentials', 'credential', {
      columns: ['type', 'secret_data', 'credential_data'],
    }),
    ofUser('attributes', 'user_attribute', { columns: ['name', 'value'] }),
    ofUser('identities', 'federated_identity', { columns: ['identity_provider', 'federated_user_id'] }),
    ofUser('roles', 'user_role_mapping', { joins: roles }),
    ofUser('groups', 'user_group_membership', { joins: groups }),
    ofUser('actions', 'user_required_action', { columns: ['required_action'] }),
  ],
  writes: {
    email: 'email',
    emailCopies: ['email_constraint'],
    password: 'secret_data',
    passwords: {
      name: 'credentials',
      only: { column: 'type', value: 'password' },
      rowKey: 'id',
      parts: {
        columns: ['secret_data', 'credential_data', 'salt'],
        hashOf: storedHash,
        cellsOf(hash, now) {
          const { secretData, credentialData } = requireStored(hash);
          return {
            secret_data: secretData,
            credential_data: credentialData,
            created_date: String(now.getTime()),
          };
        },
      },
      newRow: () => ({ priority: '10' }),
    },
    verified: { column: 'email_verified', mark: 'flag' },
    keys: newIdOf,
    logins: {
      name: 'identities',
      provider: ['identity_provider'],
      userId: ['federated_user_id'],
      email: ['federated_username'],
      newRow: () => ({}),
    },
    username: { column: 'username', characters: 255 },
    further,
    newRow: ({ metadata, timeJoined }: WrittenUser) => ({
      enabled: true,
      not_before: '0',
      first_name: nameOf(metadata.firstName ?? metadata.name),
      last_name: nameOf(metadata.lastName),
      created_timestamp: String(timeJoined),
    }),
    hashes: {
      there: (hash) => (storedPasswordOf(hash) === undefined ? undefined : hash),
      here: (hash) => [hash],
      ...noPassword,
    },
  },
  assemble: ({ row, related }) => ({ row: keycloakUser(row, related), related: {} }),
  leavesOut: 'passwords of people of a federated directory, which Keycloak does not have',
};

function nameOf(text: unknown): string | undefined {
  return typeof text === 'string' ? text.slice(0, 255) : undefined;
}

function requireStored(hash: string) {
  const stored = storedPasswordOf(hash);
  if (stored === undefined) throw new Error('a hash of a kind that Keycloak has not');
  return stored;
}
