import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/store/database/database.ts';

/**
 * PostgreSQL looks once a minute whether to vacuum, and then takes a share of a core for 10 to 15 s: what is imported
 * meanwhile takes a fifth longer. It must not fall into some rounds and not into others.
 */

const triesLimit = 500;
const betweenTriesMs = 10;

/** Lets the clock begin anew. */
export async function startAutovacuum(database: Database): Promise<void> {
  await change(database, 'reset autovacuum');
  await until(database, 1, `select pid from ${processes} and backend_type like '% launcher'`);
}

/** Ends what is under way; no more begins. */
export async function stopAutovacuum(database: Database): Promise<void> {
  await change(database, 'set autovacuum = off');
  // No more workers begin, but those that are there would first finish their tables.
  await until(database, 0, `select pg_terminate_backend(pid) from ${processes}`);
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
