/** The tables of Kratos's database, as identities that its admin API answers. */

import { textOf } from '../parts/fields.ts';
import { ExportFault, lookupOption } from '../provider.ts';
import type { ConvertOptions, Lookup, Related, SourceRow, Table } from '../provider.ts';

const types = 'identity_credential_types';
const networks = 'networks';

const idOf = (row: SourceRow): string | undefined => textOf(row.identity_id);

/** What belongs to an identity, in dumps only. Identifiers have the id of a credential and of no identity. */
export const kratosTables: readonly Table[] = [
  { name: 'credentials', places: [], sqlNames: ['identity_credentials'], idOf },
  { name: 'addresses', places: [], sqlNames: ['identity_verifiable_addresses'], idOf },
];

export const kratosLookups: readonly Lookup[] = [
  { table: types, columns: ['id', 'name'] },
  { table: networks, columns: ['id'] },
];

/** @throws ExportFault for a dump of several networks, whose identities have nothing to do with one another */
export function prepareKratos(options: ConvertOptions): ConvertOptions {
  const rows = JSON.parse(options[lookupOption(networks)] ?? '[]') as readonly SourceRow[];
  if (rows.length <= 1) return options;
  throw new ExportFault(
    'the dump has identities of several networks: restore it into a database, and read one with export-from --from kratos --realm',
  );
}

export function isRowOfKratos(row: SourceRow): boolean {
  return 'nid' in row && typeof row.traits === 'string' && !('credentials' in row);
}

/** An identity of a dump, whose types of credentials are named. */
export function dumpedIdentity(row: SourceRow, related: Related, options: ConvertOptions): SourceRow {
  const rows = JSON.parse(options[lookupOption(types)] ?? '[]') as readonly SourceRow[];
  const names = new Map(rows.map(({ id, name }) => [textOf(id), name]));
  const credentials = (related.credentials ?? []).map((each) => ({
    ...each,
    type: names.get(textOf(each.identity_credential_type_id)),
  }));
  return kratosIdentity(row, { ...related, credentials });
}

/** Of rows whose types have names: a credential once for each of its identifiers. */
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
