import { randomFractions } from './random.ts';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

const resamples = 500;

/**
 * How far a statistic would be elsewhere if its samples were taken again: its standard deviation over resamples, drawn
 * with replacement (the bootstrap: Efron, "Bootstrap methods: another look at the jackknife", 1979). The same samples have
 * the same error.
 * @returns in the statistic's unit; NaN of fewer than two samples, which tell nothing
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
