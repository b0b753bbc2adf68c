/** Ends the server that a killed core left, but not that of a core in another container. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../process/log.ts';
import { unlessCode } from '../process/secret-file.ts';
import { StartupError } from '../process/startup-error.ts';
import { startOf } from '../process/process-start.ts';

const FAST_MS = 60_000;
const IMMEDIATE_MS = 15_000;
const POLL_MS = 20;

/**
 * Ends the server that a killed core left on this cluster, because a new one needs our settings and our log. The caller holds the
 * lock, so no live core uses it.
 * @throws StartupError naming the pid when it does not end.
 */
export async function stopLeftover(cluster: string, log: Logger): Promise<void> {
  const file = path.join(cluster, 'postmaster.pid');
  // Negative in single-user mode, whose process ends when the killed core's input does.
  const pid = Math.abs(Number.parseInt((await readFile(file, 'utf8').catch(unlessCode('ENOENT'))) ?? '', 10));
  if (!(pid > 0) || startOf(pid) === undefined) return;
  const command = commandOf(pid);
  // The system does not report it: PostgreSQL decides and reports.
  if (command === undefined) return;
  if (!command.includes(`-D ${cluster} `)) return removeForeign(file, pid, log);
  log.warn({ pid }, 'a PostgreSQL whose core was killed still runs: stopping it');
  await stopProcess(pid);
}

/**
 * Containers that share a volume do not see each other's processes, so the other's lock looks stale. Two servers would destroy
 * the cluster, so its socket is tried.
 * @throws StartupError when a server answers whose process is not visible here
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

export function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const settle = (answer: boolean) => () => {
      connection.destroy();
      resolve(answer);
    };
    connection.once('connect', settle(true)).once('error', settle(false));
  });
}

/** After a reboot the pid may belong to another process, which PostgreSQL would take for a running server. */
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

/** Arguments separated by spaces; undefined when the system does not report it. */
export function commandOf(pid: number): string | undefined {
  const command = readProc(pid, 'cmdline')?.replaceAll('\0', ' ');
  if (command !== undefined || process.platform === 'linux') return command;
  const ps = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.status === 0 ? `${ps.stdout.trim()} ` : undefined;
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Polls every 20 ms, because a process that is not a child sends no event.
 * @returns whether it ended in time
 */
export async function ended(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (startOf(pid) !== undefined) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
