/** Databases of old systems, with their tables. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { createDatabase, type TestDatabase, withAdmin } from './postgres.ts';

export interface OldDatabase extends TestDatabase {
  /** As on a command line. */
  readonly address: string;
  readonly run: (statements: string) => Promise<void>;
}

/** A database with the tables and people of `test/sources/tables/`, on the server of old systems. */
export async function createOldDatabase(statements: string): Promise<OldDatabase> {
  const database = await createDatabase({ server: inject('oldPostgres') });
  const { connection } = database;
  const run = (given: string) =>
    withAdmin(connection, async (sql) => {
      await sql.unsafe(given);
    });
  await run(statements);
  return { ...database, address: addressOf(connection), run };
}

/** The statements that make the tables of one system. */
export function tablesOf(name: string): Promise<string> {
  return readFile(fileOf(name), 'utf8');
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../sources/tables/${name}.sql`, import.meta.url));
}

/** Tables of PostgreSQL in MySQL's syntax, for systems with the same tables in both. */
export function inMysql(statements: string): string {
  const words = [
    [/\bbigserial\b/g, 'bigint auto_increment'],
    [/\bserial\b/g, 'integer auto_increment'],
    [/\bboolean\b/g, 'bit(1)'],
    [/\bbytea\b/g, 'blob'],
    [/\bdecode\(('[^']*'), 'base64'\)/g, 'from_base64($1)'],
    [/\bjsonb\b/g, 'json'],
    [/\buuid\b/g, 'char(36)'],
    [/\btimestamp(tz)?\b/g, 'datetime(6)'],
    [/(\d\d:\d\d)\+00'/g, "$1'"],
    [/(\.\d{3})\+00'/g, "$1'"],
    [/"primary"/g, '`primary`'],
  ] as const;
  return words.reduce((text, [from, to]) => text.replace(from, to), statements);
}

/** As tablesOf, for MySQL: some systems have a file of their own. */
export async function mysqlTablesOf(name: string): Promise<string> {
  return existsSync(fileOf(`${name}.mysql`)) ? tablesOf(`${name}.mysql`) : inMysql(await tablesOf(name));
}

function addressOf({ host, port, user, password, database }: TestDatabase['connection']): string {
  const url = new URL(`postgres://localhost/${database}`);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  url.searchParams.set('host', host);
  url.searchParams.set('port', String(port));
  return url.href;
}
