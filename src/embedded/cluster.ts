import { chmod, chown, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessCode } from '../process/secret-file.ts';
import type { SecretFile } from '../process/secret-file.ts';
import { StartupError } from '../process/startup-error.ts';
import { runProgram } from './command.ts';
import type { RunAs } from './command.ts';
import { nameUser } from './named-user.ts';
import type { NameUser } from './named-user.ts';
import type { Binaries } from './programs.ts';
import { admitRole, DATABASE, isAdmitted, restoreRole, ROLE, setPassword, SUPERUSER } from './role.ts';
import { runAsSuperuser } from './single-user.ts';

const MAJOR = '18';
const DRAFT_PREFIX = 'postgres.init-';

export interface ClusterOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs | undefined;
  readonly password: SecretFile;
}

/** The folder exists only once the cluster is complete. */
export function clusterPath(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

/**
 * Makes the cluster unless there is one: in a draft folder that is renamed when complete and synced; the next start removes a
 * draft that a crash left. Restores a lost password or pg_hba.conf. The caller holds the lock, and no server runs.
 * @throws StartupError when the programs fail or the folder is not a cluster of this version.
 */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  await removeDrafts(options.dataDir);
  const cluster = clusterPath(options.dataDir);
  const version = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(unlessCode('ENOENT'));
  if (version === undefined) return withName(options, (name) => createCluster(options, cluster, name));
  if (version.trim() !== MAJOR)
    throw new StartupError(
      `${cluster} was made by PostgreSQL ${version.trim()}, this core brings ${MAJOR}: with the former version of the core run "carryover backup", set another DATA_DIR, and run "carryover restore"`,
    );
  await closeToGroup(cluster);
  const isReady = await isAdmitted(cluster);
  if (options.password.created || !isReady)
    await withName(options, (name) => restoreRole({ ...options, cluster, name }, options.password.secret));
}

/** The files of the name are next to the drafts, so a start after a crash removes them too. */
async function withName(
  { dataDir, runAs }: ClusterOptions,
  work: (name: NameUser | undefined) => Promise<void>,
): Promise<void> {
  if (runAs !== undefined) return work(undefined);
  const folder = await mkdtemp(path.join(dataDir, DRAFT_PREFIX));
  await work(await nameUser({ folder })).finally(() => rm(folder, { recursive: true, force: true }));
}

/** Permissions that PostgreSQL refuses: any of others, and the group's to write. */
const refusedBits = 0o027;

/** Kubernetes opens a volume's files to the pod's group (`fsGroup`) at each start, and PostgreSQL refuses such a folder. */
async function closeToGroup(cluster: string): Promise<void> {
  const { mode, uid } = await stat(cluster);
  if ((mode & refusedBits) !== 0 && uid === process.geteuid?.()) await chmod(cluster, 0o700);
}

/** An initdb whose core was killed may still be writing, so removing is retried. */
async function removeDrafts(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(DRAFT_PREFIX));
  await Promise.all(
    names.map((name) => rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 20 })),
  );
}

async function createCluster(
  options: ClusterOptions,
  cluster: string,
  name: NameUser | undefined,
): Promise<void> {
  const draft = await mkdtemp(path.join(options.dataDir, DRAFT_PREFIX));
  if (options.runAs) await chown(draft, options.runAs.uid, options.runAs.gid);
  // Only for the draft, on which no server listens; the final file replaces it.
  const login = ['--username', SUPERUSER, '--auth', 'trust'];
  const args = ['--pgdata', draft, ...login, '--encoding', 'UTF8', '--locale', 'C', '--no-instructions'];
  await runProgram(options.binaries.initdb, args, options.runAs, { name });
  await runAsSuperuser({ ...options, cluster: draft, database: 'template1', name }, [
    `CREATE ROLE ${ROLE} LOGIN`,
    setPassword(options.password.secret),
    `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`,
  ]);
  await admitRole(draft);
  await rename(draft, cluster).catch((error: unknown) => {
    throw new StartupError(`${cluster} holds files but no complete cluster: move it away`, { cause: error });
  });
  await syncFolder(options.dataDir);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
