/** Statements at an old PostgreSQL that are a transaction each, as `follow` sends them to read its log. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Session } from '../../src/exports/sources/engines/engine.ts';
import { openPostgresSession } from '../../src/exports/sources/engines/postgres.ts';
import { type DatabaseDoor, openDoor, withSql } from '../helpers/database-door.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';

let database: TestDatabase;
let door: DatabaseDoor;
let session: Session;
beforeAll(async () => {
  database = await createDatabase();
  door = await openDoor(database.connection);
});
beforeEach(() => {
  session = openPostgresSession(new URL(door.uri()), {});
});
afterEach(() => session.close());
afterAll(async () => {
  await door.remove();
  await database.drop();
});

const ask = (text: string) => session.rows({ text, parameters: [] }, 0);

/** Ends the server's process of the statement that has this name in a comment. */
async function terminate(name: string): Promise<void> {
  await withSql(database.connection, async (sql) => {
    let ended = 0;
    while (ended === 0) {
      const rows = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where state = 'active' and query like ${`%${name}%`} and pid <> pg_backend_pid()`;
      ended = rows.length;
    }
  });
}

test.each([
  ['rows', () => ask('select 1 as lost_rows from pg_sleep(3600)'), 'lost_rows'],
  ['a statement', () => session.run('select 1 as lost_run from pg_sleep(3600)', 0), 'lost_run'],
  [
    'texts',
    () =>
      session.eachText(
        { text: 'select 1 as lost_texts from pg_sleep(3600)', parameters: [] },
        () => undefined,
      ),
    'lost_texts',
  ],
] as const)('a connection that is lost meanwhile fails %s, and the next ones work', async (_, lost, name) => {
  const failed = expect(lost()).rejects.toMatchObject({ name: 'SourceFault' });
  await terminate(name);
  await failed;
  expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
});
