import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '../../src/process/log.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { type EmbeddedConnection, startEmbedded } from '../../src/embedded/embedded.ts';
import { migrate } from '../../src/database/migrate.ts';
import { changeAsSuperuser } from '../../test/helpers/superuser.ts';

/** The PostgreSQL that every part of a load scenario shares, started as the core itself would. */
export interface Cluster {
  readonly target: EmbeddedConnection;
  /** Of the server's first process, the parent of all others. */
  readonly pid: number;
  /** For the core as a separate process. */
  readonly uri: string;
  /** Its tables exist and are empty. */
  readonly database: Database;
  /**
   * Removes all users, so that each phase begins alike: with autovacuum's clock, too.
   * @param vacuums whether PostgreSQL may vacuum in this phase; default true
   */
  reset(vacuums?: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(poolSize: number): Promise<Cluster> {
  const dataDir = await copyOfTemplate();
  const embedded = await startEmbedded({ dataDir, log: createLogger({ level: 'error' }) });
  const target = embedded.connection;
  const database = openDatabase({ target, poolSize });
  return {
    target,
    pid: embedded.pid,
    uri: uriOf(target),
    database,
    reset: async (vacuums = true) => {
      await database.write(
        `truncate users, identities, tokens, verified_emails, external_id_info, import_jobs, import_rejects,
         import_claims, import_met, import_before_images, user_details, sign_ins, sessions`,
      );
      await stopAutovacuum(database);
      if (vacuums) await startAutovacuum(database);
      await database.write('checkpoint');
    },
    stop: async () => {
      await database.close(5000);
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** With the password, for a process or a command. */
export function uriOf({ host, port, user, password, database }: EmbeddedConnection): string {
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@localhost/${database}?${query.toString()}`;
}

/** One for each run of the benchmarks: the folder's existence shows whether it is made. */
const template = path.join(os.tmpdir(), `carryover-bench-template-${process.pid}`);

/**
 * A new data folder of a cluster with empty tables: a copy of one that is made on the first call and removed when this process
 * ends. Making one takes about a second, which each scenario would pay.
 */
async function copyOfTemplate(): Promise<string> {
  if (!existsSync(template)) await makeTemplate();
  const dataDir = await newFolder();
  // -a preserves owners: as root, PostgreSQL is another user.
  const { status } = spawnSync('cp', ['-a', `${template}/.`, dataDir]);
  if (status !== 0) throw new Error(`${template} could not be copied to ${dataDir}`);
  return dataDir;
}

async function makeTemplate(): Promise<void> {
  process.once('exit', () => {
    rmSync(template, { recursive: true, force: true });
  });
  const dataDir = await newFolder();
  const embedded = await startEmbedded({ dataDir, log: createLogger({ level: 'error' }) });
  const database = openDatabase({ target: embedded.connection, poolSize: 1 });
  await migrate(database);
  await database.close(5000);
  await embedded.stop();
  // Between phases, autovacuum is stopped and checkpoints are written.
  await changeAsSuperuser(dataDir, ['ALTER ROLE carryover SUPERUSER']);
  await rename(dataDir, template);
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-'));
  await chmod(folder, 0o755); // as root, PostgreSQL is another user, who needs access
  return folder;
}

/**
 * PostgreSQL checks once a minute whether to vacuum, and then uses a part of a CPU core for 10 to 15 s: imports meanwhile take a
 * fifth longer. It must not happen in some rounds and not in others.
 */

const triesLimit = 500;
const betweenTriesMs = 10;

/** Restarts its clock. */
async function startAutovacuum(database: Database): Promise<void> {
  await change(database, 'reset autovacuum');
  await until(database, 1, `select pid from ${processes} and backend_type like '% launcher'`);
}

/** Ends running workers and prevents new ones. */
async function stopAutovacuum(database: Database): Promise<void> {
  await change(database, 'set autovacuum = off');
  // No more workers begin, but running ones would first finish their tables.
  await until(database, 0, `select pg_terminate_backend(pid) from ${processes}`);
}

const processes = `pg_stat_activity where backend_type like 'autovacuum %'`;

async function change(database: Database, setting: string): Promise<void> {
  await database.write(`alter system ${setting}`);
  await database.write('select pg_reload_conf()');
}

/** Repeats the query until it returns this number of rows. @throws Error when it does not within 5 s */
async function until(database: Database, rows: number, query: string): Promise<void> {
  for (let tries = 0; tries < triesLimit; tries++) {
    if ((await database.write(query)).length === rows) return;
    await delay(betweenTriesMs);
  }
  throw new Error(`PostgreSQL has not ${rows === 0 ? 'stopped' : 'started'} its autovacuum`);
}
