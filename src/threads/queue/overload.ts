/** Of the time that somebody may wait: the wait that may be predicted for a task to be let in. */
const usualShare = 1 / 2;
/** The same while there are more than can be served: short, because what is let in then is served before it. */
const overloadedShare = 1 / 10;
/** Of the time that somebody may wait: who has waited for longer has not been met by a burst but by overload. */
const standingShare = 1 / 4;

/**
 * Whether more arrive than can be served. It begins when the queue has stood for too long or somebody is refused, and
 * ends when neither has happened for as long as somebody may wait. While it lasts, little is let in, and it goes before
 * those who have waited for long: they have less patience left, and if the oldest went first, everybody would be served at
 * the end of theirs (B. Maurer, "Fail at Scale", ACM Queue 13 (8), 2015: controlled delay, adaptive LIFO).
 */
export class Overload {
  readonly #waitLimitMs: number;
  #untilMs = -Infinity;

  /** @param waitLimitMs how long somebody may wait */
  constructor(waitLimitMs: number) {
    this.#waitLimitMs = waitLimitMs;
  }

  isOn(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }

  /** Somebody is about to be refused. */
  begin(nowMs: number): void {
    this.#untilMs = nowMs + this.#waitLimitMs;
  }

  /** Whether somebody has waited for long. */
  isLong(waitedMs: number): boolean {
    return waitedMs > this.#waitLimitMs * standingShare;
  }

  /** The longest wait that may be predicted for a task to be let in, ms. */
  admissibleWaitMs(nowMs: number): number {
    return this.#waitLimitMs * (this.isOn(nowMs) ? overloadedShare : usualShare);
  }
}
