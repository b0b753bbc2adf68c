/** Questions to the system about processes that are not our children. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
/** Places in /proc/<pid>/stat, counted from the state, the first field after the command's closing bracket. */
const START_TIME = 19;

/**
 * When a process began, in the system's own clock ticks: with the pid it names one process for ever, also after the
 * pid was given away again. Where there is no /proc it is empty text.
 * @returns undefined when no such process runs; one that has ended and waits to be reaped does not run.
 */
export function startOf(pid: number): string | undefined {
  if (!accepts(pid)) return undefined;
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[START_TIME] ?? '');
}

function accepts(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The command line, arguments between spaces; undefined when the system does not tell. */
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
 * Waits for a process that is not our child, so no event tells us: asks every 20 ms.
 * @returns whether it ended in time.
 */
export async function ended(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (startOf(pid) !== undefined) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
