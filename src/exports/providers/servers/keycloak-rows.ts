/** The tables of Keycloak's database, as users that `kc.sh export` writes. */

import { flagOf, integerOf, textOf } from '../parts/fields.ts';
import { ExportFault, lookupOption } from '../provider.ts';
import type { ConvertOptions, Lookup, Related, SourceRow, Table } from '../provider.ts';

/** Groups above a group whose names are in its path, itself among them. */
export const groupLevels = 4;

const sqlNames = {
  credentials: 'credential',
  attributes: 'user_attribute',
  identities: 'federated_identity',
  roles: 'user_role_mapping',
  groups: 'user_group_membership',
  actions: 'user_required_action',
};

/** What belongs to a user, in dumps only. */
export const keycloakTables: readonly Table[] = Object.entries(sqlNames).map(([name, table]) => ({
  name,
  places: [],
  sqlNames: [table],
  idOf: (row) => textOf(row.user_id),
}));

export const keycloakLookups: readonly Lookup[] = [
  { table: 'realm', columns: ['id', 'name'] },
  { table: 'keycloak_role', columns: ['id', 'name', 'client_role', 'client'] },
  { table: 'client', columns: ['id', 'client_id'] },
  { table: 'keycloak_group', columns: ['id', 'name', 'parent_group'] },
];

/** The realm of the administrators. */
const ownRealm = 'master';
export const realmOption = 'keycloak-realm';
const namesOption = 'names of a dump';

/** What ids of a dump stand for. */
interface Names {
  /** The id of the realm; undefined where the dump does not have its table. */
  readonly realm?: string | undefined;
  /** Columns of a join, by the role's id. */
  readonly roles: Readonly<Record<string, SourceRow>>;
  /** `group0`, `group1`, from within, by the group's id. */
  readonly groups: Readonly<Record<string, SourceRow>>;
}

/** Chooses the realm and names roles and groups. @throws ExportFault where it is not clear whose users are meant */
export function prepareKeycloak(options: ConvertOptions): ConvertOptions {
  const { [realmOption]: wanted, ...others } = options;
  const realms = rowsOf(options, 'realm');
  if (realms.length === 0 && wanted !== undefined)
    throw new ExportFault(`--${realmOption}: there is no table of realms in the file, leave it out`);
  const names: Names = {
    realm: realms.length === 0 ? undefined : chosen(realms, wanted),
    roles: namedRoles(options),
    groups: namedGroups(options),
  };
  const kept = Object.entries(others).filter(
    ([name]) => !keycloakLookups.some(({ table }) => name === lookupOption(table)),
  );
  return { ...Object.fromEntries(kept), [namesOption]: JSON.stringify(names) };
}

function rowsOf(options: ConvertOptions, table: string): readonly SourceRow[] {
  return JSON.parse(options[lookupOption(table)] ?? '[]') as readonly SourceRow[];
}

function chosen(realms: readonly SourceRow[], wanted: string | undefined): string | undefined {
  const others = realms.length === 1 ? realms : realms.filter(({ name }) => textOf(name) !== ownRealm);
  const found = wanted === undefined ? others : realms.filter(({ name }) => textOf(name) === wanted);
  if (found.length === 1) return textOf(found[0]?.id);
  const there = realms.flatMap(({ name }) => textOf(name) ?? []);
  const said = wanted === undefined ? 'the dump has users of several realms' : 'there is no such realm';
  throw new ExportFault(`${said}: say which with --${realmOption}, one of ${there.slice(0, 20).join(', ')}`);
}

function namedRoles(options: ConvertOptions): Names['roles'] {
  const clients = byId(rowsOf(options, 'client'));
  const roles = rowsOf(options, 'keycloak_role').map(({ id, name, client_role: isOfClient, client }) => {
    const of = clients.get(textOf(client) ?? '')?.client_id;
    return [textOf(id) ?? '', { role: name, isOfClient, client: of }] as const;
  });
  return Object.fromEntries(roles);
}

function namedGroups(options: ConvertOptions): Names['groups'] {
  const groups = byId(rowsOf(options, 'keycloak_group'));
  const named = Array.from(groups, ([id, own]) => {
    const row: Record<string, unknown> = {};
    let group: SourceRow | undefined = own;
    for (let level = 0; level < groupLevels && group !== undefined; level++) {
      row[`group${level}`] = group.name;
      group = groups.get(textOf(group.parent_group) ?? '');
    }
    return [id, row] as const;
  });
  return Object.fromEntries(named);
}

function byId(rows: readonly SourceRow[]): ReadonlyMap<string, SourceRow> {
  return new Map(rows.map((row) => [textOf(row.id) ?? '', row]));
}

/** Parsed once for the records of a task, which share their options. */
const parsed = new WeakMap<ConvertOptions, Names>();

function namesIn(options: ConvertOptions): Names {
  const known = parsed.get(options);
  if (known !== undefined) return known;
  const text = options[namesOption];
  const names = text === undefined ? { roles: {}, groups: {} } : (JSON.parse(text) as Names);
  parsed.set(options, names);
  return names;
}

export function isRowOfKeycloak(row: SourceRow): boolean {
  return 'realm_id' in row && 'username' in row;
}

export function isOfOtherRealm(row: SourceRow, options: ConvertOptions): boolean {
  if (!isRowOfKeycloak(row)) return false;
  const { realm } = namesIn(options);
  return realm !== undefined && textOf(row.realm_id) !== realm;
}

/** A user of a dump, whose roles and groups are named. */
export function dumpedUser(row: SourceRow, related: Related, options: ConvertOptions): SourceRow {
  const { roles, groups } = namesIn(options);
  const named = (rows: readonly SourceRow[] = [], column: string, names: Names['roles']): SourceRow[] =>
    rows.map((each) => names[textOf(each[column]) ?? '']).filter((each) => each !== undefined);
  return keycloakUser(row, {
    ...related,
    roles: named(related.roles, 'role_id', roles),
    groups: named(related.groups, 'group_id', groups),
  });
}

/** Of rows whose roles and groups have names. */
export function keycloakUser(row: SourceRow, related: Related): SourceRow {
  const { roles: mapped = [], identities = [], actions = [] } = related;
  return {
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
  const levels = Array.from({ length: groupLevels }, (_, level) => textOf(row[`group${level}`]) ?? []);
  const names = levels.flat();
  return `/${names.toReversed().join('/')}`;
}
