import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onStopSignals } from '../src/process/stop-signals.ts';

/** By convention 128 + SIGINT. */
export const interruptedExitCode = 130;

/** A person stopped the run. */
export class Interrupted extends Error {}

/**
 * Lets a run end in order when it is told to: by Ctrl-C, or by SIGTERM.
 *
 * What a scenario has started (a PostgreSQL in a session of its own, folders) only the scenario can remove, in its
 * `finally`. So it is made to fail: its Node processes are ended, those that it starts later too, and its next line of
 * progress throws. A second Ctrl-C ends the program at once and leaves what there is.
 */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Signals are as they were before. */
  close(): void;
}

/** Told by Node of each process that is started: https://nodejs.org/api/diagnostics_channel.html */
const channel = 'child_process';

export function interruptible(say: (line: string) => void): Interruption {
  const stop = new AbortController();
  const children = new Set<ChildProcess>();
  const onStart = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    // Told before the process is there: what it is and its id are known a moment later.
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
 * Takes the rejections that nobody waits for. They would end the program at once, with all that a scenario has started
 * left behind, and a scenario that is stopped or fails half-way often has some.
 */
export function collectStrays(): Strays {
  const reasons: unknown[] = [];
  const take = (reason: unknown): void => {
    reasons.push(reason);
  };
  process.on('unhandledRejection', take);
  return { reasons, close: () => process.off('unhandledRejection', take) };
}
