/** Guesses of one bucket that are being verified. */
interface Open {
  count: number;
  /** Resolves when one of them ends. */
  next: PromiseWithResolvers<undefined>;
  claimedBy: object | undefined;
}

/** Guesses that are being verified, by the key of a bucket. Bounded by the number of passwords being verified. */
export class OpenGuesses {
  readonly #open = new Map<string, Open>();

  begin(key: string): void {
    const open = this.#open.get(key) ?? { count: 0, next: Promise.withResolvers(), claimedBy: undefined };
    open.count++;
    this.#open.set(key, open);
  }

  /** Wakes those that wait for the bucket, and leaves its claim to them. */
  end(key: string, guess: object): void {
    const open = this.#open.get(key);
    if (!open) return;
    open.count--;
    if (open.count === 0) this.#open.delete(key);
    if (open.claimedBy === guess) open.claimedBy = undefined;
    const { next } = open;
    open.next = Promise.withResolvers();
    next.resolve(undefined);
  }

  countOf(key: string): number {
    return this.#open.get(key)?.count ?? 0;
  }

  /** Resolves when a guess of the bucket ends. @returns undefined if none is being verified */
  nextEnd(key: string): Promise<undefined> | undefined {
    return this.#open.get(key)?.next.promise;
  }

  /**
   * Each bucket has one claim, which a guess keeps until it ends.
   * @param guess which is open in this bucket
   * @returns whether the guess has it
   */
  claim(key: string, guess: object): boolean {
    const open = this.#open.get(key);
    if (!open) return false;
    open.claimedBy ??= guess;
    return open.claimedBy === guess;
  }
}
