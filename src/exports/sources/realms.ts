/** Chooses the set of users, if a database has several. */

import type { Engine } from './engines/engine.ts';
import type { Realms } from '../providers/database.ts';
import type { DatabaseProvider } from '../providers/provider.ts';
import { SourceFault } from './fault.ts';
import { type Catalog, columnNamed, type Naming } from './find.ts';
import { allOf, type FoundTable } from './statements.ts';

export interface Realm {
  readonly id: string;
  readonly name: string;
}

interface Choosing {
  readonly engine: Engine;
  readonly catalog: Catalog;
  readonly naming: Naming;
  /** Its name as it was given. */
  readonly realm: string | undefined;
}

/** As chooseRealm, of a provider. @throws SourceFault also for a realm of a provider that has none */
export async function realmOf(
  { name, database: { realms } }: DatabaseProvider,
  choosing: Choosing,
): Promise<Realm | undefined> {
  if (realms !== undefined) return chooseRealm(realms, choosing);
  if (choosing.realm !== undefined) throw new SourceFault(`--realm: ${name} has none, leave it out`);
  return undefined;
}

/** Older versions lack the column in some tables. */
export function inRealm(
  table: FoundTable,
  catalog: Catalog,
  declared: string | undefined,
  value: string | undefined,
): FoundTable {
  const column = declared && columnNamed(declared, catalog.columnsOf(table.table))?.column;
  return column === undefined || value === undefined ? table : { ...table, realm: { column, value } };
}

/**
 * The named one, or else the usual one, or else the only one besides the administrators' own.
 * @throws SourceFault with their names if that is not decisive; undefined for versions without such a table
 */
async function chooseRealm(realms: Realms, choosing: Choosing): Promise<Realm | undefined> {
  const { catalog, naming, realm } = choosing;
  const table = catalog.spelled(naming.prefix + realms.table);
  if (catalog.columnsOf(table).length === 0) {
    if (realm === undefined) return undefined;
    throw new SourceFault(`--realm: there is no table ${catalog.schema}.${table}, leave it out`);
  }
  const all = await readRealms(realms, table, choosing);
  const wanted = realm ?? realms.usual;
  const found = wanted === undefined ? onlyOne(realms, all) : all.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const names = all.map(({ name }) => name);
  const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ' …' : '');
  throw new SourceFault(
    `${realm === undefined ? `Say which ${realms.word} with --realm` : `There is no ${realms.word} of that name`}: there is ${shown}`,
  );
}

function onlyOne({ own }: Realms, all: readonly Realm[]): Realm | undefined {
  const others = all.length === 1 ? all : all.filter(({ name }) => name !== own);
  return others.length === 1 ? others[0] : undefined;
}

async function readRealms(realms: Realms, table: string, { engine, catalog }: Choosing): Promise<Realm[]> {
  const { id, name } = realms;
  const found = { name: 'realms', schema: catalog.schema, table, key: id, hasIntegerKey: false };
  const rows = await engine.rows(allOf({ ...found, takes: { name }, joins: [] }, engine.dialect));
  return rows.map(({ key, row }) => ({ id: key, name: String(row.name) }));
}
