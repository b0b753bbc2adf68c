/** A database as an earlier core left it. */
import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '../../src/store/database/database.ts';

const folder = new URL('../../src/store/migrations/', import.meta.url);

/** On an empty database: all migrations up to this one, in one transaction as `migrate` applies them. */
export async function migrateUpTo(database: Database, newest: number): Promise<void> {
  const names = (await readdir(folder)).sort().filter((name) => Number.parseInt(name, 10) <= newest);
  await database.transaction(async (query) => {
    await query('create schema carryover');
    await query('create table carryover.migrations (version integer primary key, name text not null)');
    for (const name of names) {
      await query(await readFile(new URL(name, folder), 'utf8'));
      await query('insert into carryover.migrations values ($1, $2)', [Number.parseInt(name, 10), name]);
    }
  });
}
