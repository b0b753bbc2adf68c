import { spawn } from 'node:child_process';
import { chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessCode } from '../../secret-file.ts';
import type { SecretFile } from '../../secret-file.ts';
import { StartupError } from '../../startup-error.ts';
import type { Binaries } from './binaries.ts';
import { commandAs } from './run-as.ts';
import type { RunAs } from './run-as.ts';

export const ROLE = 'carryover';
export const DATABASE = 'carryover';
const MAJOR = '18';
const DRAFT_PREFIX = 'postgres.init-';

export interface ClusterOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs | undefined;
  readonly password: SecretFile;
}

/** Where the cluster lies; the folder exists only once it is complete. */
export function clusterPath(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

/**
 * Makes the cluster unless there is one. It is made in a folder of its own and renamed when complete and synced, so a
 * crash in the middle leaves only a draft, which the next start removes. The caller holds the lock.
 * @returns whether it was made now.
 * @throws StartupError when the programs fail or the folder is not a cluster of this version.
 */
export async function ensureCluster(options: ClusterOptions): Promise<boolean> {
  await removeDrafts(options.dataDir);
  const cluster = clusterPath(options.dataDir);
  const version = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(unlessCode('ENOENT'));
  if (version === undefined) {
    await createCluster(options, cluster);
    return true;
  }
  if (version.trim() !== MAJOR)
    throw new StartupError(
      `${cluster} was made by PostgreSQL ${version.trim()}, this core brings ${MAJOR}: dump it with the old one, restore with the new`,
    );
  return false;
}

/** An initdb whose core was killed may still be writing: removing is retried until it has noticed and failed. */
async function removeDrafts(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(DRAFT_PREFIX));
  await Promise.all(
    names.map((name) => rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 20 })),
  );
}

async function createCluster(options: ClusterOptions, cluster: string): Promise<void> {
  const draft = await mkdtemp(path.join(options.dataDir, DRAFT_PREFIX));
  if (options.runAs) await chown(draft, options.runAs.uid, options.runAs.gid);
  // Trust lasts only inside the draft, which no server listens for; the file written next replaces it.
  const args = [
    '--pgdata',
    draft,
    '--username',
    ROLE,
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
  ];
  await run(options.binaries.initdb, [...args, '--no-instructions'], options.runAs);
  await writeFile(path.join(draft, 'pg_hba.conf'), 'local all all scram-sha-256\n', { flush: true });
  await runAlone(options, draft, [`CREATE DATABASE ${DATABASE}`, setPassword(options.password)]);
  await rename(draft, cluster).catch((error: unknown) => {
    throw new StartupError(`${cluster} holds files but no complete cluster: move it away`, { cause: error });
  });
  await syncFolder(options.dataDir);
}

/** Gives the role the password of the file anew, after that file was lost. No server may run. */
export async function resetPassword(options: ClusterOptions): Promise<void> {
  await runAlone(options, clusterPath(options.dataDir), [setPassword(options.password)]);
}

function setPassword({ secret }: SecretFile): string {
  return `ALTER ROLE ${ROLE} PASSWORD '${secret.replaceAll("'", "''")}'`;
}

/** Single-user mode: statements on standard input, one a line, so that the password shows in no process list. */
function runAlone(
  { binaries, runAs }: ClusterOptions,
  folder: string,
  statements: readonly string[],
): Promise<void> {
  const args = [
    '--single',
    '-c',
    'exit_on_error=on',
    '-c',
    'log_min_error_statement=panic',
    '-D',
    folder,
    'template1',
  ];
  return run(binaries.postgres, args, runAs, `${statements.join('\n')}\n`);
}

function run(program: string, args: readonly string[], runAs: RunAs | undefined, input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const command = commandAs(runAs, program, args);
    const child = spawn(command.file, command.args, {
      ...command.options,
      stdio: ['pipe', 'ignore', 'pipe'],
      // In a session of its own: Ctrl-C reaches only the core, which stops when the cluster is there.
      detached: true,
    });
    const said: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => void said.push(text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartupError(`${path.basename(program)} failed: ${complaint(said.join(''))}`));
    });
    // A program that ends early closes its input; its exit code tells more than the broken pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

function complaint(said: string): string {
  const lines = said.trim().split('\n');
  return lines.find((line) => /error:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1) ?? '';
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
