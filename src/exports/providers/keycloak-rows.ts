/** The tables of Keycloak's database, as users in the form of `kc.sh export`. */

import { valueOf } from '../fields/declare.ts';
import { flagOf, textOf } from './parts/fields.ts';
import { isKnownProvider } from './parts/third-party-ids.ts';
import { besideOption, ExportFault, lookupOption, relatedValues } from './provider.ts';
import type { ConvertOptions, Lookup, Related, SourceRow, Table } from './provider.ts';
import {
  actionFields,
  attributeFields,
  type Credential,
  credentialRowFields,
  groupFields,
  identityFields,
  roleFields,
  userFields,
} from './keycloak-fields.ts';

/** Levels of groups above a group whose names are in its path, including itself. */
export const groupLevels = 4;

const tables = {
  credentials: ['credential', credentialRowFields],
  attributes: ['user_attribute', attributeFields],
  identities: ['federated_identity', identityFields],
  roles: ['user_role_mapping', roleFields],
  groups: ['user_group_membership', groupFields],
  actions: ['user_required_action', actionFields],
} as const;

/** A user's rows in other tables, in dumps only. */
export const keycloakTables: readonly Table[] = Object.entries(tables).map(([name, [table, fields]]) => ({
  name,
  places: [],
  fields,
  sqlNames: [table],
  idOf: (row) => valueOf(row, fields.userId),
  // Before version 8 the salt.
  hasBytes: name === 'credentials',
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
/** In a realm's file, and in a user of a file with several. */
export const realmField = 'realm';

/** The names of ids in a dump. */
interface Names {
  /** The realm to convert: its id in a dump with its table, its name in a file if one is requested. */
  readonly realm?: string | undefined;
  /** For a file: the names of those that its beginning shows. */
  readonly realms?: readonly string[];
  /** Columns of a join, by the role's id. */
  readonly roles: Readonly<Record<string, SourceRow>>;
  /** `group0`, `group1`, from the inside out, by the group's id. */
  readonly groups: Readonly<Record<string, SourceRow>>;
}

/** Chooses the realm and names roles and groups. @throws ExportFault if the choice is ambiguous */
export function prepareKeycloak(options: ConvertOptions): ConvertOptions {
  const { [realmOption]: wanted, ...others } = options;
  const realms = rowsOf(options, 'realm');
  const inFile = JSON.parse(options[besideOption(realmField)] ?? '[]') as readonly string[];
  if (realms.length === 0 && inFile.length === 0 && wanted !== undefined)
    throw new ExportFault(`--${realmOption}: the file does not name its realms, leave it out`);
  if (inFile.length > 0 && wanted !== undefined && !inFile.includes(wanted)) throw noSuchRealm(inFile);
  const names: Names = {
    realm: realms.length === 0 ? wanted : chosen(realms, wanted),
    realms: inFile,
    roles: namedRoles(options),
    groups: namedGroups(options),
  };
  const read = [besideOption(realmField), ...keycloakLookups.map(({ table }) => lookupOption(table))];
  const kept = Object.entries(others).filter(([name]) => !read.includes(name));
  return { ...Object.fromEntries(kept), [namesOption]: JSON.stringify(names) };
}

function noSuchRealm(realms: readonly string[]): ExportFault {
  const names = realms.slice(0, 20).join(', ');
  return new ExportFault(`there is no such realm: say which with --${realmOption}, one of ${names}`);
}

function rowsOf(options: ConvertOptions, table: string): readonly SourceRow[] {
  return JSON.parse(options[lookupOption(table)] ?? '[]') as readonly SourceRow[];
}

function chosen(realms: readonly SourceRow[], wanted: string | undefined): string | undefined {
  const others = realms.length === 1 ? realms : realms.filter(({ name }) => textOf(name) !== ownRealm);
  const found = wanted === undefined ? others : realms.filter(({ name }) => textOf(name) === wanted);
  if (found.length === 1) return textOf(found[0]?.id);
  const there = realms.flatMap(({ name }) => textOf(name) ?? []);
  if (wanted !== undefined) throw noSuchRealm(there);
  throw new ExportFault(
    `the dump has users of several realms: say which with --${realmOption}, one of ${there.slice(0, 20).join(', ')}`,
  );
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

export function isOfOtherRealm(row: SourceRow, options: ConvertOptions): boolean {
  const { realm, realms = [] } = namesIn(options);
  if (realm === undefined && othersIn(realms).length === 0) return false;
  const own = textOf(row[realmField]) ?? valueOf(row, userFields.realm);
  if (own === undefined) return false;
  return realm === undefined ? own === ownRealm : own !== realm;
}

/** Without the administrators' realm. */
function othersIn(realms: readonly string[]): readonly string[] {
  return realms.filter((name) => name !== ownRealm);
}

/**
 * The names of a user's roles and identity providers here. Those of several realms in one file may have equal names without being
 * the same: they are named with their realm. A well-known provider, such as google, is the same in each.
 */
export function namesWith(
  realm: string | undefined,
  options: ConvertOptions,
): { readonly role: (name: string) => string; readonly provider: (name: string) => string } {
  const { realm: wanted, realms = [] } = namesIn(options);
  const isOne = realm === undefined || wanted !== undefined || othersIn(realms).length < 2;
  const role = (name: string): string => (isOne ? name : `${realm}:${name}`);
  return { role, provider: (name) => (isKnownProvider(name) ? name : role(name)) };
}

/** A user's data from the rows of a dump. */
export interface OfRows {
  readonly credentials: readonly Credential[];
  readonly identities: readonly {
    readonly provider: string | undefined;
    readonly userId: string | undefined;
  }[];
  readonly attributes?: SourceRow;
  readonly realmRoles: readonly string[];
  readonly clientRoles?: SourceRow;
  readonly groups: readonly string[];
  readonly actions: readonly string[];
}

const noRows: OfRows = {
  credentials: [],
  identities: [],
  realmRoles: [],
  groups: [],
  actions: [],
};

/** Replaces ids of roles and groups by their names. */
export function ofRows(related: Related, options: ConvertOptions): OfRows {
  // The users of a JSON file contain everything.
  if (Object.keys(related).length === 0) return noRows;
  const names = namesIn(options);
  const named = (of: Names['roles'], ids: readonly { readonly id: string | undefined }[]): SourceRow[] =>
    ids.map(({ id }) => of[id ?? '']).filter((each) => each !== undefined);
  const roles = named(names.roles, relatedValues(roleFields, related.roles));
  const attributes = relatedValues(attributeFields, related.attributes);
  return {
    credentials: relatedValues(credentialRowFields, related.credentials),
    identities: relatedValues(identityFields, related.identities).map(({ provider, providerUserId }) => ({
      provider,
      userId: providerUserId,
    })),
    attributes: listsOf(attributes, 'name', ({ longValue, value }) => longValue ?? value),
    ...rolesOf(roles),
    groups: named(names.groups, relatedValues(groupFields, related.groups)).map(pathOf),
    actions: relatedValues(actionFields, related.actions).flatMap(({ action }) => action ?? []),
  };
}

function rolesOf(mapped: readonly SourceRow[]): Pick<OfRows, 'realmRoles' | 'clientRoles'> {
  return {
    realmRoles: mapped
      .filter(({ isOfClient }) => flagOf(isOfClient) !== true)
      .flatMap(({ role }) => textOf(role) ?? []),
    clientRoles: listsOf(mapped, 'client', ({ role }) => role),
  };
}

/** A user in the form of `kc.sh export`, from rows whose roles and groups have names. */
export function keycloakUser(row: SourceRow, related: Related): SourceRow {
  const { roles: mapped = [], identities = [], actions = [] } = related;
  return {
    ...row,
    credentials: related.credentials ?? [],
    attributes: listsOf(related.attributes ?? [], 'name', (each) => each.long_value ?? each.value),
    federatedIdentities: identities.map((each) => ({
      identityProvider: each.identity_provider,
      userId: each.federated_user_id,
    })),
    ...rolesOf(mapped),
    groups: (related.groups ?? []).map(pathOf),
    requiredActions: actions.map(({ required_action: action }) => action),
  };
}

/** Values by the text in one column. */
function listsOf<Row extends object>(
  rows: readonly Row[],
  column: keyof Row,
  itemOf: (row: Row) => unknown,
): Readonly<Record<string, readonly unknown[]>> {
  const named = rows.filter((row) => textOf(row[column]) !== undefined);
  const lists = Map.groupBy(named, (row) => textOf(row[column]) ?? '');
  return Object.fromEntries([...lists].map(([name, own]) => [name, own.map(itemOf)]));
}

/** `/outer/inner` */
function pathOf(row: SourceRow): string {
  const levels = Array.from({ length: groupLevels }, (_, level) => textOf(row[`group${level}`]) ?? []);
  const names = levels.flat();
  return `/${names.toReversed().join('/')}`;
}
