/** The tables of Kratos's database, as identities in the form of its admin API. */

import { valueOf, type Values } from '../fields/declare.ts';
import { textOf } from './parts/fields.ts';
import { ExportFault, lookupOption } from './provider.ts';
import type { ConvertOptions, Lookup, Related, SourceRow, Table } from './provider.ts';
import { addressRowFields, type Credentials, credentialRowFields, credentialTypes } from './kratos-fields.ts';

const types = 'identity_credential_types';
const networks = 'networks';

/** An identity's rows in other tables, in dumps only. Identifiers refer to a credential, not to an identity. */
export const kratosTables: readonly Table[] = [
  {
    name: 'credentials',
    places: [],
    fields: credentialRowFields,
    sqlNames: ['identity_credentials'],
    idOf: (row) => valueOf(row, credentialRowFields.identityId),
  },
  {
    name: 'addresses',
    places: [],
    fields: addressRowFields,
    sqlNames: ['identity_verifiable_addresses'],
    idOf: (row) => valueOf(row, addressRowFields.identityId),
  },
];

export const kratosLookups: readonly Lookup[] = [
  { table: types, columns: ['id', 'name'] },
  { table: networks, columns: ['id'] },
];

/** @throws ExportFault for a dump of several networks, whose identities are unrelated */
export function prepareKratos(options: ConvertOptions): ConvertOptions {
  const rows = JSON.parse(options[lookupOption(networks)] ?? '[]') as readonly SourceRow[];
  if (rows.length <= 1) return options;
  throw new ExportFault(
    'the dump has identities of several networks: restore it into a database, and read one with export-from --from kratos --realm',
  );
}

/** Parsed once for the records of a task, which share their options. */
const parsed = new WeakMap<ConvertOptions, ReadonlyMap<string, string>>();

function typesIn(options: ConvertOptions): ReadonlyMap<string, string> {
  const known = parsed.get(options);
  if (known !== undefined) return known;
  const rows = JSON.parse(options[lookupOption(types)] ?? '[]') as readonly SourceRow[];
  const names = new Map(rows.map(({ id, name }) => [textOf(id) ?? '', textOf(name) ?? '']));
  parsed.set(options, names);
  return names;
}

/** The credentials of an identity in a dump. Identifiers are not read there. */
export function credentialsOfRows(
  rows: readonly Values<typeof credentialRowFields>[],
  options: ConvertOptions,
): Partial<Credentials> {
  const names = typesIn(options);
  const found = rows.flatMap(({ typeId = '', config }) => {
    const type = names.get(typeId) ?? '';
    if (!Object.hasOwn(credentialTypes, type)) return [];
    return [[credentialTypes[type as keyof typeof credentialTypes], { identifiers: [], config }] as const];
  });
  return Object.fromEntries(found);
}

/** An identity in the form of the API, from rows whose types have names: a credential once for each of its identifiers. */
export function kratosIdentity(row: SourceRow, related: Related): SourceRow {
  const { credentials = [], addresses = [] } = related;
  const byType = Map.groupBy(credentials, ({ type }) => textOf(type) ?? '');
  const made = [...byType].map(([type, rows]) => [type, credentialOf(rows)] as const);
  return { ...row, credentials: Object.fromEntries(made), verifiable_addresses: addresses };
}

function credentialOf(rows: readonly SourceRow[]): SourceRow {
  const identifiers = rows.flatMap(({ identifier }) => textOf(identifier) ?? []);
  return { identifiers, config: rows[0]?.config };
}
