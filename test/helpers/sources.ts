/** Databases of old systems, with their tables. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createDatabase, type TestDatabase, withAdmin } from './postgres.ts';

export interface OldDatabase extends TestDatabase {
  /** As on a command line. */
  readonly address: string;
  readonly run: (statements: string) => Promise<void>;
}

/** A database with the tables and people of `test/sources/tables/`. */
export async function createOldDatabase(statements: string): Promise<OldDatabase> {
  const database = await createDatabase();
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
  return readFile(fileURLToPath(new URL(`../sources/tables/${name}.sql`, import.meta.url)), 'utf8');
}

function addressOf({ host, port, user, password, database }: TestDatabase['connection']): string {
  const url = new URL(`postgres://localhost/${database}`);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  url.searchParams.set('host', host);
  url.searchParams.set('port', String(port));
  return url.href;
}
