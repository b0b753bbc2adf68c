import { setFlagsFromString } from 'node:v8';

/** How much a heap may grow until it is collected as a whole, in percent of what the last time left alive. */
const growthPercent = 300;

/**
 * Has V8 collect whole heaps less often, in this process and its threads. What an import reads and what its threads return
 * are buffers of a MiB, which count as growth of the event loop's heap. V8's own limits, low for a process that mostly waits,
 * have it mark those 17 MB again every 130 ms (Node 22.23, --trace-gc), on helper threads that PostgreSQL and sign-ins then
 * lack: 6 % of an import's CPU time (bench bulk). Twice what is alive
 * would do too, where imports free their buffers themselves: 100 % is 60 MB less with 16 uploads under way, and 2 % of an import's rate (bench bulk).
 */
export function letHeapsGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
