/** Programs of tests that start others, and end them when they are asked to end. */
import type { ChildProcess } from 'node:child_process';
import { onStopSignals } from '../../src/process/stop-signals.ts';

/** By convention 128 + SIGINT. */
const stoppedExitCode = 130;

/**
 * Runs a program until it ends, or SIGINT or SIGTERM abort the signal that it gets; a second one ends it at once.
 * @returns its exit code
 */
export async function stoppable(run: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const restore = onStopSignals({
    stop: () => {
      stop.abort();
    },
    endNow: () => process.exit(stoppedExitCode),
  });
  try {
    const code = await run(stop.signal);
    return stop.signal.aborted ? stoppedExitCode : code;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return stoppedExitCode;
  } finally {
    restore();
  }
}

/** @param child the leader of a group: started as `detached` */
export function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}
