/** Share of the wait limit: the predicted wait up to which a task is accepted. */
const usualShare = 1 / 2;
/** The same while there are more than can be served: short, because what is let in then is served before it. */
const overloadedShare = 1 / 10;
/** Share of the wait limit: a longer wait is not a burst but overload. */
const standingShare = 1 / 4;

/**
 * Whether more arrive than can be served. It begins when the queue has stood for too long or a task is refused, and
 * ends when neither has happened for the wait limit. While it lasts, little is accepted, and it goes before
 * those that have waited for long: they have less patience left, and if the oldest went first, all would be served at
 * the end of theirs (B. Maurer, "Fail at Scale", ACM Queue 13 (8), 2015: controlled delay, adaptive LIFO).
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

  /** Whether a task has waited for long. */
  isLong(waitedMs: number): boolean {
    return waitedMs > this.#waitLimitMs * standingShare;
  }

  /** The longest wait that may be predicted for a task to be let in, ms. */
  admissibleWaitMs(nowMs: number): number {
    return this.#waitLimitMs * (this.isOn(nowMs) ? overloadedShare : usualShare);
  }
}
