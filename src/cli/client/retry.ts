import { setTimeout as sleep } from 'node:timers/promises';
import { CoreRefusal } from './core-client.ts';
import { CommandError } from '../command-error.ts';
import { ConnectionBroken } from './http.ts';

export interface Retrying {
  readonly patience: Patience;
  /** Called with the reason for a wait and its length (ms). */
  readonly onTrouble: (reason: string, delayMs: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Repeats `work` after broken connections and a core's answers while it is busy or restarts: 408, 409, 423, 429, 5xx.
 * @throws CommandError when it has waited long enough; CoreRefusal for errors that waiting does not cure; the abort's error
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  { patience, onTrouble, signal }: Retrying,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const trouble = troubleOf(error);
      if (!trouble) throw error;
      const delayMs = patience.next(trouble.retryAfterMs);
      if (delayMs === undefined)
        throw new CommandError(`Gave up waiting for the core: ${trouble.reason}`, { cause: error });
      onTrouble(trouble.reason, delayMs);
      await sleep(delayMs, undefined, { signal });
    }
  }
}

export interface Trouble {
  readonly reason: string;
  readonly retryAfterMs: number;
}

/** @returns undefined for an error that the same request would meet again */
export function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof ConnectionBroken) return { reason: error.reason, retryAfterMs: 0 };
  if (!(error instanceof CoreRefusal)) return undefined;
  const isPassing = error.http >= 500 || [408, 409, 423, 429].includes(error.http);
  return isPassing ? { reason: error.message, retryAfterMs: (error.retryAfter ?? 0) * 1000 } : undefined;
}

/** Waiting between attempts: ms. Doubles up to the longest, and starts again whenever progress was committed. */
const shortestMs = 250;
const longestMs = 15_000;

/** How long to keep trying while a core is away. */
export class Patience {
  readonly #limitMs: number;
  readonly #now: () => number;
  #attempts = 0;
  #since: number | undefined;
  #offset = -1;

  /** @param limitMs without progress, until it gives up @param now ms since the epoch */
  constructor(limitMs: number, now: () => number) {
    this.#limitMs = limitMs;
    this.#now = now;
  }

  /** Progress was committed up to here. */
  advance(offset: number): void {
    if (offset <= this.#offset) return;
    this.#offset = offset;
    this.#attempts = 0;
    this.#since = undefined;
  }

  /**
   * An attempt failed.
   * @param askedForMs the wait that the core asked for, if any
   * @returns ms until the next one; undefined when the limit is reached
   */
  next(askedForMs = 0): number | undefined {
    this.#since ??= this.#now();
    if (this.#now() - this.#since > this.#limitMs) return undefined;
    const delay = Math.max(shortestMs * 2 ** Math.min(this.#attempts, 10), askedForMs);
    this.#attempts += 1;
    return Math.min(longestMs, delay);
  }
}
