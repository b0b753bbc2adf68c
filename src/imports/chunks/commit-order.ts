import { intersect } from '../sorted-numbers.ts';
import { type CommittedChunk, type Looked, RecentCommits } from './recent-commits.ts';

/** Why a written chunk is rolled back, and written again when all chunks before it are committed. */
export type WhyAgain =
  /** The chunk before it was not committed in time: it may wait for a lock of this one, which the database cannot see. */
  | 'patience'
  /** An earlier chunk took a key that this one states, or one of the two changed a user of the other: it was looked up before that. */
  | 'keys-moved'
  /** A chunk was committed since the look-up, and the outcome of a record depends on what that chunk has seen. */
  | 'neighbour-moved'
  /** A user may have been seen a second time: each user needs a row then, instead of one row for all. */
  | 'repeated'
  /** A primary user shares an email or identity with another primary user that requests or earlier chunks have committed since. */
  | 'rival';

/** How a written chunk depends on others. */
interface Written extends Looked {
  /** Its outcome holds only if no chunk was committed since. */
  readonly needsNeighbours: boolean;
}

/**
 * How long a written chunk holds its locks until all chunks before it are committed. One of those may be waiting for such a lock,
 * in a way that the database cannot see.
 */
const patienceMs = 2000;

/**
 * The order of one upload's chunks. They are parsed and written concurrently but committed in order, so that the committed offset
 * never passes a line that is not in the database.
 *
 * The steps of a chunk are in pipeline.ts; this class has the points where it waits for other chunks: parsed (its lines are
 * counted, its keys known), entered (it has a lane), committed or failed. Each is reached in the order of the chunks: a step that
 * had the last lane and waited for an earlier one without a lane would wait for ever. A step that fails fails every later one:
 * their lines are sent again from the committed offset.
 */
export class ChunkSequence {
  readonly #linesBefore: Promise<number>;
  #last: Step | undefined;
  readonly #inFlight = new Set<Step>();
  readonly #commits = new RecentCommits();

  /** @param linesBefore physical lines before the first chunk: resolves when they are committed, by whichever core */
  constructor(linesBefore: Promise<number>) {
    this.#linesBefore = linesBefore;
  }

  /** The chunks committed so far. */
  get commits(): Pick<RecentCommits, 'count' | 'haveSeen'> {
    return this.#commits;
  }

  /**
   * Waits until a written chunk may be committed.
   * @returns why it has to be written again; undefined if it need not be
   * @throws the error of the first failed chunk before it
   */
  async whyAgain(
    step: Step,
    { needsNeighbours, ...looked }: Written,
    patience = patienceMs,
  ): Promise<'patience' | 'keys-moved' | 'neighbour-moved' | undefined> {
    if (looked.moves === 'unknown') step.reportUnknownMove();
    const why = await step.isNextWithin(patience);
    if (why !== undefined) return why;
    if (this.#commits.haveMoved(looked)) return 'keys-moved';
    return needsNeighbours && this.#commits.count > looked.commits ? 'neighbour-moved' : undefined;
  }

  /** Makes the next chunk's step. Called in the order of the chunks. */
  begin(): Step {
    const earlier = [...this.#inFlight];
    const step = new Step(this.#last, earlier, this.#linesBefore);
    this.#last = step;
    this.#inFlight.add(step);
    return step;
  }

  commit(step: Step, chunk: CommittedChunk): void {
    this.#commits.add(chunk);
    this.#inFlight.delete(step);
    step.commit();
  }

  fail(step: Step, error: unknown): void {
    this.#inFlight.delete(step);
    step.fail(error);
  }

  /** Resolves when every step so far is committed; rejects with the error of the first that failed. */
  async settled(): Promise<void> {
    await this.#last?.committed.promise;
  }
}

interface Parsed {
  /** Physical lines up to and including this chunk. */
  readonly linesAfter: number;
  /** Sorted digests; see ParsedChunk. */
  readonly keys: Float64Array;
}

export class Step {
  readonly parsed = quiet<Parsed>();
  readonly entered = quiet<undefined>();
  readonly committed = quiet<undefined>();
  readonly #movesUnknown = quiet<undefined>();
  #previous: Step | undefined;
  #isCommitted = false;
  /** The steps not committed when this one began, oldest first. */
  #earlier: readonly Step[];
  readonly #linesBefore: Promise<number>;

  constructor(previous: Step | undefined, earlier: readonly Step[], linesBefore: Promise<number>) {
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

  /** Otherwise each step would retain all earlier ones, and their keys. */
  #release(): void {
    this.#previous = undefined;
    this.#earlier = [];
  }

  /**
   * Reports the result of the parse.
   * @returns the physical lines before the chunk, when they are known
   */
  async reportParsed(lines: number, keys: Float64Array): Promise<number> {
    const linesBefore = (await this.#previous?.parsed.promise)?.linesAfter ?? (await this.#linesBefore);
    this.parsed.resolve({ linesAfter: linesBefore + lines, keys });
    return linesBefore;
  }

  /** Resolves when the step before has a lane and no earlier chunk with a shared key is under way. */
  async mayEnter(): Promise<void> {
    const { keys } = await this.parsed.promise;
    await this.#previous?.entered.promise;
    for (const step of this.#earlier) {
      const other = await step.parsed.promise;
      if (!step.#isCommitted && intersect(other.keys, keys)) await step.committed.promise;
    }
  }

  /** Reports that later chunks have to be written again that were written before its commit. */
  reportUnknownMove(): void {
    this.#movesUnknown.resolve(undefined);
  }

  /** Reports that the chunk has a lane. */
  enter(): void {
    this.entered.resolve(undefined);
  }

  /** Resolves when all steps before it are committed. Rejects when one failed. */
  async isNext(): Promise<void> {
    await this.#previous?.committed.promise;
  }

  /** As `isNext`, for a limited time. @returns undefined when it is the next; otherwise why waiting is useless */
  async isNextWithin(ms: number): Promise<'patience' | 'keys-moved' | undefined> {
    const { promise: expired, resolve } = Promise.withResolvers<'patience'>();
    const timer = setTimeout(resolve, ms, 'patience');
    try {
      const moves = this.#earlier
        .filter((step) => !step.#isCommitted)
        .map((step) => step.#movesUnknown.promise);
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

/** Its rejection reaches those who wait for it, and is not reported as unhandled when no code waits. */
function quiet<T>(): PromiseWithResolvers<T> {
  const deferred = Promise.withResolvers<T>();
  deferred.promise.catch(() => undefined);
  return deferred;
}
