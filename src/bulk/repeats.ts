import type { KnownChunk, RepeatsSoFar } from './ports.ts';

/**
 * The chunks at the beginning of a job that are known: an earlier job created all of their users from the same bytes, and
 * these are today exactly as they state. Such a chunk is passed over, unparsed: its valid records are `unchanged`, and its
 * other lines, which are rejected without a look at the database and claim nothing, are rejected as before.
 *
 *   mode      chunks                 ends by
 *   passing   are looked for         one that is not known, or that the job has met before → turning
 *   turning   go the full way        the first of them, in its turn, has claimed the users passed over → full
 *   full      go the full way        -
 *
 * Invariants:
 * - A chunk is passed over only if all before it in the job were. So what is passed over meets no other record but those
 *   of known chunks, and no two of these share a key: two chunks whose states hold would have the same user then, as keys
 *   are unique, but each user was created once, by one chunk, under an id that never comes again. The same chunk twice in
 *   one job is told by its digest.
 * - Nothing is merged before the users passed over are claimed, as the full way would have claimed them one by one: that
 *   is what makes a later record with one of their keys a duplicate. Until then the table import_repeats stands for the
 *   claims, so a job that broke off goes on in either mode: passing, if none of its repeats are claimed and all that is
 *   committed was passed over; else turning.
 * - Passing over takes no locks: as when users are compared one by one, who changes a user afterwards comes after the import.
 */
export class Repeats {
  #mode: 'passing' | 'turning' | 'full';
  /** How many chunks were passed over and are not claimed. */
  #unclaimed: number;
  /** Digests of this upload's; those of earlier uploads of the job are in the table. */
  readonly #met = new Set<string>();
  #decided: Promise<unknown> = Promise.resolve();

  /** @param bytes of the job that are committed */
  constructor({ hasKnown, passed, claimed }: RepeatsSoFar, bytes: number) {
    const isAllPassed = claimed === 0 && (bytes === 0 || passed > 0);
    this.#unclaimed = passed - claimed;
    this.#mode = hasKnown && isAllPassed ? 'passing' : 'turning';
  }

  /**
   * Decides about the next chunk: called in the order of the chunks.
   * @param find looks for the chunk; begins at once, so that chunks are looked for side by side
   * @returns the chunk when it is to be passed over
   */
  decide(find: () => Promise<KnownChunk | undefined>): Promise<KnownChunk | undefined> {
    if (this.#mode !== 'passing') return Promise.resolve(undefined);
    const decided = this.#decide(find(), this.#decided);
    this.#decided = decided;
    return decided;
  }

  /** Whether chunks of this job were passed over: what follows them is hardly all new. */
  get hasPassed(): boolean {
    return this.#unclaimed > 0;
  }

  /**
   * Called by each chunk that goes the full way before it is merged, when all before it are merged or being merged.
   * @param claim claims whom the job has passed over; must begin by waiting for the chunk's turn
   * @returns whether users were claimed
   */
  async turn(claim: () => Promise<void>): Promise<boolean> {
    if (this.#mode !== 'turning') return false;
    const isNeeded = this.#unclaimed > 0;
    if (isNeeded) await claim();
    this.#mode = 'full';
    return isNeeded;
  }

  async #decide(
    finding: Promise<KnownChunk | undefined>,
    earlier: Promise<unknown>,
  ): Promise<KnownChunk | undefined> {
    const [chunk] = await Promise.all([finding, earlier]);
    if (this.#mode !== 'passing') return undefined;
    if (chunk === undefined || this.#met.has(chunk.digest)) {
      this.#mode = 'turning';
      return undefined;
    }
    this.#met.add(chunk.digest);
    this.#unclaimed++;
    return chunk;
  }
}
