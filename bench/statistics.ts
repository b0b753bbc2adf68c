import { randomFractions } from '../src/load/random.ts';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

const resamples = 500;

/**
 * The variation of a statistic if its samples were taken again: its standard deviation over resamples, drawn with replacement
 * (the bootstrap: Efron, "Bootstrap methods: another look at the jackknife", 1979). The same samples have the same error.
 * @returns in the statistic's unit; NaN for fewer than two samples
 */
export function standardError(
  samples: readonly number[],
  statistic: (samples: readonly number[]) => number,
): number {
  if (samples.length < 2) return NaN;
  const random = randomFractions(20_261_122);
  const draw = (): number => samples[Math.floor(random() * samples.length)] ?? NaN;
  const found = Array.from({ length: resamples }, () => statistic(samples.map(draw)));
  const mean = found.reduce((sum, each) => sum + each, 0) / resamples;
  return Math.sqrt(found.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (resamples - 1));
}

/**
 * The chance that a random one of `some` is larger than a random one of `others`, ties counting half: the area under the ROC
 * curve of a classifier by the value, from the rank sum of Mann and Whitney (1947). 0.5: no difference.
 */
export function areaUnderCurve(some: readonly number[], others: readonly number[]): number {
  const all = [
    ...some.map((value) => ({ value, isOne: true })),
    ...others.map((value) => ({ value, isOne: false })),
  ].sort((a, b) => a.value - b.value);
  let rankSum = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to++;
    // Equal values share the mean of their ranks, which are from + 1 to `to`.
    const rank = (from + 1 + to) / 2;
    rankSum += rank * all.slice(from, to).filter(({ isOne }) => isOne).length;
    from = to;
  }
  const wins = rankSum - (some.length * (some.length + 1)) / 2;
  return wins / (some.length * others.length);
}
