import type { GuessKeys, GuessState, GuessStore } from '../ports/guesses.ts';

/** Guesses that all cores on a database count together. */
export interface SharedGuesses {
  readonly store: GuessStore;
  /** Number of running cores, including this one. */
  readonly cores: () => number;
}

/** An accepted guess; exactly one of `succeeded`, `failed` and `cancelled` must be called, once. */
export interface Guess {
  /** Keys for a statement that also returns the state of these buckets; undefined if guesses are not shared. */
  readonly keys: GuessKeys | undefined;
  /**
   * Counts wrong guesses at other cores, before the guess is verified.
   * @param state of the buckets; undefined to read it from the database
   * @throws Refusal TOO_MANY_GUESSES; then the guess is cancelled
   */
  learn(state?: GuessState): Promise<void>;
  /** The password was right: returns the token and makes the address known to the account. */
  succeeded(): void;
  /**
   * The password was wrong: the guess stays counted. Resolves when the database has it.
   * @throws Refusal if it may not have it: the guess is counted in this process alone, so its outcome must not be shown
   */
  failed(): Promise<void>;
  /** Something else failed: returns the token. */
  cancelled(): void;
}

/** The target and origin of a guess; see GuessThrottle. */
export interface GuessedAt {
  readonly appNo: number;
  readonly account: string;
  readonly address: string | undefined;
}

export interface Throttle {
  /** @throws Refusal TOO_MANY_GUESSES, with the time to wait */
  count(guessedAt: GuessedAt): Promise<Guess>;
}

/**
 * Counts a guess before it is verified, so that neither a refusal nor its time shows whether the account exists. A guess that fails for
 * another reason does not stay counted.
 * @param throttle undefined if guesses are not limited
 * @param verify lets the guess learn of other cores before it verifies
 * @throws Refusal TOO_MANY_GUESSES, one of the database if a wrong guess could not be written, and what `verify` throws
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
