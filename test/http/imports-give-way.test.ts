/** An import and a sign-in: the import waits for a moment, and not for ever. */
import { setEnvironmentData } from 'node:worker_threads';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { Gate } from '../helpers/gate.ts';
import { gateName } from '../helpers/gated-worker.ts';
import { bcryptHash, ndjson, person } from '../helpers/bulk-records.ts';

const gatedWorker = new URL('../helpers/gated-worker.ts', import.meta.url);
const users = 1000;

test('the rows of an import wait while a password is verified, and are all there though it takes for ever', async () => {
  const gate = new Gate();
  setEnvironmentData(gateName, gate.asSignerKey.buffer);
  // Several chunks: each has two COPYs that can be observed waiting.
  const core = await startTestCore({
    settings: { IMPORT_CHUNK_BYTES: '65536' },
    overrides: { workerFile: gatedWorker },
  });
  try {
    const somebody = { email: 'somebody@example.com', passwordHash: bcryptHash };
    expect((await core.post('/recipe/user/passwordhash/import', somebody)).http).toBe(200);
    const signIn = core.post('/recipe/signin', { email: somebody.email, password: 'hold' });
    await gate.arrivals(1);

    const lines = Array.from({ length: users }, (_, n) => person(n));
    const imported = fetch(`${core.url}/bulk-import/jobs`, {
      method: 'PUT',
      headers: { 'api-key': core.apiKey },
      body: ndjson(...lines),
    });
    const over = new AbortController();
    const answer = imported
      .then((response) => response.json())
      .finally(() => {
        over.abort();
      });
    expect(await seesWaiting(core.database, over.signal)).toBe(true);
    expect(await answer).toMatchObject({ job: { state: 'done', created: users } });

    gate.open();
    expect((await signIn).body.status).toBe('OK');
  } finally {
    gate.open();
    await core.stop();
    setEnvironmentData(gateName, undefined);
  }
});

/** Whether a COPY has begun, and has read nothing for 10 ms. It takes less than one when it does not wait. */
async function seesWaiting(
  { connection }: Awaited<ReturnType<typeof startTestCore>>['database'],
  over: AbortSignal,
): Promise<boolean> {
  return withSql(connection, async (sql) => {
    let before = '';
    while (!over.aborted) {
      const [copy] = await sql<{ id: string }[]>`
        select concat(p.pid, p.relid, a.query_start) as id
        from pg_stat_progress_copy p join pg_stat_activity a using (pid)
        where p.datname = current_database() and p.bytes_processed = 0`;
      if (copy?.id === before) return true;
      before = copy?.id ?? '';
      await delay(10);
    }
    return false;
  });
}
