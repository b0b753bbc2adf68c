import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/store/database.ts';

const triesLimit = 500;
const betweenTriesMs = 10;

/**
 * Ends PostgreSQL's vacuuming of what was there before, and lets its clock begin anew. It looks about once a minute what
 * to vacuum and then takes up to 15 s of a core: that falls into each round at the same moment, not into some of them.
 */
export async function restartAutovacuum(database: Database): Promise<void> {
  await database.write('alter system set autovacuum = off');
  await untilProcesses(database, 0);
  await database.write('alter system reset autovacuum');
  await untilProcesses(database, 1);
}

/** Of autovacuum: its launcher and its workers. @throws Error when there are not so many after 5 s */
async function untilProcesses(database: Database, wanted: number): Promise<void> {
  await database.write('select pg_reload_conf()');
  for (let tries = 0; tries < triesLimit; tries++) {
    const [found] = await database.read<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where backend_type like 'autovacuum %'`,
    );
    if (found?.count === wanted) return;
    await delay(betweenTriesMs);
  }
  throw new Error(`autovacuum has not ${wanted === 0 ? 'stopped' : 'started'}`);
}
