/** The core's own PostgreSQL under `data_dir`, for users without one. */
import { access, chmod, chown, constants, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Logger } from '../process/log.ts';
import { ensureSecretFile } from '../process/secret-file.ts';
import { StartupError } from '../process/startup-error.ts';
import type { RunAs } from './command.ts';
import { clusterPath, ensureCluster } from './cluster.ts';
import type { ClusterOptions } from './cluster.ts';
import { refuseUnseenServer, stopLeftover } from './leftover.ts';
import { Keeper } from './keeper.ts';
import { takeLock } from './lock.ts';
import { Postmaster } from './postmaster.ts';
import { checkBinaries, locateBinaries, openPrograms } from './programs.ts';
import type { Programs } from './programs.ts';
import { DATABASE, ROLE } from './role.ts';
import { chooseRunAs, closeToOthers, ensureReachable, sharedUserName } from './run-as.ts';
import { availableMemoryBytes } from '../process/memory.ts';
import { fixedSettings, tuningFor } from './tuning.ts';

/** Connection settings for a driver; `host` is the folder of the Unix socket. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface Embedded {
  readonly connection: EmbeddedConnection;
  /** Of the server's first process; changes when the server is restarted after a crash. */
  readonly pid: number;
  /** Stops the server (fast, after 30 s immediately) and releases `data_dir`. May be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /** PostgreSQL settings that override those chosen by memory, e.g. `max_connections`. */
  readonly settings?: Readonly<Record<string, string>>;
}

interface SocketFolder {
  readonly path: string;
  remove(): Promise<void>;
}

const PORT = 5432;
/** Bytes of `sun_path` on Linux without the closing zero; macOS has 103. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/**
 * Starts the PostgreSQL under `dataDir`, made on the first start (about a second). It is reachable only by a Unix socket in a
 * private folder, with a password stored next to the cluster.
 * @throws StartupError one line with the cure: another core uses the folder, the user may not enter it, no PostgreSQL for this
 * platform, the server does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  if (process.platform === 'win32')
    throw new StartupError(
      'the core runs no PostgreSQL of its own on Windows: set POSTGRESQL_CONNECTION_URI',
    );
  const dataDir = await openDataDir(options.dataDir);
  await refuseUnseenServer(clusterPath(dataDir), socketFile(socketFolder(dataDir)));
  const giveBackLock = await takeLock(dataDir);
  try {
    return await startLocked({ ...options, dataDir }, giveBackLock);
  } catch (error) {
    await giveBackLock();
    throw error;
  }
}

async function openDataDir(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(dataDir);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unusable';
    throw new StartupError(
      `${dataDir} cannot be written (${code}): change its owner or set another DATA_DIR`,
      {
        cause: error,
      },
    );
  }
}

async function startLocked(options: EmbeddedOptions, giveBackLock: () => Promise<void>): Promise<Embedded> {
  const { dataDir, log } = options;
  const prepared = await prepare(options);
  const socket = await createSocketFolder(dataDir, prepared.runAs);
  const keeper = new Keeper(
    (onExit) =>
      Postmaster.start({
        log,
        onExit,
        postgres: prepared.binaries.postgres,
        cluster: clusterPath(dataDir),
        settings: {
          ...tuningFor(availableMemoryBytes()),
          ...options.settings,
          ...fixedSettings(socket.path),
        },
        runAs: prepared.runAs,
      }),
    log,
  );
  await keeper.start().catch(async (error: unknown) => {
    await socket.remove();
    await prepared.binaries.remove();
    throw error;
  });
  const password = prepared.password.secret;
  return {
    connection: { host: socket.path, port: PORT, user: ROLE, password, database: DATABASE },
    get pid() {
      return keeper.pid;
    },
    stop: async () => {
      await keeper.stop();
      await socket.remove();
      await prepared.binaries.remove();
      await giveBackLock();
    },
  };
}

/** Ensures everything that the server needs: runnable programs, a complete cluster, a password, no older server. */
async function prepare(options: EmbeddedOptions): Promise<ClusterOptions & { binaries: Programs }> {
  const { dataDir, log } = options;
  const cluster = clusterPath(dataDir);
  const runAs = await openToPostgres(dataDir, log);
  await stopLeftover(cluster, log);
  const binaries = await openPrograms(locateBinaries(), runAs, options);
  try {
    await checkBinaries(binaries, runAs);
    const password = await ensureSecretFile(path.join(dataDir, 'postgres-password'));
    const prepared = { dataDir, binaries, runAs, password };
    await ensureCluster(prepared);
    return prepared;
  } catch (error) {
    await binaries.remove();
    throw error;
  }
}

/** @returns the OS user that runs PostgreSQL, the only one besides the owner that can reach its folders in `dataDir` */
async function openToPostgres(dataDir: string, log: Logger): Promise<RunAs | undefined> {
  const cluster = clusterPath(dataDir);
  const chosen = await chooseRunAs(cluster);
  await closeToOthers(dataDir, chosen);
  const user = chosen && sharedUserName(chosen);
  if (user !== undefined)
    log.warn(
      { user, cure: `useradd --system carryover; with the core stopped: chown -R carryover: '${cluster}'` },
      'the files of PostgreSQL belong to an OS user that others may run programs as: a superuser of another cluster can read them',
    );
  return ensureReachable(dataDir, chosen);
}

function socketFolder(dataDir: string): string {
  return path.join(dataDir, 'socket');
}

function socketFile(folder: string): string {
  return path.join(folder, `.s.PGSQL.${PORT}`);
}

async function createSocketFolder(dataDir: string, runAs: RunAs | undefined): Promise<SocketFolder> {
  const inData = socketFolder(dataDir);
  const fits = Buffer.byteLength(socketFile(inData)) <= MAX_SOCKET_PATH_BYTES;
  if (fits) await mkdir(inData, { recursive: true, mode: 0o700 });
  // Left by a killed server: its pid may belong to another process by now, and PostgreSQL would refuse to start.
  if (fits) await rm(`${socketFile(inData)}.lock`, { force: true });
  const folder = fits ? inData : await mkdtemp(path.join(os.tmpdir(), 'carryover-'));
  await chmod(folder, 0o700);
  if (runAs) await chown(folder, runAs.uid, runAs.gid);
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
