import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rename } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '../../src/process/log.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { startEmbedded } from '../../src/embedded/embedded.ts';
import { migrate } from '../../src/store/database/migrate.ts';
import { changeAsSuperuser } from '../../test/helpers/superuser.ts';

/** One for each run of the benchmarks: what tells is the folder, so nothing has to remember it. */
const template = path.join(os.tmpdir(), `carryover-bench-template-${process.pid}`);

/**
 * A new data folder with a cluster whose tables are there and empty: a copy of one that is made on the first call and
 * removed when this process ends: making one takes about a second, which each scenario would pay.
 */
export async function copyOfTemplate(): Promise<string> {
  if (!existsSync(template)) await makeTemplate();
  const dataDir = await newFolder();
  // -a keeps owners: as root, PostgreSQL is another user.
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
  await chmod(folder, 0o755); // as root, PostgreSQL is another user, who has to get in
  return folder;
}
