/** The table of users of an old system, found in its database. */

import type {
  Cell,
  DatabaseTable,
  WrittenLogin,
  WrittenUser,
  WrittenUsers,
} from '../../providers/database.ts';
import type { DatabaseProvider } from '../../providers/provider.ts';
import type { CatalogColumn, WritingEngine } from '../engines/engine.ts';
import { SourceFault } from '../fault.ts';
import { Catalog, columnNamed, findTable, namesOf, type Naming } from '../find.ts';
import type { FoundTable } from '../statements.ts';
import type { AddressTable } from './addresses.ts';
import type { EmailTable } from './email-row.ts';
import type { PairTable } from './login-pair.ts';
import { type LoginTable, spellingsIn } from './logins.ts';
import type { Named, NewKey, OwnTable } from './own-rows.ts';
import type { PasswordTable } from './passwords.ts';

export interface UserTable {
  readonly engine: WritingEngine;
  readonly writes: WrittenUsers;
  readonly schema: string;
  readonly table: string;
  readonly key: string;
  readonly hasIntegerKey: boolean;
  /** Whether a text is in the form of a key: a server refuses to compare others with a column of whole numbers or UUIDs. */
  readonly mayBeKey: (text: string) => boolean;
  readonly named: Named;
  /** The key of a new row; undefined: the table gives it. */
  readonly newKey: NewKey | undefined;
  /** The column of `writes` that it has; undefined where people sign in with their email. */
  readonly username: string | undefined;
  /** Whether the server compares emails without regard to case. */
  readonly ignoresCase: boolean;
  /** Undefined: the table does not exist. */
  readonly addresses: AddressTable | undefined;
  /** Undefined: passwords are in the table of users. */
  readonly passwords: PasswordTable | undefined;
  readonly hasPasswords: boolean;
  readonly logins: LoginTable | undefined;
  readonly loginPair: PairTable | undefined;
  readonly emailRow: EmailTable | undefined;
  readonly further: readonly FurtherTable[];
}

/** A table with further rows of a user. */
export interface FurtherTable extends OwnTable {
  /** Of a new user. */
  readonly rowsOf: (user: WrittenUser) => readonly Readonly<Record<string, Cell>>[];
}

/** The column of the table of users for a user's id at a provider; undefined: it has none. */
export function loginColumnOf({ writes, named }: UserTable, { provider }: WrittenLogin): string | undefined {
  const column = writes.loginColumn?.(provider);
  return column === undefined ? undefined : named(column);
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
  const tables = [...database.tables, ...(writes.further ?? []).map((each) => each.table)];
  const catalogue = await engine.columns(namesOf({ ...database, tables }, naming));
  const schema = naming.schema ?? engine.schema ?? database.schema ?? 'public';
  const catalog = new Catalog(catalogue, schema);
  const found = findTable(users, provider, catalog, naming);
  if (found === undefined) throw new SourceFault('There is no table of users');
  const there = catalog.columnsOf(found.table);
  const { table, key, hasIntegerKey } = found;
  const named = namedIn(there);
  const username = writes.username && named(writes.username.column);
  const ignoresCase = [writes.email, username].every(
    (each) => each === undefined || there.some(({ column, ...is }) => column === each && is.ignoresCase),
  );
  const mayBeKey = keyForm(columnNamed(key, there));
  const own = { engine, writes, schema, table, key, hasIntegerKey, mayBeKey, named, username, ignoresCase };
  const newKey = newKeyOf(writes, there, key)?.make;
  const find = (declared: DatabaseTable) => findTable(declared, provider, catalog, naming);
  const placeOf = (sought: { readonly name: string } | undefined) => {
    const declared = sought && tables.find(({ name }) => name === sought.name);
    return declared && find(declared);
  };
  const passwords = passwordTable(writes, placeOf(writes.passwords), catalog);
  return {
    ...own,
    newKey,
    addresses: addressTable(writes.addresses, placeOf(writes.addresses), catalog),
    passwords,
    hasPasswords: passwords !== undefined || named(writes.password) !== undefined,
    logins: await loginTable(engine, writes, placeOf(writes.logins), catalog),
    loginPair: await pairTable(engine, writes, ownTable(found, catalog)),
    emailRow: emailTable(writes.emailRow, placeOf(writes.emailRow), catalog),
    further: (writes.further ?? []).flatMap(({ table: declared, newRows }) => {
      const one = find(declared);
      if (one === undefined) return [];
      const rowsOf = (user: WrittenUser) => newRows?.(user, naming.prefix) ?? [];
      return [{ ...ownTable(one, catalog), rowsOf }];
    }),
  };
}

