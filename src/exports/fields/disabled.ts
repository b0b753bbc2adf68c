/** Whether a source blocks a user, and until when. */

/** True permanently, a number until then (ms since the epoch), false not; undefined if unknown. */
export type Disabled = boolean | number | undefined;

/** Disabled if any of them is true, and until the last of their times. @param said each separately; true: may not sign in */
export function disabledIf(...said: readonly Disabled[]): Disabled {
  if (said.includes(true)) return true;
  const times = said.filter((each) => typeof each === 'number');
  return times.length > 0 ? Math.max(...times) : said.find((each) => each !== undefined);
}

/**
 * For a lock with an end: one that is over no longer disables.
 * @param until ms since the epoch, Infinity without an end; undefined if unknown
 */
export function disabledUntil(until: number | undefined, now = Date.now()): Disabled {
  if (until === undefined || until === Infinity) return until === undefined ? undefined : true;
  return until > now ? until : false;
}
