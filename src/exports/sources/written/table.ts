/** The table of users of an old system, found in its database. */

import type { WrittenLogin, WrittenUsers } from '../../providers/database.ts';
import type { DatabaseProvider } from '../../providers/provider.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { SourceFault } from '../fault.ts';
import { Catalog, findTable, namesOf, type Naming } from '../find.ts';
import type { FoundTable } from '../statements.ts';
import type { AddressTable } from './addresses.ts';
import { type LoginTable, spellingsIn } from './logins.ts';

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
  readonly logins: LoginTable | undefined;
}

/** The column of the table of users for a user's id at a provider; undefined: it has none. */
export function loginColumnOf(
  { writes, columns }: UserTable,
  { provider }: WrittenLogin,
): string | undefined {
  const column = writes.loginColumn?.(provider);
  return column !== undefined && columns.has(column) ? column : undefined;
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
  const further = (sought: string | undefined) => {
    const declared = database.tables.find((each) => each.name === sought);
    return declared && findTable(declared, provider, catalog, naming);
  };
  const addresses = addressTable(writes.addresses, further(writes.addresses?.name));
  const logins = await loginTable(engine, writes.logins, further(writes.logins?.name), catalog);
  const own = { engine, writes, schema, table, key, hasIntegerKey, columns, username, ignoresCase };
  return { ...own, addresses, logins };
}

function addressTable(
  writes: WrittenUsers['addresses'],
  found: FoundTable | undefined,
): AddressTable | undefined {
  if (writes === undefined || found === undefined) return undefined;
  const { schema, table, key: userKey, hasIntegerKey } = found;
  return { writes, schema, table, userKey, hasIntegerKey };
}

/** @returns undefined also for a table whose columns have unknown names */
async function loginTable(
  engine: WritingEngine,
  writes: WrittenUsers['logins'],
  found: FoundTable | undefined,
  catalog: Catalog,
): Promise<LoginTable | undefined> {
  if (writes === undefined || found === undefined) return undefined;
  const { schema, table, key: userKey, hasIntegerKey } = found;
  const all = new Set(catalog.columnsOf(table).map(({ column }) => column));
  const named = (names: readonly string[] = []) => names.find((each) => all.has(each));
  const [provider, userId] = [named(writes.provider), named(writes.userId)];
  if (provider === undefined || userId === undefined) return undefined;
  const columns = { provider, userId, email: named(writes.email), all };
  const spellings = await spellingsIn(engine, { schema, table, columns });
  return { writes, schema, table, userKey, hasIntegerKey, columns, spellings };
}
