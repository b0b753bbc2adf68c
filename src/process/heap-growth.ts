import { setFlagsFromString } from 'node:v8';

/** How much a heap may grow until it is collected as a whole, in percent of what the last time left alive. */
const growthPercent = 300;

/**
 * Has V8 collect whole heaps less often, in this process and its threads. What an import reads and what its threads return
 * are buffers of a MiB, which count as growth of the event loop's heap. V8's own limits, low for a process that mostly waits,
 * have it mark those 17 MB again every 130 ms (Node 22.23, --trace-gc), on helper threads that PostgreSQL and sign-ins then
 * lack: 6 % of an import's CPU time, for 20 MB of memory (bench bulk).
 */
export function letHeapsGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