function namedIn(there: readonly CatalogColumn[]): Named {
  const find = (name: string) => columnNamed(name, there)?.column;
  return (names) => (typeof names === 'string' ? find(names) : firstOf(names, find));
}

function firstOf(names: readonly string[], find: (name: string) => string | undefined): string | undefined {
  return names.map(find).find((each) => each !== undefined);
}

function keyForm(column: CatalogColumn | undefined): UserTable['mayBeKey'] {
  if (column?.isInteger === true) return (text) => /^\d{1,18}$/.test(text);
  if (column?.type !== 'uuid') return () => true;
  return (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** @returns undefined: the table gives keys */
function newKeyOf({ keys }: WrittenUsers, there: readonly CatalogColumn[], declared: string) {
  const column = columnNamed(declared, there);
  if (keys === undefined || column === undefined || column.isInteger) return undefined;
  const form = column.type === 'uuid' ? 'uuid' : 'text';
  return { column: column.column, make: (seed: string) => keys(seed, form) };
}

function ownTable({ schema, table, key: userKey, hasIntegerKey }: FoundTable, catalog: Catalog): OwnTable {
  return { schema, table, userKey, hasIntegerKey, named: namedIn(catalog.columnsOf(table)) };
}

function addressTable(
  writes: WrittenUsers['addresses'],
  found: FoundTable | undefined,
  catalog: Catalog,
): AddressTable | undefined {
  return writes && found && { ...ownTable(found, catalog), writes };
}

function passwordTable(
  writes: WrittenUsers,
  found: FoundTable | undefined,
  catalog: Catalog,
): PasswordTable | undefined {
  const { passwords } = writes;
  if (passwords === undefined || found === undefined) return undefined;
  const own = ownTable(found, catalog);
  const password = own.named(writes.password);
  if (password === undefined) return undefined;
  const newKey = newKeyOf(writes, catalog.columnsOf(found.table), passwords.rowKey);
  return { ...own, writes: passwords, password, newKey };
}

/** @returns undefined also for a table whose columns have unknown names */
async function loginTable(
  engine: WritingEngine,
  writes: WrittenUsers,
  found: FoundTable | undefined,
  catalog: Catalog,
): Promise<LoginTable | undefined> {
  const { logins } = writes;
  if (logins === undefined || found === undefined) return undefined;
  const own = ownTable(found, catalog);
  const [provider, userId] = [own.named(logins.provider), own.named(logins.userId)];
  if (provider === undefined || userId === undefined) return undefined;
  const columns = { provider, userId, email: own.named(logins.email ?? []) };
  const { rowKey } = logins;
  const newKey = rowKey === undefined ? undefined : newKeyOf(writes, catalog.columnsOf(found.table), rowKey);
  const spellings = await spellingsIn(engine, { ...own, provider }, writes.providerNames);
  return { ...own, writes: logins, newKey, columns, spellings };
}

async function pairTable(
  engine: WritingEngine,
  { loginPair, providerNames }: WrittenUsers,
  own: OwnTable,
): Promise<PairTable | undefined> {
  if (loginPair === undefined) return undefined;
  const [provider, userId] = [own.named(loginPair.provider), own.named(loginPair.userId)];
  if (provider === undefined || userId === undefined) return undefined;
  const spellings = await spellingsIn(engine, { ...own, provider }, providerNames);
  const isOwnThere = loginPair.own !== undefined && spellings.has(loginPair.own);
  return {
    ...own,
    columns: { provider, userId },
    spellings,
    own: isOwnThere ? loginPair.own : undefined,
  };
}

function emailTable(
  writes: WrittenUsers['emailRow'],
  found: FoundTable | undefined,
  catalog: Catalog,
): EmailTable | undefined {
  return writes && found && { ...ownTable(found, catalog), writes };
}
