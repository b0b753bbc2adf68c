import { randomFractions } from './random.ts';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Of what is left out at either end. */
const trimmed = 0.15;

/**
 * The mean without the smallest and the largest 15 %: of samples that lie at two places it does not jump from one to the
 * other, as a median does, and a single one far away does not move it, as it would a mean.
 */
export function trimmedMean(values: readonly number[]): number {
  const out = Math.floor(values.length * trimmed);
  const kept = values.toSorted((a, b) => a - b).slice(out, values.length - out);
  return kept.reduce((sum, each) => sum + each, 0) / kept.length;
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
