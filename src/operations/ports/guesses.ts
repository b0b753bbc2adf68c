/** Wrong guesses that all cores on a database count together: see GuessThrottle. */

/** Keys of a guess's buckets; digests, so that the database has no addresses of clients. */
export interface GuessKeys {
  /** The account, from this address. */
  readonly pair: string;
  /** Undefined if the address is not known. */
  readonly address: string | undefined;
  /** The account, from everywhere. */
  readonly account: string;
}

/** For each key ms until its bucket is full again; 0 if it is. */
export type GuessState = Readonly<Record<keyof GuessKeys, number>>;

/** A guess that counts as wrong, at least until it is verified: what it adds to each bucket, ms; 0 leaves it as it is. */
export interface WrongGuess {
  readonly keys: GuessKeys;
  readonly adds: GuessState;
}

export interface GuessStore {
  look(appNo: number, keys: GuessKeys): Promise<GuessState>;
  /** Resolves after the commit, with the state after it. */
  add(appNo: number, guess: WrongGuess): Promise<GuessState>;
  /** Removes a guess that was added and turned out not to be wrong; resolves like `add`. */
  takeBack(appNo: number, guess: WrongGuess): Promise<GuessState>;
  /** Fills the bucket of the pair, after a right password. */
  clear(appNo: number, keys: GuessKeys): Promise<void>;
}
