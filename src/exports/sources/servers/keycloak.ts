import { flagOf, integerOf, textOf } from '../../providers/parts/fields.ts';
import type { SourceRow } from '../../providers/provider.ts';
import type { Join, Source, SourceTable, SourceUser } from '../source.ts';

const groupLevels = 4;

/** A group and those around it, from within: `group0`, `group1`. */
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
function ofUser(name: string, table: string, given: Partial<SourceTable>): SourceTable {
  return { name, tables: [table], id: 'user_id', columns: [], ...given };
}

export const keycloakSource: Source = {
  provider: 'keycloak',
  engines: ['postgres', 'mysql'],
  versions: 'the tables of Keycloak 8 or newer',
  realms: { word: 'realm', table: 'realm', id: 'id', name: 'name', own: 'master' },
  tables: [
    {
      name: 'users',
      tables: ['user_entity'],
      id: 'id',
      columns: ['username', 'email', 'email_verified', 'enabled', 'first_name', 'last_name', 'realm_id'],
      maybe: ['created_timestamp', 'service_account_client_link'],
      realm: 'realm_id',
    },
    ofUser('credentials', 'credential', {
      columns: ['type', 'secret_data', 'credential_data'],
      maybe: ['user_label', 'priority'],
    }),
    ofUser('attributes', 'user_attribute', { columns: ['name', 'value'], maybe: ['long_value'] }),
    ofUser('identities', 'federated_identity', { columns: ['identity_provider', 'federated_user_id'] }),
    ofUser('roles', 'user_role_mapping', { joins: roles }),
    ofUser('groups', 'user_group_membership', { joins: groups }),
    ofUser('actions', 'user_required_action', { columns: ['required_action'] }),
  ],
  assemble,
  leavesOut: 'passwords of people of a federated directory, which Keycloak does not have',
};

/** As `kc.sh export` writes a user. */
function assemble({ row, related }: SourceUser): SourceUser {
  const { roles: mapped = [], identities = [], actions = [] } = related;
  const user = {
    id: row.id,
    username: row.username,
    email: row.email,
    emailVerified: row.email_verified,
    enabled: row.enabled,
    firstName: row.first_name,
    lastName: row.last_name,
    createdTimestamp: row.created_timestamp,
    serviceAccountClientId: row.service_account_client_link,
    credentials: credentialsOf(related.credentials ?? []),
    attributes: listsOf(related.attributes ?? [], 'name', (each) => each.long_value ?? each.value),
    federatedIdentities: identities.map((each) => ({
      identityProvider: each.identity_provider,
      userId: each.federated_user_id,
    })),
    realmRoles: mapped.filter(({ isOfClient }) => flagOf(isOfClient) !== true).map(({ role }) => role),
    clientRoles: listsOf(mapped, 'client', ({ role }) => role),
    groups: (related.groups ?? []).map(pathOf),
    requiredActions: actions.map(({ required_action: action }) => action),
  };
  return { row: user, related: {} };
}

function credentialsOf(rows: readonly SourceRow[]): readonly SourceRow[] {
  const sorted = [...rows].sort((a, b) => (integerOf(a.priority) ?? 0) - (integerOf(b.priority) ?? 0));
  return sorted.map((each) => ({
    type: each.type,
    userLabel: each.user_label,
    secretData: each.secret_data,
    credentialData: each.credential_data,
  }));
}

/** Values by the text in one column. */
function listsOf(
  rows: readonly SourceRow[],
  column: string,
  valueOf: (row: SourceRow) => unknown,
): Readonly<Record<string, readonly unknown[]>> {
  const named = rows.filter((row) => textOf(row[column]) !== undefined);
  const lists = Map.groupBy(named, (row) => textOf(row[column]) ?? '');
  return Object.fromEntries([...lists].map(([name, own]) => [name, own.map(valueOf)]));
}

/** `/outer/inner` */
function pathOf(row: SourceRow): string {
  const names = groups.flatMap((_join, level) => textOf(row[`group${level}`]) ?? []);
  return `/${names.toReversed().join('/')}`;
}
