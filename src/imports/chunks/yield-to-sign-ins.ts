import { setTimeout as delay } from 'node:timers/promises';

/** A waiting import checks again for sign-ins after this time. */
const lookAgainMs = 2;
/**
 * About how long a COPY of an import waits for sign-ins in total, over the pauses of this number of pieces of a MiB each: longer
 * than a few passwords take. When more users sign in than that, the import continues at the same time, at about ten thousand
 * users a second.
 */
const patienceMs = 100;
const piecesOfPatience = 16;

/**
 * Lets sign-ins go first: for a part of an import's work that is done in pieces, with a pause before each. A pause lasts while a
 * user signs in, until the time for this group of pieces is used up.
 */
export function yieldingToSignIns(isSigningIn: () => boolean): () => Promise<void> {
  let looks = 0;
  let pieces = 0;
  return async () => {
    if (pieces++ % piecesOfPatience === 0) looks = patienceMs / lookAgainMs;
    for (; looks > 0 && isSigningIn(); looks--) await delay(lookAgainMs);
  };
}
