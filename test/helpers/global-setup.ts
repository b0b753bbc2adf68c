/** One real PostgreSQL for the whole run; each test file uses separate databases on it. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { createLogger } from '../../src/process/log.ts';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { startEmbedded } from '../../src/embedded/embedded.ts';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';
import { requireAll } from './left-out.ts';
import { withAdmin } from './postgres.ts';
import { startOldPostgres } from './old-postgres.ts';
import { changeAsSuperuser, makeSuperuser } from './superuser.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: EmbeddedConnection;
    /** Where the databases of old systems are. */
    oldPostgres: EmbeddedConnection;
    /** The name of a database with all tables, to be cloned. It accepts no connections. */
    migrated: string;
  }
}

/**
 * Rights for actions of tests that a core does not need: databases and roles, and connections ended from outside. The core is not
 * a superuser here either, so that everything is tested without such rights.
 */
const rightsOfTests = [
  'ALTER ROLE carryover CREATEDB CREATEROLE',
  `ALTER ROLE carryover SET createrole_self_grant = 'set, inherit'`,
  'GRANT pg_signal_backend, pg_monitor, pg_checkpoint TO carryover',
  'GRANT SET ON PARAMETER deadlock_timeout TO carryover',
];

/** Every process of the tests loads files that are stripped here once: see stripped/hook.ts. */
function stripTypes(): void {
  const fill = fileURLToPath(new URL('stripped/fill.ts', import.meta.url));
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', fill]);
  const hook = new URL('../../node_modules/.cache/stripped/hook.mjs', import.meta.url);
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${hook.href}`;
}

/** Most files need these tables, and need not repeat the migrations. */
async function makeMigrated(server: EmbeddedConnection): Promise<string> {
  const name = 'migrated';
  await withAdmin(server, async (sql) => {
    await sql`create database ${sql(name)} template template0`;
  });
  const database = openDatabase({ target: { ...server, database: name }, poolSize: 1 });
  await migrate(database);
  await database.close(1000);
  await withAdmin(server, async (sql) => {
    await sql`alter database ${sql(name)} allow_connections false`;
  });
  return name;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = requireAll(process.env);
  stripTypes();
  const removeTemporary = makeTemporaryFolder();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'carryover-test-'));
  // When the tests run as root the server is another user, which needs access.
  await chmod(dataDir, 0o755);
  const log = createLogger({ level: 'error' });
  await (await startEmbedded({ dataDir, log })).stop();
  await changeAsSuperuser(dataDir, [...rightsOfTests, makeSuperuser]);
  const embedded = await startEmbedded({
    dataDir,
    log,
    settings: { shared_buffers: '256MB', max_connections: '200' },
  });
  project.provide('postgres', embedded.connection);
  const old = await startOldPostgres();
  project.provide('oldPostgres', old?.connection ?? embedded.connection);
  project.provide('migrated', await makeMigrated(embedded.connection));
  return async () => {
    await embedded.stop();
    await old?.stop();
    removeTemporary();
    if (missing !== undefined) process.stderr.write(`\n${missing}\n`);
  };
}
