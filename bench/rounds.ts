import type { BenchOptions, Measurement } from './scenario.ts';

/** How many rounds a scenario takes. A quick run takes one. */
export interface RoundLimits {
  /** So many that their differences say how well the ratios are known. */
  readonly least: number;
  /** Then what is found counts, however much rounds differ: a limit in time. */
  readonly most: number;
}

/**
 * A ratio whose standard error is below this is known: of two such runs one in 200 pairs differs by more than a tenth
 * (a normal distribution beyond 0.1 / (0.025 √2) = 2.8 standard deviations).
 */
const knownBelow = 0.025;

/**
 * Takes rounds until every ratio is known so well that another run finds it again, or there have been the most.
 * @param inWords a line of progress for each round
 * @param run takes a round; its number counts from 1
 * @param measure what all rounds so far have found
 */
export async function untilKnown<Round, Found extends readonly Measurement[]>(
  { quick, say }: BenchOptions,
  { least, most, inWords }: RoundLimits & { readonly inWords?: (round: Round) => string },
  run: (n: number) => Promise<Round>,
  measure: (rounds: readonly Round[]) => Found,
): Promise<Found> {
  const rounds: Round[] = [];
  for (;;) {
    const round = await run(rounds.length + 1);
    rounds.push(round);
    if (inWords) say(`round ${rounds.length}: ${inWords(round)}`);
    if (!quick && rounds.length < least) continue;
    const found = measure(rounds);
    if (quick || rounds.length >= most || found.every(isKnown)) return found;
  }
}

/** What was measured once, or is one figure of all rounds, has no error: more rounds would not say more. */
function isKnown({ error }: Measurement): boolean {
  return error === undefined || error <= knownBelow;
}
