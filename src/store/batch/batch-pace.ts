/** Weight of earlier statements in the mean, so that about the last ten count. */
const memory = 0.9;

/** Estimates how long an item would wait, from the durations of a batcher's statements. */
export class BatchPace {
  readonly #now: () => number;
  readonly #underWay = new Set<{ readonly atMs: number }>();
  #isFirst = true;
  #meanMs = 0;

  /** @param now a monotonic clock, ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts `statement` as under way until it settles. @returns its result */
  async during<Result>(statement: () => Promise<Result>): Promise<Result> {
    const begun = { atMs: this.#now() };
    this.#underWay.add(begun);
    try {
      return await statement();
    } finally {
      this.#underWay.delete(begun);
      this.#learn(this.#now() - begun.atMs);
    }
  }

  /** Ignores the first statement: its connection plans it, which takes much longer than running it. */
  #learn(tookMs: number): void {
    if (!this.#isFirst)
      this.#meanMs = this.#meanMs === 0 ? tookMs : this.#meanMs * memory + tookMs * (1 - memory);
    this.#isFirst = false;
  }

  /**
   * @returns ms that a new item would wait for the statements before it: by their mean, or by the age of a statement under way if that is
   * longer, because the mean does not show a database that stopped answering.
   * @param batchesAhead full batches that wait
   * @param lanes statements under way at the same time
   */
  predictedWaitMs(batchesAhead: number, lanes: number): number {
    const [oldest] = this.#underWay;
    if (oldest === undefined) return 0;
    const underWayMs = Math.max(this.#meanMs, this.#now() - oldest.atMs);
    return underWayMs + (this.#meanMs * batchesAhead) / lanes;
  }
}
