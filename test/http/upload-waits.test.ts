/** An upload whose end finds no free database connection for a while: it waits, as its chunks do. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { type DatabaseDoor, openDoor } from '../helpers/database-door.ts';
import { refusalOf } from '../helpers/people.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { Wire } from '../helpers/wire.ts';

let database: TestDatabase;
let door: DatabaseDoor;
let core: TestCore;
beforeEach(async () => {
  database = await createMigratedDatabase();
  door = await openDoor(database.connection);
  core = await startTestCore({
    database: { ...database, connection: door.connection },
    settings: { WAIT_LIMIT_MS: '100', POSTGRESQL_CONNECTION_POOL_SIZE: '4', IMPORT_LANES: '1' },
  });
});
afterEach(async () => {
  door.resume();
  await core.stop();
  await door.remove();
  await database.drop();
});

const record = (n: number) =>
  `{"externalUserId":"waits-${n}","loginMethods":[{"recipeId":"passwordless","email":"waits-${n}@example.com"}]}\n`;

test('no connection in time refuses other requests, and not the end of an upload', async () => {
  await expect.poll(async () => (await core.get('/readyz')).http).toBe(200);
  const body = record(1) + record(2);
  const wire = await Wire.open(core.port);
  wire.send(
    [
      'PUT /bulk-import/jobs HTTP/1.1',
      'Host: x',
      `Api-Key: ${core.apiKey}`,
      'Content-Type: application/x-ndjson',
      `Content-Length: ${body.length}`,
      '',
      record(1),
    ].join('\r\n'),
  );
  await expect.poll(async () => (await core.get('/bulk-import/jobs')).body.jobs).toHaveLength(1);
  door.stall();
  // Every connection is busy with an unanswered statement, and a statement without a free connection is refused.
  const busy = Array.from({ length: 8 }, () => core.get('/users'));
  const late = await Promise.race(busy);
  expect(refusalOf(late).slice(0, 2)).toEqual([503, 'OVERLOADED']);
  wire.send(record(2));
  for (let round = 0; round < 5; round++)
    expect(refusalOf(await core.get('/users')).slice(0, 2)).toEqual([503, 'OVERLOADED']);
  door.resume();
  const answer = await wire.answer();
  expect([answer?.status, JSON.parse(answer?.body ?? '')]).toMatchObject([200, { job: { created: 2 } }]);
  await Promise.all(busy);
});
