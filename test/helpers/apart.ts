/**
 * Runs the tests of cores over two places (`TEST_PLACES=2`): the tests' database is the second one, with all apps, and the first has
 * only their names. So whatever is written or looked for in the wrong place shows.
 */
import { createMigratedDatabase, type TestDatabase, withAdmin } from './postgres.ts';

export const areApart = process.env.TEST_PLACES === '2';

export interface Apart {
  readonly first: TestDatabase;
  readonly second: TestDatabase;
}

/** A migrated database with a secret of its own: the others of the tests are copies of one, and have the same. */
export async function createPlace(): Promise<TestDatabase> {
  const database = await createMigratedDatabase();
  await withAdmin(
    database.connection,
    (sql) => sql`update carryover.decoy_secret set secret = gen_random_uuid()::text`,
  );
  return database;
}

/** Names by the database of their apps: a second core over it uses them, too. */
const namesOf = new Map<string, TestDatabase>();

export async function apart(second: TestDatabase): Promise<Apart> {
  const { database } = second.connection;
  const known = namesOf.get(database);
  if (known !== undefined) return { first: known, second };
  const first = await createPlace();
  namesOf.set(database, first);
  await withAdmin(first.connection, async (sql) => {
    await sql`update carryover.apps set home = 'second'`;
    await sql`delete from carryover.tenants`;
  });
  return { first, second };
}

export async function dropNames(second: TestDatabase): Promise<void> {
  await namesOf.get(second.connection.database)?.drop();
  namesOf.delete(second.connection.database);
}
