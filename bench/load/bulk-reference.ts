import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import type { BulkFiles } from './bulk-files.ts';
import type { Cluster } from './cluster.ts';

const tables = new URL('../reference/bulk.sql', import.meta.url);

/**
 * The fixed reference: one connection that copies finished rows into the two leanest tables that hold a user.
 * @returns users a second, durable
 */
export async function runReference({ target }: Cluster, files: BulkFiles): Promise<number> {
  const sql = postgres({ ...target, max: 1, onnotice: () => undefined });
  try {
    await sql`drop table if exists reference_users, reference_identities`;
    await sql.unsafe(await readFile(tables, 'utf8')).simple();
    await sql`checkpoint`;
    const startedAt = performance.now();
    await copy(sql, 'reference_users', files.referenceUsers);
    await copy(sql, 'reference_identities', files.referenceIdentities);
    return files.users / ((performance.now() - startedAt) / 1000);
  } finally {
    await sql`drop table if exists reference_users, reference_identities`;
    await sql.end();
  }
}

async function copy(sql: postgres.Sql, table: string, file: string): Promise<void> {
  const target = await sql`copy ${sql(table)} from stdin`.writable();
  await pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), target);
}
