/** Tables of an old system for the statements of a write-back, as its database has them. */

import type {
  ColumnName,
  DatabaseTable,
  WrittenRows,
  WrittenSort,
  WrittenUsers,
} from '../../providers/database.ts';
import type { CatalogColumn, WritingEngine } from '../engines/engine.ts';
import { SourceFault } from '../fault.ts';
import { type Catalog, columnNamed } from '../find.ts';
import type { FoundTable } from '../statements.ts';
import type { Named, OwnTable } from './own-rows.ts';

export interface Place {
  readonly engine: WritingEngine;
  readonly writes: WrittenUsers;
  readonly catalog: Catalog;
  /** @returns undefined for an optional table that does not exist */
  readonly find: (declared: DatabaseTable) => FoundTable | undefined;
  /** As `find`, of one of the provider's tables. */
  readonly findNamed: (of: { readonly name: string } | undefined) => FoundTable | undefined;
  readonly realmId: string | undefined;
  /** Of table names. */
  readonly prefix: string;
}

/** All tables besides those of the provider that rows are in, or come from. */
export function tablesOf({
  passwords,
  loginDocuments,
  emailRows = [],
  further = [],
}: WrittenUsers): readonly DatabaseTable[] {
  const own = [passwords?.only.of, loginDocuments?.only.of, loginDocuments?.identifiers];
  const rows = [...emailRows, ...further];
  const around = [...rows.map(({ through }) => through), ...further.flatMap(({ defaults = [] }) => defaults)];
  return [...own, ...rows, ...around].flatMap((each) => each?.table ?? []);
}

/** @param rowKey the column that `keys` fills */
export function ownTable(found: FoundTable, { catalog, writes }: Place, rowKey?: string): OwnTable {
  const { schema, table, key: userKey, hasIntegerKey, realm } = found;
  const there = catalog.columnsOf(table);
  const newKey = newKeyOf(writes, there, rowKey);
  return { schema, table, userKey, hasIntegerKey, realm, named: namedIn(there), newKey };
}

export function openedTable(declared: DatabaseTable, place: Place, rowKey?: string): OwnTable | undefined {
  const found = place.find(declared);
  return found && ownTable(found, place, rowKey);
}

/** @returns undefined if a table does not exist */
export function openedThrough(
  { table, through }: Pick<WrittenRows, 'table' | 'through'>,
  place: Place,
  rowKey?: string,
): OwnTable | undefined {
  const own = openedTable(table, place, rowKey);
  if (through === undefined) return own;
  const users = openedTable(through.table, place);
  return own && users && { ...own, through: { table: users, rowKey: through.rowKey } };
}

/** With the key of the named row. @throws SourceFault if there is no such row */
export async function sortIn({ engine, find }: Place, only: WrittenSort): Promise<WrittenSort> {
  const { column, value, of } = only;
  const types = of && find(of.table);
  if (of === undefined || types === undefined) return only;
  const { quote, parameter, keyed } = engine.dialect;
  const from = `from ${quote(types.schema)}.${quote(types.table)} where ${quote(of.name)} = ${parameter(1)}`;
  const text = keyed(`select ${quote(types.key)} as ${quote('_key')} ${from}`);
  const [row] = await engine.rows({ text, parameters: [value] });
  if (row === undefined) throw new SourceFault(`The table ${types.table} has no row ${value}`);
  return { column, value: row.key };
}

function namedIn(there: readonly CatalogColumn[]): Named {
  const find = (name: string) => columnNamed(name, there)?.column;
  return (names: ColumnName) => (typeof names === 'string' ? find(names) : firstOf(names, find));
}

function firstOf(names: readonly string[], find: (name: string) => string | undefined): string | undefined {
  return names.map(find).find((each) => each !== undefined);
}

/** @returns undefined: the table gives keys */
function newKeyOf(
  { keys }: WrittenUsers,
  there: readonly CatalogColumn[],
  declared: string | undefined,
): OwnTable['newKey'] {
  const column = declared === undefined ? undefined : columnNamed(declared, there);
  if (keys === undefined || column === undefined || column.isInteger) return undefined;
  const form = column.type === 'uuid' ? 'uuid' : 'text';
  return { column: column.column, make: (seed) => keys(seed, form) };
}
