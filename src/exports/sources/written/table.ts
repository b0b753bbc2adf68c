/** The table of users of an old system, found in its database. */

import type { WrittenUsers } from '../../providers/database.ts';
import type { DatabaseProvider } from '../../providers/provider.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { SourceFault } from '../fault.ts';
import { Catalog, findTable, namesOf, type Naming } from '../find.ts';
import type { AddressTable } from './addresses.ts';

export interface UserTable {
  readonly engine: WritingEngine;
  readonly writes: WrittenUsers;
  readonly schema: string;
  readonly table: string;
  readonly key: string;
  readonly hasIntegerKey: boolean;
  /** That it has, of those that are written. */
  readonly columns: ReadonlySet<string>;
  /** The column of `writes` that it has; undefined where people sign in with their email. */
  readonly username: string | undefined;
  /** Whether the server compares emails without regard to case. */
  readonly ignoresCase: boolean;
  /** Undefined: the table does not exist. */
  readonly addresses: AddressTable | undefined;
}

/** @throws SourceFault if it is not the provider's */
export async function openUserTable(
  provider: DatabaseProvider,
  engine: WritingEngine,
  naming: Naming,
): Promise<UserTable> {
  const { database } = provider;
  const [users] = database.tables;
  const { writes } = database;
  if (writes === undefined || users === undefined) throw new Error(`${provider.name} is not written`);
  const catalogue = await engine.columns(namesOf(database, naming));
  const schema = naming.schema ?? engine.schema ?? database.schema ?? 'public';
  const catalog = new Catalog(catalogue, schema);
  const found = findTable(users, provider, catalog, naming);
  if (found === undefined) throw new SourceFault('There is no table of users');
  const there = catalog.columnsOf(found.table);
  const columns = new Set(there.map(({ column }) => column));
  const { table, key, hasIntegerKey } = found;
  const name = writes.username?.column;
  const username = name !== undefined && columns.has(name) ? name : undefined;
  const ignoresCase = [writes.email, username].every(
    (each) => each === undefined || there.some(({ column, ...is }) => column === each && is.ignoresCase),
  );
  const addresses = addressTable(provider, catalog, naming);
  return { engine, writes, schema, table, key, hasIntegerKey, columns, username, ignoresCase, addresses };
}

function addressTable(
  provider: DatabaseProvider,
  catalog: Catalog,
  naming: Naming,
): AddressTable | undefined {
  const { tables } = provider.database;
  const writes = provider.database.writes?.addresses;
  const declared = tables.find(({ name }) => name === writes?.name);
  const found = declared && findTable(declared, provider, catalog, naming);
  if (writes === undefined || found === undefined) return undefined;
  const { schema, table, key: userKey, hasIntegerKey } = found;
  return { writes, schema, table, userKey, hasIntegerKey };
}
