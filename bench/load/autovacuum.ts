import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/store/database.ts';

const triesLimit = 500;
const betweenTriesMs = 10;

/**
 * Ends PostgreSQL's vacuuming of what was there before, and lets its clock begin anew. It looks about once a minute what
 * to vacuum and then takes a share of a core for 10 to 15 s: none of that is left of what was measured before.
 */
export async function restartAutovacuum(database: Database): Promise<void> {
  await change(database, 'set autovacuum = off');
  // No more workers begin, but those that are there would first finish their tables.
  await until(database, 0, `select pg_terminate_backend(pid) from ${processes}`);
  await change(database, 'reset autovacuum');
  await until(database, 1, `select pid from ${processes} and backend_type like '% launcher'`);
}

const processes = `pg_stat_activity where backend_type like 'autovacuum %'`;

async function change(database: Database, setting: string): Promise<void> {
  await database.write(`alter system ${setting}`);
  await database.write('select pg_reload_conf()');
}

/** Asks until so many rows come. @throws Error when they do not within 5 s */
async function until(database: Database, rows: number, query: string): Promise<void> {
  for (let tries = 0; tries < triesLimit; tries++) {
    if ((await database.write(query)).length === rows) return;
    await delay(betweenTriesMs);
  }
  throw new Error(`PostgreSQL has not ${rows === 0 ? 'stopped' : 'started'} its autovacuum`);
}
