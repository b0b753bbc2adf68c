/** Questions to the system about processes that are not our children. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startOf } from '../process/process-start.ts';

const POLL_MS = 20;

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
