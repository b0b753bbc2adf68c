/**
 * The order of one upload's chunks. They are parsed and written side by side, but committed one after the other, so that
 * the committed offset never passes a line that is not in the database.
 *
 * What a chunk does between is pipeline.ts; here are the places where it waits for others: parsed (its lines are counted,
 * its keys known), entered (it has a lane), committed or failed; each in the order of the chunks: a step that had the last
 * lane and waited for an earlier one without would wait for ever. A step that fails fails every later one: their lines are
 * sent again from the committed offset.
 */
export class ChunkSequence {
  readonly #linesBefore: number;
  #last: Step | undefined;
  readonly #inFlight = new Set<Step>();
  /** Commits so far, and how many there had been when keys were last moved. */
  #commits = 0;
  #lastMove = 0;

  /** @param linesBefore physical lines before the first chunk */
  constructor(linesBefore: number) {
    this.#linesBefore = linesBefore;
  }

  get commits(): number {
    return this.#commits;
  }

  /** Whether a chunk took keys from users after the first N commits. */
  hasMovedKeysSince(commits: number): boolean {
    return this.#lastMove > commits;
  }

  /** Whether any chunk was committed after the first N commits. */
  hasCommittedSince(commits: number): boolean {
    return this.#commits > commits;
  }

  /** The next chunk's step: called in the order of the chunks. */
  begin(): Step {
    const earlier = [...this.#inFlight];
    const step = new Step(this.#last, earlier, this.#linesBefore);
    this.#last = step;
    this.#inFlight.add(step);
    return step;
  }

  commit(step: Step, movesKeys: boolean): void {
    this.#commits++;
    if (movesKeys) this.#lastMove = this.#commits;
    this.#inFlight.delete(step);
    step.commit();
  }

  fail(step: Step, error: unknown): void {
    this.#inFlight.delete(step);
    step.fail(error);
  }

  /** Resolves when every step so far is committed; rejects as the first that failed. */
  async settled(): Promise<void> {
    await this.#last?.committed.promise;
  }
}

interface Parsed {
  /** Physical lines up to and with this chunk. */
  readonly linesAfter: number;
  /** Sorted digests; see ParsedChunk. */
  readonly keys: Float64Array;
}

export class Step {
  readonly parsed = quiet<Parsed>();
  readonly entered = quiet<undefined>();
  readonly committed = quiet<undefined>();
  readonly #movesKeys = quiet<undefined>();
  #previous: Step | undefined;
  #isCommitted = false;
  /** Not committed when this one began, oldest first. */
  #earlier: readonly Step[];
  readonly #linesBefore: number;

  constructor(previous: Step | undefined, earlier: readonly Step[], linesBefore: number) {
    this.#previous = previous;
    this.#earlier = earlier;
    this.#linesBefore = linesBefore;
  }

  commit(): void {
    this.#isCommitted = true;
    this.committed.resolve(undefined);
    this.#release();
  }

  fail(error: unknown): void {
    this.parsed.reject(error);
    this.entered.reject(error);
    this.committed.reject(error);
    this.#release();
  }

  /** Or each step would keep all before it, and their keys. */
  #release(): void {
    this.#previous = undefined;
    this.#earlier = [];
  }

  /**
   * Reports what was found in the chunk.
   * @returns the physical lines before the chunk, when they are known
   */
  async reportParsed(lines: number, keys: Float64Array): Promise<number> {
    const linesBefore = (await this.#previous?.parsed.promise)?.linesAfter ?? this.#linesBefore;
    this.parsed.resolve({ linesAfter: linesBefore + lines, keys });
    return linesBefore;
  }

  /** Resolves when the step before has a lane and no earlier chunk that shares a key is under way. */
  async mayEnter(): Promise<void> {
    const { keys } = await this.parsed.promise;
    await this.#previous?.entered.promise;
    for (const step of this.#earlier) {
      const other = await step.parsed.promise;
      if (!step.#isCommitted && intersect(other.keys, keys)) await step.committed.promise;
    }
  }

  /** It takes keys from users: a chunk behind it that was written before that is committed has to go again. */
  reportMove(): void {
    this.#movesKeys.resolve(undefined);
  }

  /** It has a lane. */
  enter(): void {
    this.entered.resolve(undefined);
  }

  /** Resolves when it is this step's turn to commit. Rejects when an earlier one failed. */
  async turn(): Promise<void> {
    await this.#previous?.committed.promise;
  }

  /** As `turn`, for a while. @returns whether it came; false at once when an earlier one takes keys */
  async turnWithin(ms: number): Promise<boolean> {
    const { promise: expired, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(resolve, ms, false);
    try {
      const moves = this.#earlier.filter((step) => !step.#isCommitted).map((step) => step.#movesKeys.promise);
      return await Promise.race([
        this.turn().then(() => true),
        expired,
        ...moves.map((move) => move.then(() => false)),
      ]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Its rejection reaches those who wait for it; no one waiting is no error. */
function quiet<T>(): PromiseWithResolvers<T> {
  const deferred = Promise.withResolvers<T>();
  deferred.promise.catch(() => undefined);
  return deferred;
}

/** Whether two sorted arrays have a value in common. */
export function intersect(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const x = a[i] ?? 0;
    const y = b[j] ?? 0;
    if (x === y) return true;
    if (x < y) i++;
    else j++;
  }
  return false;
}
