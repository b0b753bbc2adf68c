/** Writes all of a core's data into an empty database. */
import { StartupError } from '../../process/startup-error.ts';
import { schemaName } from '../connection/settings.ts';
import type { Database } from '../database.ts';
import { applyMissing, readMigrations, takeTurn } from '../migrate.ts';
import type { Copy, Query } from '../query.ts';
import { quoted, quotedTable, readContents, type Sequence, type Table } from './contents.ts';

export interface Writer {
  readonly tables: ReadonlyMap<string, Table>;
  /** @returns the number of rows in the table afterwards, counted separately */
  writeTable(table: Table, input: AsyncIterable<Uint8Array>): Promise<number>;
  setSequences(sequences: readonly Sequence[]): Promise<void>;
}

/** The sender of the rows may be slow. */
const statementTimeoutMs = 86_400_000;

/**
 * Makes the tables of a version, lends them empty, and migrates the written data to this core's version: all or nothing.
 * @param version at most this core's own
 * @returns what `work` returned
 * @throws StartupError if the database has tables of a core
 */
export function writeAll<Result>(
  database: Database,
  version: number,
  work: (writer: Writer) => Promise<Result>,
): Promise<Result> {
  let isBegun = false;
  return database.transaction(
    async (query, savepoint) => {
      // The input of `work` can be read only once, so there is no retry.
      if (isBegun) throw new StartupError('Another client writes to the database: stop it, and try again');
      isBegun = true;
      await takeTurn(query);
      await refuseInhabited(query);
      const migrations = await readMigrations();
      await applyMissing(
        query,
        migrations.filter((each) => each.version <= version),
      );
      const result = await savepoint(async (inner, copy) => work(await emptyTables(inner, copy)));
      await applyMissing(query, migrations);
      return result;
    },
    { statementTimeoutMs },
  );
}

async function refuseInhabited(query: Query): Promise<void> {
  const obstacle = await obstacleIn(query);
  if (obstacle !== undefined) throw new StartupError(obstacle);
}

/**
 * Any table counts: restored rows could not be distinguished from existing ones.
 * @returns why nothing can be restored there, with the cure; undefined for an empty database
 */
export async function obstacleIn(query: Query): Promise<string | undefined> {
  const rows = await query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = to_regnamespace($1) and relkind in ('r', 'p', 'v', 'm', 'f') order by 1 limit 3`,
    [schemaName],
  );
  if (rows.length === 0) return undefined;
  const named = rows.map(({ name }) => name);
  if (named.length === 3) named.push('…');
  return `The database holds tables in the schema ${schemaName} (${named.join(', ')}), and a backup is restored only where there are none: give another database or data folder; where nothing in it is needed, drop the schema or move the folder away`;
}

/** Removes rows that migrations insert: those of the backup replace them. */
async function emptyTables(query: Query, copy: Copy): Promise<Writer> {
  const { tables } = await readContents(query);
  await query(`truncate ${tables.map(({ name }) => quotedTable(name)).join(', ')}`);
  return {
    tables: new Map(tables.map((table) => [table.name, table])),
    async writeTable({ name, columns }, input) {
      await copy(
        `copy ${quotedTable(name)} (${columns.map(quoted).join(', ')}) from stdin (format binary)`,
        input,
      );
      const [counted] = await query<{ rows: number }>(`select count(*) as rows from ${quotedTable(name)}`);
      return counted?.rows ?? 0;
    },
    async setSequences(sequences) {
      for (const { name, lastValue } of sequences)
        if (lastValue !== null)
          await query('select setval($1::text::regclass, $2::bigint)', [quotedTable(name), lastValue]);
    },
  };
}
