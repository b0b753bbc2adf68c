/** Why a chunk that is written is rolled back, and written again when all chunks before it are committed. */
export type WhyAgain =
  /** The chunk before it was not committed in time: it may wait for a lock of this one, which no database could see. */
  | 'patience'
  /** A chunk before it took keys from users, or is about to: records of this one looked before that. */
  | 'keys-moved'
  /** A chunk was committed since it looked, and the outcome of a record depends on what that one has seen. */
  | 'neighbour-moved'
  /** A user is seen for the second time, perhaps: each needs a row then, in place of one row for all. */
  | 'repeated'
  /** A primary user shares with another one what no two may, since requests or earlier chunks were committed. */
  | 'rival';

/** How a chunk that is written depends on others. */
export interface Looked {
  /** Commits of chunks before its transaction looked at anything. */
  readonly commits: number;
  /** It takes keys from users, or changes what chunks at the same time may have compared. */
  readonly movesKeys: boolean;
  /** Its outcome holds only if no chunk was committed since. */
  readonly needsNeighbours: boolean;
}

/**
 * How long a chunk that is written holds its locks until all chunks before it are committed. One of those may be waiting for such a
 * lock, in a way that the database cannot see.
 */
const patienceMs = 2000;

/**
 * The order of one upload's chunks. They are parsed and written side by side, but committed one after the other, so that
 * the committed offset never passes a line that is not in the database.
 *
 * pipeline.ts has the steps of a chunk in between; here are the places where it waits for other chunks: parsed (its lines are counted,
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

  /**
   * Waits until a chunk that is written may be committed.
   * @returns why it has to be written again, if it has
   * @throws as the first chunk before it that failed
   */
  async whyAgain(
    step: Step,
    { commits, movesKeys, needsNeighbours }: Looked,
    patience = patienceMs,
  ): Promise<'patience' | 'keys-moved' | 'neighbour-moved' | undefined> {
    if (movesKeys) step.reportMove();
    const why = await step.isNextWithin(patience);
    if (why !== undefined) return why;
    if (this.#lastMove > commits) return 'keys-moved';
    return needsNeighbours && this.#commits > commits ? 'neighbour-moved' : undefined;
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

  /** It takes keys from users: later chunks that were written before its commit have to be written again. */
  reportMove(): void {
    this.#movesKeys.resolve(undefined);
  }

  /** It has a lane. */
  enter(): void {
    this.entered.resolve(undefined);
  }

  /** Resolves when all steps before it are committed. Rejects when an earlier one failed. */
  async isNext(): Promise<void> {
    await this.#previous?.committed.promise;
  }

  /** As `isNext`, for a while. @returns undefined when it is the next; else why waiting is in vain */
  async isNextWithin(ms: number): Promise<'patience' | 'keys-moved' | undefined> {
    const { promise: expired, resolve } = Promise.withResolvers<'patience'>();
    const timer = setTimeout(resolve, ms, 'patience');
    try {
      const moves = this.#earlier.filter((step) => !step.#isCommitted).map((step) => step.#movesKeys.promise);
      return await Promise.race([
        this.isNext().then(() => undefined),
        expired,
        ...moves.map((move) => move.then(() => 'keys-moved' as const)),
      ]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Its rejection reaches what waits for it, and is not an unhandled one where nothing does. */
function quiet<T>(): PromiseWithResolvers<T> {
  const deferred = Promise.withResolvers<T>();
  deferred.promise.catch(() => undefined);
  return deferred;
}

/** @returns whether two sorted arrays have a value in common */
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
