import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import type { Logger } from '../process/log.ts';
import { unlessCode } from '../process/secret-file.ts';
import { StartupError } from '../process/startup-error.ts';
import { startOf } from '../process/process-start.ts';
import { commandOf, ended } from './processes.ts';

const FAST_MS = 60_000;
const IMMEDIATE_MS = 15_000;

/**
 * Ends the server that a killed core left running on this cluster: a new one with our settings and our log replaces it.
 * The caller holds the lock, so no live core uses it.
 * @throws StartupError naming the pid when it does not end.
 */
export async function stopLeftover(cluster: string, log: Logger): Promise<void> {
  const file = path.join(cluster, 'postmaster.pid');
  // Negative where it is no server, but somebody in single-user mode, who ends when the killed core's input does.
  const pid = Math.abs(Number.parseInt((await readFile(file, 'utf8').catch(unlessCode('ENOENT'))) ?? '', 10));
  if (!(pid > 0) || startOf(pid) === undefined) return;
  const command = commandOf(pid);
  // Not told by the system: leave the file, PostgreSQL then decides by itself and says so.
  if (command === undefined) return;
  if (!command.includes(`-D ${cluster} `)) return removeForeign(file, pid, log);
  log.warn({ pid }, 'a PostgreSQL whose core was killed still runs: stopping it');
  await stopProcess(pid);
}

/**
 * Containers that share a volume do not see each other's processes, so a lock of the other looks like a dead one's. Its
 * server answers all the same: two servers on one cluster would destroy it.
 * @throws StartupError when a server answers at the socket whose process this machine's list does not have.
 */
export async function refuseUnseenServer(cluster: string, socket: string): Promise<void> {
  if (!(await accepts(socket))) return;
  const file = path.join(cluster, 'postmaster.pid');
  const pid = Number.parseInt((await readFile(file, 'utf8').catch(unlessCode('ENOENT'))) ?? '', 10);
  if (pid > 0 && commandOf(pid)?.includes(`-D ${cluster} `)) return;
  throw new StartupError(
    `${path.dirname(cluster)} is in use by a core in another container: stop that one, or set another DATA_DIR; ` +
      `several cores share one database by POSTGRESQL_CONNECTION_URI`,
  );
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const settle = (answer: boolean) => () => {
      connection.destroy();
      resolve(answer);
    };
    connection.once('connect', settle(true)).once('error', settle(false));
  });
}

/** After a restart of the machine the pid may be somebody else's, which PostgreSQL would take for a running server. */
async function removeForeign(file: string, pid: number, log: Logger): Promise<void> {
  log.warn({ pid }, 'postmaster.pid names a process that is not PostgreSQL: removing it');
  await rm(file);
}

async function stopProcess(pid: number): Promise<void> {
  if (await ends(pid, 'SIGINT', FAST_MS)) return;
  if (await ends(pid, 'SIGQUIT', IMMEDIATE_MS)) return;
  throw new StartupError(
    `the PostgreSQL with pid ${pid}, left by a killed core, does not stop: end it by hand`,
  );
}

async function ends(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  try {
    process.kill(pid, signal);
  } catch (error) {
    unlessCode('ESRCH')(error);
  }
  return ended(pid, timeoutMs);
}
