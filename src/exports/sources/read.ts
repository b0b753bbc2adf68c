/** Reads every user of an old system from its database, as it was at one moment. */

import type { Related } from '../fields/source-row.ts';
import type { Engine, Key, KeyedRow } from './engines/engine.ts';
import type { DatabaseUser, ProviderDatabase } from '../providers/database.ts';
import type { DatabaseProvider } from '../providers/provider.ts';
import { type Changes, changesIn } from './changes.ts';
import { type LogReading, logReading } from './log/log-reading.ts';
import { findTable, type Naming, readCatalog } from './find.ts';
import { inRealm, realmOf } from './realms.ts';
import { countOf, type FoundTable, pageOf, rowsOf } from './statements.ts';

export interface Reading {
  readonly naming: Naming;
  /** The name of one; undefined: the usual, or the only one. */
  readonly realm: string | undefined;
}

/** The findings before anything is read. */
export interface Readable {
  /** The table of users, for people: `auth.users`. */
  readonly place: string;
  readonly realm: string | undefined;
  readonly users: number;
  /** Names of optional tables that are missing. */
  readonly missing: readonly string[];
  /** Pages in turn; the next is requested while one is processed. */
  readonly pages: () => AsyncGenerator<readonly DatabaseUser[]>;
  /** Undefined unless the table of users has a column with the time of the last change. */
  readonly changes: Changes | undefined;
  /** Undefined for servers whose log is not read. */
  readonly byLog: LogReading | undefined;
}

/** Users of a page, unless they are large. */
const pageUsers = 1000;
const fewestUsers = 10;
/** A page with larger rows is followed by a smaller one. */
const pageBytes = 8 * 1024 * 1024;

/** @throws SourceFault if the tables are not those of the provider */
export async function openSource(
  provider: DatabaseProvider,
  engine: Engine,
  { naming, realm }: Reading,
): Promise<Readable> {
  const { name, database } = provider;
  const catalog = await readCatalog(engine, database, naming);
  const tables = database.tables.map((table) => ({
    table,
    found: findTable(table, provider, catalog, naming),
  }));
  const chosen = await realmOf(provider, { engine, catalog, naming, realm });
  const here = tables.flatMap(({ table, found }) =>
    found === undefined ? [] : [inRealm(found, catalog, table.realm, chosen?.id)],
  );
  const [users, ...others] = here;
  if (users === undefined) throw new Error(`${name} has no tables`);
  const read = (keys: readonly Key[]) => readUsers({ database, engine, users, others }, keys);
  const [counted] = await engine.rows(countOf(users, engine.dialect));
  return {
    place: `${users.schema}.${users.table}`,
    realm: chosen?.name,
    users: Number(counted?.row.count ?? 0),
    missing: tables.flatMap(({ table, found }) => (found === undefined ? [table.tables[0] ?? ''] : [])),
    pages: () => readPages({ database, engine, users, others }),
    changes: changesIn(engine, here, read),
    byLog: engine.name === 'postgres' ? logReading(engine, here, read) : undefined,
  };
}

interface Tables {
  readonly database: ProviderDatabase;
  readonly engine: Engine;
  readonly users: FoundTable;
  readonly others: readonly FoundTable[];
}

async function* readPages(tables: Tables): AsyncGenerator<readonly DatabaseUser[]> {
  let next = readPage(tables, undefined, pageUsers);
  for (;;) {
    const { users, last, limit, isLast } = await next;
    if (!isLast) {
      next = readPage(tables, last, limit);
      // A reader that stops does not wait for this page.
      next.catch(() => undefined);
    }
    if (users.length > 0) yield users;
    if (isLast) return;
  }
}

interface Page {
  readonly users: readonly DatabaseUser[];
  readonly last: Key | undefined;
  /** For the page after it. */
  readonly limit: number;
  readonly isLast: boolean;
}

async function readPage(
  { database, engine, users, others }: Tables,
  after: Key | undefined,
  limit: number,
): Promise<Page> {
  const rows = await engine.rows(pageOf(users, engine.dialect, after, limit));
  const { read, bytes } = await withRelated({ database, engine, users, others }, rows);
  return {
    users: read,
    last: rows.at(-1)?.key,
    limit: nextLimit(limit, bytes),
    isLast: rows.length < limit,
  };
}

/** Of these keys, those that are there. */
async function readUsers(tables: Tables, keys: readonly Key[]): Promise<readonly DatabaseUser[]> {
  const { engine, users } = tables;
  const rows = await engine.rows(rowsOf(users, engine.dialect, keys));
  return (await withRelated(tables, rows)).read;
}

async function withRelated(
  { database, engine, others }: Tables,
  rows: readonly KeyedRow[],
): Promise<{ readonly read: readonly DatabaseUser[]; readonly bytes: number }> {
  const keys = rows.map(({ key }) => key);
  const related: (readonly [string, ReadonlyMap<Key, Related[string]>])[] = [];
  let bytes = bytesOf(rows);
  for (const table of others) {
    const found = keys.length === 0 ? [] : await engine.rows(rowsOf(table, engine.dialect, keys));
    bytes += bytesOf(found);
    related.push([table.name, byKey(found)]);
  }
  const read = rows.map(({ key, row }) => ({
    row,
    related: Object.fromEntries(related.map(([name, map]) => [name, map.get(key) ?? []])),
  }));
  return { read: database.assemble === undefined ? read : read.map(database.assemble), bytes };
}

/** Half as many users if they take much memory, twice as many if they take little. */
function nextLimit(limit: number, bytes: number): number {
  if (bytes > pageBytes) return Math.max(fewestUsers, Math.floor(limit / 2));
  return bytes < pageBytes / 4 ? Math.min(pageUsers, limit * 2) : limit;
}

function bytesOf(rows: readonly KeyedRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

function byKey(rows: readonly KeyedRow[]): ReadonlyMap<Key, Related[string]> {
  const map = new Map<Key, Related[string][number][]>();
  for (const { key, row } of rows) {
    const known = map.get(key);
    if (known === undefined) map.set(key, [row]);
    else known.push(row);
  }
  return map;
}
