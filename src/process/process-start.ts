import { readFileSync } from 'node:fs';

/** Index in /proc/<pid>/stat, counted from the state, the first field after the command's closing bracket. */
const startTimeField = 19;

/**
 * Start time of a process in clock ticks; with the pid it identifies a process even after the pid is reused. Empty without /proc.
 * @returns undefined if no such process runs; a zombie does not run
 */
export function startOf(pid: number): string | undefined {
  if (!accepts(pid)) return undefined;
  const stat = readStat(pid);
  if (stat === undefined) return '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[startTimeField] ?? '');
}

function accepts(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}
