import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onStopSignals } from '../src/process/stop-signals.ts';

/** By convention 128 + SIGINT. */
export const interruptedExitCode = 130;

/** A person stopped the run. */
export class Interrupted extends Error {}

/**
 * Lets a run end in order after Ctrl-C or SIGTERM.
 *
 * What a scenario has started (a PostgreSQL in a separate session, folders) only the scenario can remove, in its `finally`. So it
 * is made to fail: its Node processes are ended, including those that it starts later, and its next line of progress throws. A
 * second Ctrl-C ends the program at once and leaves everything.
 */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Restores the previous handlers. */
  close(): void;
}

/** Node publishes each started process there: https://nodejs.org/api/diagnostics_channel.html */
const channel = 'child_process';

export function interruptible(say: (line: string) => void): Interruption {
  const stop = new AbortController();
  const children = new Set<ChildProcess>();
  const onStart = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    // Published before the process exists: its kind and its id are known a moment later.
    setImmediate(() => {
      if (child.spawnfile !== process.execPath || child.exitCode !== null) return;
      children.add(child);
      child.once('exit', () => children.delete(child));
      if (stop.signal.aborted) child.kill('SIGTERM');
    });
  };
  subscribe(channel, onStart);
  const restoreSignals = onStopSignals({
    stop: () => {
      say('stopping; Ctrl-C again to end at once, which leaves processes and temporary folders behind');
      stop.abort(new Interrupted('stopped'));
      for (const child of children) child.kill('SIGTERM');
    },
    endNow: () => process.exit(interruptedExitCode),
  });
  return {
    signal: stop.signal,
    close: () => {
      unsubscribe(channel, onStart);
      restoreSignals();
    },
  };
}

/** {@link collectStrays} */
export interface Strays {
  readonly reasons: readonly unknown[];
  close(): void;
}

/**
 * Collects unhandled rejections. They would end the program at once, without removing what a scenario has started, and a scenario
 * that is stopped or fails half-way often causes some.
 */
export function collectStrays(): Strays {
  const reasons: unknown[] = [];
  const take = (reason: unknown): void => {
    reasons.push(reason);
  };
  process.on('unhandledRejection', take);
  return { reasons, close: () => process.off('unhandledRejection', take) };
}
