import { getPriority, setPriority } from 'node:os';

/**
 * How much less urgent than the event loop and PostgreSQL each kind of thread is, of 19 (weights in sched(7): 1024, 36 and
 * 15). What takes no time then need not wait for what takes long: on Linux 6.18, a thread that slept gets a core from two
 * busy ones within 0.3 ms in 99 of 100 cases at 15, 2 ms at 10, 4 ms at 0. And sign-ins go before lines of an import.
 */
export const niceness = { password: 15, rows: 19 } as const;

/**
 * Lets others go first, where the system lets a thread have a priority of its own: on Linux setpriority(2) means the
 * calling thread, elsewhere the whole process.
 */
export function giveWay(least: number): void {
  if (process.platform !== 'linux') return;
  try {
    if (getPriority() < least) setPriority(least);
  } catch {
    // Not allowed here: this thread is then as urgent as the rest.
  }
}
