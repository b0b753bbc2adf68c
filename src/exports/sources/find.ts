/** Finds a provider's tables in the catalogue of a database, and reports missing ones. */

import { folded } from '../fields/declare.ts';
import type { CatalogColumn, Engine } from './engines/engine.ts';
import type { DatabaseTable, ProviderDatabase } from '../providers/database.ts';
import type { DatabaseProvider } from '../providers/provider.ts';
import { SourceFault } from './fault.ts';
import type { FoundTable } from './statements.ts';

/** The command line's names of tables. */
export interface Naming {
  readonly schema: string | undefined;
  /** Before every name. */
  readonly prefix: string;
  /** The name of the table of users here. */
  readonly usersTable: string | undefined;
}

/** Every possible name of the provider's tables. */
function namesOf({ tables, realms }: ProviderDatabase, naming: Naming): string[] {
  const own = tables.flatMap((table) => [
    ...candidatesOf(table, naming),
    ...(table.joins ?? []).map((join) => naming.prefix + join.table),
  ]);
  const ofRealms = realms === undefined ? [] : [naming.prefix + realms.table];
  return [...new Set([...own, ...ofRealms])];
}

function candidatesOf({ name, tables }: DatabaseTable, { prefix, usersTable }: Naming): string[] {
  if (name === 'users' && usersTable !== undefined) return [usersTable];
  return tables.map((each) => prefix + each);
}

/** The catalogue, by table: for one schema, and the columns in others. */
export class Catalog {
  readonly #columns: readonly CatalogColumn[];
  readonly #schema: string;

  constructor(columns: readonly CatalogColumn[], schema: string) {
    this.#columns = columns;
    this.#schema = schema;
  }

  get schema(): string {
    return this.#schema;
  }

  /** Empty if there is no such table. */
  columnsOf(table: string): readonly CatalogColumn[] {
    return this.#columns.filter((each) => each.schema === this.#schema && each.table === table);
  }

  /** The name as the database has it: those of Keycloak are in capitals in MySQL, which distinguishes them. */
  spelled(table: string): string {
    if (this.columnsOf(table).length > 0) return table;
    const other = this.#columns.find(
      (each) => each.schema === this.#schema && each.table.toLowerCase() === table.toLowerCase(),
    );
    return other?.table ?? table;
  }

  schemasWith(tables: readonly string[]): string[] {
    const found = this.#columns.filter(({ table }) => tables.includes(table));
    return [...new Set(found.map(({ schema }) => schema))];
  }
}

/** The part of the catalogue with the provider's tables. */
export async function readCatalog(
  engine: Engine,
  database: ProviderDatabase,
  naming: Naming,
): Promise<Catalog> {
  const columns = await engine.columns(namesOf(database, naming));
  return new Catalog(columns, naming.schema ?? engine.schema ?? database.schema ?? 'public');
}

/** @returns undefined for a missing optional table @throws SourceFault */
export function findTable(
  table: DatabaseTable,
  provider: DatabaseProvider,
  catalog: Catalog,
  naming: Naming,
): FoundTable | undefined {
  const candidates = candidatesOf(table, naming).map((each) => catalog.spelled(each));
  const here = candidates.filter((each) => catalog.columnsOf(each).length > 0);
  const name = here.find((each) => missingOf(table, catalog.columnsOf(each)) === undefined);
  const lost = name === undefined ? undefined : missingJoin(table, catalog, naming);
  if (name !== undefined && lost === undefined) return found(table, name, provider, { catalog, naming });
  if (table.isOptional === true) return undefined;
  if (lost !== undefined) throw new SourceFault(absent([lost]));
  throw new SourceFault(here[0] === undefined ? absent(candidates) : lacking(here[0]));

  function absent(names: readonly string[]): string {
    const elsewhere = catalog.schemasWith(names).filter((schema) => schema !== catalog.schema);
    const cure =
      elsewhere.length > 0
        ? `there is one in ${elsewhere.join(' and ')}: give --schema ${elsewhere[0] ?? ''}`
        : `${versionsOf(provider)}. Check the database of the address; if it has other names, ${cureOf(table)}`;
    return `There is no table ${names.join(' or ')} in ${catalog.schema}: ${cure}`;
  }

  function lacking(name: string): string {
    const column = missingOf(table, catalog.columnsOf(name)) ?? '';
    return `The table ${catalog.schema}.${name} has no column ${column}: ${versionsOf(provider)}. If it is another system's and yours has another name, ${cureOf(table)}`;
  }
}

