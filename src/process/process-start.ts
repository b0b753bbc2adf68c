import { readFileSync } from 'node:fs';

/** Places in /proc/<pid>/stat, counted from the state, the first field after the command's closing bracket. */
const startTimeField = 19;

/**
 * When a process began, in the system's own clock ticks: with the pid it names one process for ever, also after the
 * pid was given away again. Where there is no /proc it is empty text.
 * @returns undefined when no such process runs; one that has ended and waits to be reaped does not run.
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
