/** How much of what was learned is kept by each statement: the last ten or so count. */
const memory = 0.9;

/** How long the statements of a batcher take, and so how long an item would wait for its own. */
export class BatchPace {
  readonly #now: () => number;
  readonly #underWay = new Set<{ readonly atMs: number }>();
  #isFirst = true;
  #meanMs = 0;

  /** @param now a monotonic clock, ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts `statement` as under way until it settles, and settles as it does. */
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

  /** Of the first statement nothing: its connection plans it, which takes many times as long as running it. */
  #learn(tookMs: number): void {
    if (!this.#isFirst)
      this.#meanMs = this.#meanMs === 0 ? tookMs : this.#meanMs * memory + tookMs * (1 - memory);
    this.#isFirst = false;
  }

  /**
   * How long an item waits that comes now, ms: as long as the statements before it take, by their mean, or by the one that
   * has been under way for longer than that: the mean does not show a database that has stopped answering.
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
