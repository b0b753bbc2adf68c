import type { Measurement } from './scenario.ts';

/** How many rounds a scenario takes. */
export interface RoundLimits {
  /** So many that their differences say how well the ratios are known. */
  readonly least: number;
  /** Then what is found counts, however much rounds differ: a limit in time. */
  readonly most: number;
}

/** Of a quick run. */
export const oneRound: RoundLimits = { least: 1, most: 1 };

/**
 * A ratio whose standard error is below this is known: of two such runs one in 200 pairs differs by more than a tenth
 * (a normal distribution beyond 0.1 / (0.025 √2) = 2.8 standard deviations).
 */
const knownBelow = 0.025;

/**
 * Takes rounds until every ratio is known so well that another run finds it again, or there have been the most.
 * @param run takes a round; its number counts from 1
 * @param measure what all rounds so far have found
 */
export async function untilKnown<Round, Found extends readonly Measurement[]>(
  { least, most }: RoundLimits,
  run: (n: number) => Promise<Round>,
  measure: (rounds: readonly Round[]) => Found,
): Promise<Found> {
  const rounds: Round[] = [];
  for (;;) {
    rounds.push(await run(rounds.length + 1));
    if (rounds.length < least) continue;
    const found = measure(rounds);
    if (rounds.length >= most || found.every(isKnown)) return found;
  }
}

/** What was measured once, or is one figure of all rounds, has no error: more rounds would not tell. */
function isKnown({ error }: Measurement): boolean {
  return error === undefined || error <= knownBelow;
}
