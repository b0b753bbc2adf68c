/** The table of users of an old system, found in its database. */

import type {
  DatabaseTable,
  WrittenEmailRows,
  WrittenLogin,
  WrittenRows,
  WrittenUser,
  WrittenUsers,
} from '../../providers/database.ts';
import type { DatabaseProvider } from '../../providers/provider.ts';
import type { CatalogColumn, WritingEngine } from '../engines/engine.ts';
import { SourceFault } from '../fault.ts';
import { columnNamed, findTable, readCatalog } from '../find.ts';
import type { Reading } from '../read.ts';
import { inRealm, realmOf } from '../realms.ts';
import type { FoundTable } from '../statements.ts';
import type { AddressTable } from './addresses.ts';
import type { EmailAccountTable } from './email-account.ts';
import type { EmailTable } from './email-rows.ts';
import type { DefaultTable, FurtherTable } from './further.ts';
import { type LoginDocumentTable, spellingsBefore } from './login-documents.ts';
import type { PairTable } from './login-pair.ts';
import { type LoginTable, spellingsIn } from './logins.ts';
import type { Named, NewKey, OwnTable, RealmCell } from './own-rows.ts';
import type { PasswordTable } from './passwords.ts';
import { openedTable, openedThrough, ownTable, type Place, sortIn, tablesOf } from './place.ts';

export interface UserTable {
  readonly engine: WritingEngine;
  readonly writes: WrittenUsers;
  readonly schema: string;
  readonly table: string;
  readonly key: string;
  readonly hasIntegerKey: boolean;
  /** Whether a text is in the form of a key: a server refuses to compare others with a column of whole numbers or UUIDs. */
  readonly mayBeKey: (text: string) => boolean;
  /** Undefined: all rows are of users who are written. */
  readonly realm: RealmCell | undefined;
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
  readonly loginDocuments: LoginDocumentTable | undefined;
  readonly loginPair: PairTable | undefined;
  readonly emailAccount: EmailAccountTable | undefined;
  readonly emailRows: readonly EmailTable[];
  /** Columns of a new row, with the values that most rows have. */
  readonly likeMost: readonly (readonly [column: string, value: string])[];
  readonly further: readonly FurtherTable[];
}

/** The column of the table of users for a user's id at a provider; undefined: it has none. */
export function loginColumnOf({ writes, named }: UserTable, { provider }: WrittenLogin): string | undefined {
  const column = writes.loginColumn?.(provider);
  return column === undefined ? undefined : named(column);
}

/** The name of `emailIn` in a result. */
export const emailShown = '_email';

/** The email of a row of users, as an expression. */
export function emailIn({ engine, writes, named }: UserTable): string {
  const { quote, inside } = engine.dialect;
  const column = quote(named(writes.email) ?? writes.email);
  return writes.emailKey === undefined ? column : inside(column, writes.emailKey);
}

/** @throws SourceFault if it is not the provider's */
export async function openUserTable(
  provider: DatabaseProvider,
  engine: WritingEngine,
  reading: Reading,
): Promise<UserTable> {
  const { found, place } = await findUsers(provider, engine, reading);
  const { writes } = place;
  const { schema, table, key, hasIntegerKey, realm } = found;
  const there = place.catalog.columnsOf(table);
  const own = ownTable(found, place, key);
  const { named } = own;
  const username = writes.username && named(writes.username.column);
  const passwords = await passwordTable(place);
  return {
    engine,
    writes,
    schema,
    table,
    key,
    hasIntegerKey,
    realm,
    named,
    username,
    passwords,
    mayBeKey: keyForm(columnNamed(key, there)),
    newKey: own.newKey?.make,
    ignoresCase: ignoreCase([writes.email, username], there),
    addresses: addressTable(place),
    hasPasswords: passwords !== undefined || named(writes.password) !== undefined,
    logins: await loginTable(place),
    loginDocuments: await loginDocumentTable(place),
    loginPair: await pairTable(place, own),
    emailAccount: emailAccountTable(place),
    emailRows: (writes.emailRows ?? []).flatMap((each) => emailTable(each, place) ?? []),
    likeMost: await commonest(engine, found, writes.likeMost),
    further: (writes.further ?? []).flatMap((each) => furtherTable(each, place) ?? []),
  };
}

async function findUsers(
  provider: DatabaseProvider,
  engine: WritingEngine,
  { naming, realm }: Reading,
): Promise<{ readonly found: FoundTable; readonly place: Place }> {
  const { database } = provider;
  const [users] = database.tables;
  const { writes } = database;
  if (writes === undefined || users === undefined) throw new Error(`${provider.name} is not written`);
  const tables = [...database.tables, ...tablesOf(writes)];
  const catalog = await readCatalog(engine, { ...database, tables }, naming);
  const chosen = await realmOf(provider, { engine, catalog, naming, realm });
  const find = (declared: DatabaseTable) => {
    const found = findTable(declared, provider, catalog, naming);
    return found && inRealm(found, catalog, users.realm, chosen?.id);
  };
  const findNamed: Place['findNamed'] = (of) => {
    const declared = of && tables.find(({ name }) => name === of.name);
    return declared && find(declared);
  };
  const found = find(users);
  if (found === undefined) throw new SourceFault('There is no table of users');
  const place = { engine, writes, catalog, find, findNamed, realmId: chosen?.id, prefix: naming.prefix };
  return { found, place };
}