/** If names are not the usual ones. */
function cureOf({ name }: DatabaseTable): string {
  return name === 'users'
    ? 'give --users-table, or --table-prefix'
    : 'give --table-prefix if all names begin with something';
}

function versionsOf({ name, database }: DatabaseProvider): string {
  return `${name} is read from ${database.versions}`;
}

function missingJoin(
  { joins = [] }: DatabaseTable,
  catalog: Catalog,
  { prefix }: Naming,
): string | undefined {
  const names = joins.map((join) => catalog.spelled(prefix + join.table));
  return names.find((name) => catalog.columnsOf(name).length === 0);
}

function missingOf({ id, columns }: DatabaseTable, there: readonly CatalogColumn[]): string | undefined {
  return [id, ...columns].find((name) => columnNamed(name, there) === undefined);
}

/** By its name, or else in another spelling: mappers turn `emailVerified` into `email_verified`. */
export function columnNamed(name: string, there: readonly CatalogColumn[]): CatalogColumn | undefined {
  return (
    there.find(({ column }) => column === name) ?? there.find(({ column }) => folded(column) === folded(name))
  );
}

interface Place {
  readonly catalog: Catalog;
  readonly naming: Naming;
}

function found(
  table: DatabaseTable,
  name: string,
  provider: DatabaseProvider,
  { catalog, naming }: Place,
): FoundTable {
  const there = catalog.columnsOf(name);
  const key = columnNamed(table.id, there);
  const { prefix } = naming;
  return {
    name: table.name,
    schema: catalog.schema,
    table: name,
    key: key?.column ?? table.id,
    hasIntegerKey: key?.isInteger === true,
    takes: takenOf([table.id, ...table.columns, ...declaredColumns(provider, table)], there),
    joins: (table.joins ?? []).map((join) => ({ ...join, table: catalog.spelled(prefix + join.table) })),
    only: table.only && {
      ...table.only,
      values: table.only.values.map((value) => value.replace('{prefix}', prefix)),
    },
    same: table.same,
    changed: timeOfChange(there),
  };
}

/** The usual names of a column that frameworks set at each change, folded. */
const changeNames: ReadonlySet<string> = new Set([
  'updatedat',
  'updated',
  'updatedon',
  'modified',
  'modifiedat',
  'lastmodified',
  'dateupdated',
  'lastupdated',
]);

function timeOfChange(there: readonly CatalogColumn[]): FoundTable['changed'] {
  const column = there.find(
    (each) => changeNames.has(folded(each.column)) && /^(timestamp|datetime)/.test(each.type),
  );
  return column && { column: column.column, type: column.type };
}

/** Columns of the provider's own table of that name; none for a table whose rows `assemble` converts to others. */
function declaredColumns(
  { tables }: DatabaseProvider,
  { name, as = name }: DatabaseTable,
): readonly string[] {
  const declared = tables.find((each) => each.name === as);
  return Object.values(declared?.fields ?? {})
    .filter(({ purpose }) => purpose !== 'left out')
    .flatMap(({ names }) => names);
}

/** Each column once, under the first of the names that it has. */
function takenOf(
  names: readonly string[],
  there: readonly CatalogColumn[],
): Readonly<Record<string, string>> {
  const takes = new Map<string, string>();
  for (const name of names) {
    const column = columnNamed(name, there)?.column;
    if (column !== undefined && !takes.has(column)) takes.set(column, name);
  }
  return Object.fromEntries(Array.from(takes, ([column, name]) => [name, column]));
}
