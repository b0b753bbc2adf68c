/** Waiting between attempts: ms. Doubles up to the longest, and starts anew whenever something was committed. */
const shortestMs = 250;
const longestMs = 15_000;

/** How long to go on trying while a core is away. */
export class Patience {
  readonly #limitMs: number;
  readonly #now: () => number;
  #attempts = 0;
  #since: number | undefined;
  #offset = -1;

  /** @param limitMs without anything committed, until it is given up @param now ms since the epoch */
  constructor(limitMs: number, now: () => number) {
    this.#limitMs = limitMs;
    this.#now = now;
  }

  /** Something was committed up to here. */
  advance(offset: number): void {
    if (offset <= this.#offset) return;
    this.#offset = offset;
    this.#attempts = 0;
    this.#since = undefined;
  }

  /**
   * An attempt failed.
   * @param askedForMs what the core asked for, if it did
   * @returns ms until the next one; undefined when it has been long enough
   */
  next(askedForMs = 0): number | undefined {
    this.#since ??= this.#now();
    if (this.#now() - this.#since > this.#limitMs) return undefined;
    const delay = Math.max(shortestMs * 2 ** Math.min(this.#attempts, 10), askedForMs);
    this.#attempts += 1;
    return Math.min(longestMs, delay);
  }
}
