import type { GuessKeys, GuessState, GuessStore } from '../ports/guesses.ts';

/** What all cores on a database count together. */
export interface SharedGuesses {
  readonly store: GuessStore;
  /** Cores that verify guesses at the moment, this one included. */
  readonly cores: () => number;
}

/** A guess that was let through; exactly one of `succeeded`, `failed` and `cancelled` is called, once. */
export interface Guess {
  /** For a look-up that returns the state of these buckets along with other things; undefined if none are shared. */
  readonly keys: GuessKeys | undefined;
  /**
   * Takes wrong guesses at other cores into account, before the guess is verified.
   * @param state undefined: asks the database
   * @throws Refusal TOO_MANY_GUESSES; then the guess is cancelled
   */
  learn(state?: GuessState): Promise<void>;
  /** It was right: takes it back, and makes the address known to the account. */
  succeeded(): void;
  /** It was wrong: it stays counted. Resolves when other cores can know, or cannot be informed. */
  failed(): Promise<void>;
  /** Nothing came of it, because something else failed: takes it back. */
  cancelled(): void;
}

/** What is guessed at, and from where: see GuessThrottle. */
export interface GuessedAt {
  readonly appNo: number;
  readonly account: string;
  readonly address: string | undefined;
}

export interface Throttle {
  /** @throws Refusal TOO_MANY_GUESSES, which says when to try again */
  count(guessedAt: GuessedAt): Promise<Guess>;
}

/**
 * Counts a guess before it is verified, so that neither a refusal nor its time shows whether the account exists. Of one that fails for
 * another reason nothing stays counted.
 * @param throttle undefined where guesses are not limited
 * @param verify lets the guess learn of other cores before it verifies
 * @throws Refusal TOO_MANY_GUESSES, and what `verify` throws
 */
export async function countedGuess<Outcome>(
  throttle: Throttle | undefined,
  guessedAt: GuessedAt,
  verify: (guess: Guess | undefined) => Promise<Outcome>,
  isRight: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  const guess = await throttle?.count(guessedAt);
  try {
    const outcome = await verify(guess);
    if (isRight(outcome)) guess?.succeeded();
    else await guess?.failed();
    return outcome;
  } catch (error) {
    guess?.cancelled();
    throw error;
  }
}
