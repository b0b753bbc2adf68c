import type { TriedCode } from './model.ts';

export interface Limits {
  readonly maxAttempts: number;
  readonly cooldownMs: number;
}

/** The state of a user's attempts. */
export interface Standing {
  /** Wrong codes that count. */
  readonly failed: number;
  /** Set when no code is checked now. */
  readonly retryAfterMs?: number;
}

/**
 * Wrong codes since the last right one count while they are younger than the newest by less than the cooldown. At the limit, no
 * code is checked until the cooldown after the newest is over; then they are counted again.
 * @param tried the newest first, at most `maxAttempts` of them
 */
export function standingOf(
  tried: readonly TriedCode[],
  { maxAttempts, cooldownMs }: Limits,
  now: number,
): Standing {
  const [newest] = tried;
  if (newest === undefined) return { failed: 0 };
  const right = tried.findIndex(({ isRight }) => isRight);
  const wrong = right < 0 ? tried : tried.slice(0, right);
  const failed = wrong.filter(({ at }) => at > newest.at - cooldownMs).length;
  if (failed < maxAttempts) return { failed };
  const sinceMs = now - newest.at;
  return sinceMs < cooldownMs ? { failed, retryAfterMs: cooldownMs - sinceMs } : { failed: 0 };
}
