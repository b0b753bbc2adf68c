import type { BenchOptions, Measurement } from './scenario.ts';

/** The number of rounds of a scenario. A quick run takes one. */
export interface RoundLimits {
  /** Enough for their differences to show how precise the ratios are. */
  readonly least: number;
  /** Then the result counts, however much rounds differ: a limit in time. */
  readonly most: number;
}

/**
 * A ratio whose standard error is below this is precise enough: of two such runs one in 200 pairs differs by more than a tenth (a
 * normal distribution beyond 0.1 / (0.025 √2) = 2.8 standard deviations).
 */
const knownBelow = 0.025;

/**
 * Repeats rounds until every ratio is precise enough to be reproduced, the maximum is reached, or another round would end after the
 * time of the scenario.
 * @param inWords a line of progress for each round
 * @param run runs a round; its number counts from 1
 * @param measure the result of all rounds so far
 */
export async function untilKnown<Round, Found extends readonly Measurement[]>(
  { quick, say, endBy = Infinity }: BenchOptions,
  { least, most, inWords }: RoundLimits & { readonly inWords?: (round: Round) => string },
  run: (n: number) => Promise<Round>,
  measure: (rounds: readonly Round[]) => Found,
): Promise<Found> {
  const rounds: Round[] = [];
  const startedAt = performance.now();
  for (;;) {
    const round = await run(rounds.length + 1);
    rounds.push(round);
    if (inWords) say(`round ${rounds.length}: ${inWords(round)}`);
    if (!quick && rounds.length < least) continue;
    const found = measure(rounds);
    if (quick || rounds.length >= most || found.every(isKnown)) return found;
    const now = performance.now();
    if (now + (now - startedAt) / rounds.length <= endBy) continue;
    say(`no more rounds: they take longer than was said`);
    return found;
  }
}

/** A single measurement, or one figure of all rounds, has no error: more rounds would not help. */
function isKnown({ error }: Measurement): boolean {
  return error === undefined || error <= knownBelow;
}
