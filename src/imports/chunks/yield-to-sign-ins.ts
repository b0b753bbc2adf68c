import { setTimeout as delay } from 'node:timers/promises';

/** An import that waits for a sign-in looks again after this. */
const lookAgainMs = 2;
/**
 * About how long a COPY of an import waits for sign-ins before this number of pieces, a MiB, all of these pauses together: longer
 * than a few passwords take. When more than that sign in, an import goes on at the same time, with some ten thousand users a second.
 */
const patienceMs = 100;
const piecesOfPatience = 16;

/**
 * Lets sign-ins go first: for a part of an import's work that is done in pieces, with a pause before each. A
 * pause lasts while a user signs in, until the patience for this group of pieces is used up.
 */
export function yieldingToSignIns(isSigningIn: () => boolean): () => Promise<void> {
  let looks = 0;
  let pieces = 0;
  return async () => {
    if (pieces++ % piecesOfPatience === 0) looks = patienceMs / lookAgainMs;
    for (; looks > 0 && isSigningIn(); looks--) await delay(lookAgainMs);
  };
}
