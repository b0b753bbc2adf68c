import { groupLevels, keycloakUser } from './keycloak-rows.ts';
import type { Join, ProviderDatabase, DatabaseTable } from './database.ts';

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
  assemble: ({ row, related }) => ({ row: keycloakUser(row, related), related: {} }),
  leavesOut: 'passwords of people of a federated directory, which Keycloak does not have',
};
