import type { GuessKeys, GuessState, GuessStore, WrongGuess } from '../ports/guesses.ts';
import { addsOf, type Bucket } from './guess-buckets.ts';

interface SharedBucketsOptions {
  readonly store: GuessStore;
  readonly appNo: number;
  readonly keys: GuessKeys;
  /** What a guess adds to the bucket of the account from everywhere, ms. */
  readonly accountMs: number;
  /** The number of states that this process has read, of any buckets. */
  readonly reads: () => number;
  /** @param asked the number of states that were read when this one was asked for */
  readonly onRead: (state: GuessState, asked: number) => void;
}

/** The buckets of one guess in the database, which all cores share. */
export class SharedBuckets {
  readonly keys: GuessKeys;
  readonly #options: SharedBucketsOptions;
  readonly #begun: number;
  /** Of the pair, as last read. */
  #pairMs = 0;

  constructor(options: SharedBucketsOptions) {
    this.#options = options;
    this.keys = options.keys;
    this.#begun = options.reads();
  }

  /** @param state that was asked for after the guess began */
  merge(state: GuessState): void {
    this.#read(state, this.#begun);
  }

  async look(): Promise<void> {
    const { store, appNo, keys, reads } = this.#options;
    const asked = reads();
    this.#read(await store.look(appNo, keys), asked);
  }

  /** Resolves when the database has the guess. */
  add(buckets: readonly Bucket[]): Promise<GuessState> {
    const { store, appNo } = this.#options;
    return store.add(appNo, this.#guessOf(buckets));
  }

  /** Takes a guess back that was added. */
  takeBack(buckets: readonly Bucket[]): Promise<GuessState> {
    const { store, appNo } = this.#options;
    return store.takeBack(appNo, this.#guessOf(buckets));
  }

  /**
   * Fills the bucket of the pair if it has wrong guesses.
   * @param takenBack the state after the guess itself was taken back, if it had been added
   */
  async clearIfWrong(takenBack: Promise<GuessState> | undefined): Promise<void> {
    const { store, appNo, keys } = this.#options;
    const pairMs = (await takenBack)?.pair ?? this.#pairMs;
    if (pairMs > 0) await store.clear(appNo, keys);
  }

  #guessOf(buckets: readonly Bucket[]): WrongGuess {
    const { keys, accountMs } = this.#options;
    return { keys, adds: addsOf(buckets, accountMs) };
  }

  #read(state: GuessState, asked: number): void {
    this.#pairMs = state.pair;
    this.#options.onRead(state, asked);
  }
}
