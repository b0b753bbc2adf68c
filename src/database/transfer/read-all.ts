/** Reads all of a core's data as of one moment while it serves. */
import type { Database } from '../database.ts';
import { readMigrations, refuseDevelopment } from '../migrate.ts';
import type { CopyOut, Query } from '../query.ts';
import { type Contents, nothingThere, quoted, quotedTable, readContents, type Table } from './contents.ts';
import type { TakePiece } from './copy-out.ts';

export interface Reader {
  readonly contents: Contents;
  /** Of the same moment. */
  readonly read: Query;
  /** In PostgreSQL's binary format. @returns the number of rows, counted separately */
  readonly readTable: (table: Table, take: TakePiece) => Promise<number>;
}

/** The reader of the pieces may be slow. */
const statementTimeoutMs = 86_400_000;

/**
 * Lends a consistent snapshot of the database. Cores continue; one that would migrate waits, because an older snapshot does not
 * contain the rows of a rewritten table.
 * @throws StartupError if it is not a core's database, or one that no released core can restore
 */
export function readAll<Result>(
  database: Database,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  return database.transaction(
    async (query, savepoint) => {
      await query('set transaction isolation level repeatable read');
      await keepTables(query);
      const contents = await readContents(query);
      refuseDevelopment(contents.migrations, await readMigrations());
      await query(
        `lock table ${contents.tables.map(({ name }) => quotedTable(name)).join(', ')} in access share mode`,
      );
      return savepoint((inner, _copy, copyOut) =>
        work({ contents, read: inner, readTable: (table, take) => readTable(inner, copyOut, table, take) }),
      );
    },
    { statementTimeoutMs },
  );
}

/** Before the first query, which takes the snapshot. */
async function keepTables(query: Query): Promise<void> {
  await query(`lock table ${quotedTable('migrations')} in share mode`).catch((error: unknown) => {
    throw isUndefined(error) ? nothingThere() : error;
  });
}

/** undefined_table, invalid_schema_name */
function isUndefined(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '42P01' || error.code === '3F000');
}

async function readTable(
  query: Query,
  copyOut: CopyOut,
  { name, columns }: Table,
  take: TakePiece,
): Promise<number> {
  const [counted] = await query<{ rows: number }>(`select count(*) as rows from ${quotedTable(name)}`);
  await copyOut(
    `copy ${quotedTable(name)} (${columns.map(quoted).join(', ')}) to stdout (format binary)`,
    take,
  );
  return counted?.rows ?? 0;
}