/** The values that most rows of users have. */
async function commonest(
  engine: WritingEngine,
  { schema, table, realm }: FoundTable,
  columns: readonly string[] = [],
): Promise<UserTable['likeMost']> {
  const { quote, parameter, keyed } = engine.dialect;
  const where = realm === undefined ? '' : ` where ${quote(realm.column)} = ${parameter(1)}`;
  const parameters = realm === undefined ? [] : [realm.value];
  const found: (readonly [column: string, value: string])[] = [];
  for (const column of columns) {
    const from = `from ${quote(schema)}.${quote(table)}${where}`;
    const text = `select ${quote(column)} as ${quote('_key')} ${from} group by 1 order by count(*) desc limit 1`;
    for (const { key } of await engine.rows({ text: keyed(text), parameters })) found.push([column, key]);
  }
  return found;
}

function ignoreCase(columns: readonly (string | undefined)[], there: readonly CatalogColumn[]): boolean {
  return columns.every(
    (each) => each === undefined || there.some(({ column, ...is }) => column === each && is.ignoresCase),
  );
}

function keyForm(column: CatalogColumn | undefined): UserTable['mayBeKey'] {
  if (column?.isInteger === true) return (text) => /^\d{1,18}$/.test(text);
  if (column?.type !== 'uuid') return () => true;
  return (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

function addressTable(place: Place): AddressTable | undefined {
  const { addresses: writes } = place.writes;
  const found = place.findNamed(writes);
  return writes && found && { ...ownTable(found, place, writes.rowKey), writes };
}

async function passwordTable(place: Place): Promise<PasswordTable | undefined> {
  const { passwords, password: declared } = place.writes;
  const found = place.findNamed(passwords);
  if (passwords === undefined || found === undefined) return undefined;
  const own = ownTable(found, place, passwords.rowKey);
  const password = own.named(declared);
  if (password === undefined) return undefined;
  return { ...own, writes: { ...passwords, only: await sortIn(place, passwords.only) }, password };
}

/** @returns undefined also for a table whose columns have unknown names */
async function loginTable(place: Place): Promise<LoginTable | undefined> {
  const { logins: writes, providerNames } = place.writes;
  const found = place.findNamed(writes);
  if (writes === undefined || found === undefined) return undefined;
  const own = ownTable(found, place, writes.rowKey);
  const [provider, userId] = [own.named(writes.provider), own.named(writes.userId)];
  if (provider === undefined || userId === undefined) return undefined;
  const columns = { provider, userId, email: own.named(writes.email ?? []) };
  const spellings = await spellingsIn(place.engine, { ...own, provider }, providerNames);
  return { ...own, writes, columns, spellings };
}

async function loginDocumentTable(place: Place): Promise<LoginDocumentTable | undefined> {
  const { loginDocuments: writes, providerNames } = place.writes;
  const found = place.findNamed(writes);
  if (writes === undefined || found === undefined) return undefined;
  const identifiers = openedTable(writes.identifiers.table, place, writes.identifiers.rowKey);
  if (identifiers === undefined) return undefined;
  const only = await sortIn(place, writes.only);
  const table = { ...ownTable(found, place, writes.rowKey), writes: { ...writes, only }, identifiers };
  return { ...table, spellings: await spellingsBefore(place.engine, table, providerNames) };
}

/** @param own the table of users */
async function pairTable({ engine, writes }: Place, own: OwnTable): Promise<PairTable | undefined> {
  const { loginPair, providerNames } = writes;
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

function emailAccountTable(place: Place): EmailAccountTable | undefined {
  const { emailAccount: writes } = place.writes;
  const found = place.findNamed(writes);
  return writes && found && { ...ownTable(found, place), writes };
}

function emailTable(writes: WrittenEmailRows, place: Place): EmailTable | undefined {
  const own = openedThrough(writes, place, writes.rowKey);
  return own && { ...own, writes };
}

function furtherTable(writes: WrittenRows, place: Place): FurtherTable | undefined {
  const { defaults = [], newRows } = writes;
  const own = openedThrough(writes, place);
  if (own === undefined) return undefined;
  const { realmId, prefix } = place;
  const defaultTables = defaults.flatMap((each): readonly DefaultTable[] => {
    const found = openedTable(each.table, place);
    return found === undefined || realmId === undefined ? [] : [{ ...found, writes: each, realmId }];
  });
  return {
    ...own,
    defaults: defaultTables,
    rowsOf: (user: WrittenUser) => newRows?.(user, prefix) ?? [],
  };
}
