/** Imports by state: running, waiting for their sender, ended with which outcome. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uploadClient } from '../helpers/bulk-client.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { metric } from '../helpers/metrics.ts';
import { newApp, newEmail } from '../helpers/people.ts';

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());

const file = () =>
  Buffer.from(
    `${JSON.stringify({ loginMethods: [{ recipeId: 'passwordless', email: newEmail(), timeJoinedInMSSinceEpoch: 1 }] })}\n`,
  );

test('jobs of all apps are counted by state, and how far they are that receive', async () => {
  const client = uploadClient(core.port, core.apiKey);
  const [app, other] = [await newApp(core), await newApp(core)];
  const imported = async (query = '') => {
    const bytes = file();
    const path = await client.create(app, bytes.length, query);
    await client.resume(path, bytes);
    return path;
  };
  await imported();
  await imported('?dryRun=true');
  const undone = await imported();
  expect((await core.post(`${undone}/undo`, {})).body).toMatchObject({ status: 'OK' });
  await client.cancel(await client.create(app, 10));
  const stopped = await client.create(app, 10);
  await client.cancel(stopped);
  await client.create(app, 1000);
  const waiting = await client.create(other, 3000);
  const idOf = (path: string) => path.split('/').at(-1) ?? '';
  await withSql(core.database.connection, async (sql) => {
    await sql`update carryover.import_jobs set cancel_reason = 'ALL_REJECTED' where job_id = ${idOf(stopped)}`;
    await sql`update carryover.import_jobs set bytes = 2500, started_at = started_at - 60001
      where job_id = ${idOf(waiting)}`;
  });
  const jobs = (state: string) => metric(core, 'carryover_import_jobs', { state });
  expect(
    await Promise.all(['receiving', 'waiting', 'done', 'cancelled', 'stopped', 'undone'].map(jobs)),
  ).toEqual([1, 1, 1, 1, 1, 1]);
  expect(await metric(core, 'carryover_import_committed_bytes')).toBe(2500);
  expect(await metric(core, 'carryover_import_expected_bytes')).toBe(4000);
});

test('has when the last import of each source ended, of those that went to their end', async () => {
  // The value before may be a minute old: another core of the same database has none yet.
  const fresh = await startTestCore({ database: core.database });
  const [expected] = await withSql(
    core.database.connection,
    (sql) =>
      sql`select max(finished_at) as at from carryover.import_jobs where state = 2 and not dry_run and source = ''`,
  );
  const found = await metric(fresh, 'carryover_import_last_finished_seconds', { source: '' });
  await fresh.stop();
  expect(found).toBe(Number(expected?.at) / 1000);
  expect(found).toBeGreaterThan(1_700_000_000);
});
