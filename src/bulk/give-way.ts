import { setTimeout as delay } from 'node:timers/promises';

/** An import that waits for a sign-in looks again after this. */
const lookAgainMs = 2;
/**
 * About how long one COPY of an import waits for sign-ins, all of its pauses together: longer than a few passwords take. When
 * more than that sign in, an import goes on beside them, by some ten thousand users a second.
 */
const patienceMs = 100;

/**
 * Lets those who sign in go first: for one piece of an import's work that is done in steps, with a pause before each. A
 * pause lasts while somebody signs in, until the patience of all pauses together is used up.
 */
export function givingWay(someoneSignsIn: () => boolean): () => Promise<void> {
  let looks = patienceMs / lookAgainMs;
  return async () => {
    for (; looks > 0 && someoneSignsIn(); looks--) await delay(lookAgainMs);
  };
}
