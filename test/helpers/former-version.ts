/** A database as an earlier core left it. */
import type { Database } from '../../src/database/database.ts';
import { readMigrations } from '../../src/database/migrate.ts';

/** On an empty database: all migrations up to this one, in one transaction as `migrate` applies them. */
export async function migrateUpTo(database: Database, newest: number): Promise<void> {
  const former = (await readMigrations()).filter(({ version }) => version <= newest);
  await database.transaction(async (query) => {
    await query('create schema carryover');
    await query('create table carryover.migrations (version integer primary key, name text not null)');
    for (const { version, name, text } of former) {
      await query(text);
      await query('insert into carryover.migrations values ($1, $2)', [version, name]);
    }
  });
}
