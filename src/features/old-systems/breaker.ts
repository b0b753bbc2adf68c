/** ms */
const firstPauseMs = 10_000;
const longestPauseMs = 60_000;
/** Failures in a row that open it. */
const mostFailures = 5;

/**
 * Whether an old system is asked at all. After failures in a row it is paused for a while, and then asked one question at a time
 * until it answers.
 *
 * Modes: `closed` (asked), `open` (paused until `openUntil`), `probing` (the pause is over, one question is under way).
 * Invariant: a question that began while probing ends by `succeeded`, `failed` or `ended`.
 */
export class Breaker {
  #failures = 0;
  #openUntil = 0;
  #pauseMs = firstPauseMs;
  #isProbing = false;

  /** @returns ms until a request may ask; 0 for now */
  waitMs(now: number): number {
    if (this.#failures < mostFailures) return 0;
    // The clock may have been set back.
    const leftMs = Math.min(this.#openUntil - now, this.#pauseMs);
    return this.#isProbing ? Math.max(leftMs, 1000) : Math.max(leftMs, 0);
  }

  /** Begins a question, after `waitMs` returned 0. */
  begin(): void {
    if (this.#failures >= mostFailures) this.#isProbing = true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#pauseMs = firstPauseMs;
    this.#isProbing = false;
  }

  /** A question ended without evidence about the system. */
  ended(): void {
    this.#isProbing = false;
  }

  /** @param retryAfterMs the old system's own request */
  failed(now: number, retryAfterMs = 0): void {
    if (this.#isProbing) this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    this.#isProbing = false;
    this.#failures += 1;
    if (retryAfterMs > 0) this.#failures = Math.max(this.#failures, mostFailures);
    this.#pauseMs = Math.max(this.#pauseMs, Math.min(retryAfterMs, longestPauseMs));
    this.#openUntil = now + this.#pauseMs;
  }
}
