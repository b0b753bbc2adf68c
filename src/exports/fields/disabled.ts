/** Whether a source keeps a user out, and until when. */

/** True for good, a number until then (ms since the epoch), false not; undefined where the source says nothing. */
export type Disabled = boolean | number | undefined;

/** Disabled where any of them says so, and until the last of their times. @param said each by itself; true: may not sign in */
export function disabledIf(...said: readonly Disabled[]): Disabled {
  if (said.includes(true)) return true;
  const times = said.filter((each) => typeof each === 'number');
  return times.length > 0 ? Math.max(...times) : said.find((each) => each !== undefined);
}

/**
 * Of a lock with an end: one that is over disables no more.
 * @param until ms since the epoch, Infinity without an end; undefined where the source says nothing
 */
export function disabledUntil(until: number | undefined, now = Date.now()): Disabled {
  if (until === undefined || until === Infinity) return until === undefined ? undefined : true;
  return until > now ? until : false;
}
