import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from './core-client.ts';
import { CommandFailure } from '../failure.ts';
import { ConnectionBroken } from './http.ts';
import type { Patience } from './patience.ts';

export interface Persistence {
  readonly patience: Patience;
  /** Told why it waits, and for how long (ms). */
  readonly onTrouble: (reason: string, delayMs: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Repeats `work` after broken connections and what a core says while it is busy or restarts: 408, 409, 423, 429, 5xx.
 * @throws CommandFailure when it has waited long enough; Refused for what waiting does not cure; the abort's error
 */
export async function persist<Result>(
  work: () => Promise<Result>,
  { patience, onTrouble, signal }: Persistence,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const trouble = troubleOf(error);
      if (!trouble) throw error;
      const delayMs = patience.next(trouble.retryAfterMs);
      if (delayMs === undefined)
        throw new CommandFailure(`Gave up waiting for the core: ${trouble.reason}`, { cause: error });
      onTrouble(trouble.reason, delayMs);
      await sleep(delayMs, undefined, { signal });
    }
  }
}

interface Trouble {
  readonly reason: string;
  readonly retryAfterMs: number;
}

/** @returns undefined for what the same request would meet again */
function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof ConnectionBroken) return { reason: error.reason, retryAfterMs: 0 };
  if (!(error instanceof Refused)) return undefined;
  const isPassing = error.http >= 500 || [408, 409, 423, 429].includes(error.http);
  return isPassing ? { reason: error.message, retryAfterMs: (error.retryAfter ?? 0) * 1000 } : undefined;
}
