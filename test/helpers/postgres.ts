/** Databases for tests, on the server that the global set-up started. */
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';

export interface TestDatabase {
  /** For postgres.js; `connection.database` is this database's own name. */
  readonly connection: EmbeddedConnection;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

interface Making {
  readonly template?: string;
  /** Default: that of the run. */
  readonly server?: EmbeddedConnection;
}

/** A new database, empty or cloned from `template`, which may have no connections at that moment. Call `drop()` in `afterAll`. */
export async function createDatabase({
  template = 'template0',
  server = inject('postgres'),
}: Making = {}): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withAdmin(server, async (sql) => {
    // Copied as files: through the log it takes three times as long. Before PostgreSQL 15 there is no other way.
    const how = (await versionOf((text) => sql.unsafe(text))) < 15 ? sql`` : sql`strategy file_copy`;
    await sql`create database ${sql(name)} template ${sql(template)} ${how}`;
  });
  return {
    connection: { ...server, database: name },
    drop: () => withAdmin(server, (sql) => dropDatabase(name, (text) => sql.unsafe(text))),
  };
}

type Run = (text: string) => PromiseLike<readonly object[]>;

/** @returns 18 */
async function versionOf(run: Run): Promise<number> {
  const [row] = (await run('show server_version_num')) as readonly { server_version_num: string }[];
  return Math.floor(Number(row?.server_version_num) / 10_000);
}

/** Ends every connection to it, too. */
export async function dropDatabase(name: string, run: Run): Promise<void> {
  if ((await versionOf(run)) >= 13) await run(`drop database if exists ${name} with (force)`);
  else {
    await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await run(`drop database if exists ${name}`);
  }
}

/** A new database with the tables of this version, as the first start of a core makes them in an empty one. */
export const createMigratedDatabase = (): Promise<TestDatabase> =>
  createDatabase({ template: inject('migrated') });

/** Runs `work` with one connection as the server's owner, which is closed afterwards. */
export async function withAdmin<Result>(
  server: EmbeddedConnection,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres({ ...server, max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
