/** Share of the wait limit: the predicted wait up to which a task is accepted. */
const usualShare = 1 / 2;
/** The same under overload: short, because accepted tasks are served first. */
const overloadedShare = 1 / 10;
/** Share of the wait limit: a longer wait is overload, not a burst. */
const burstShare = 1 / 4;

/**
 * Detects that more arrives than can be served. Begins when a task waited too long or is refused; ends when neither happened for
 * the wait limit. Meanwhile few tasks are accepted and newer ones go first, because serving the oldest first would let all time
 * out (B. Maurer, "Fail at Scale", ACM Queue 13 (8), 2015: controlled delay, adaptive LIFO).
 */
export class Overload {
  readonly #waitLimitMs: number;
  #untilMs = -Infinity;

  /** @param waitLimitMs how long a request may wait */
  constructor(waitLimitMs: number) {
    this.#waitLimitMs = waitLimitMs;
  }

  isOn(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }

  /** A task is about to be refused. */
  begin(nowMs: number): void {
    this.#untilMs = nowMs + this.#waitLimitMs;
  }

  isLong(waitedMs: number): boolean {
    return waitedMs > this.#waitLimitMs * burstShare;
  }

  /** The longest predicted wait of an accepted task, ms. */
  admissibleWaitMs(nowMs: number): number {
    return this.#waitLimitMs * (this.isOn(nowMs) ? overloadedShare : usualShare);
  }
}
