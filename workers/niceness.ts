import { getPriority, setPriority } from 'node:os';

/**
 * How much less urgent than the event loop and PostgreSQL each kind of thread is, of 19 (weights in sched(7)): where both
 * want a core, Linux gives the event loop three quarters of it beside a password (1024 and 335), and a password three
 * quarters beside a line of an import (335 and 110). What takes no time then need not wait for what takes long.
 */
export const niceness = { password: 5, rows: 10 } as const;

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
