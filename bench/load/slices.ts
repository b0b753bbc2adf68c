import { median } from '../statistics.ts';
import type { LatencyMs, LoadResult, Phase } from './client/job.ts';

/**
 * An open loop's time, cut into slices with percentiles of their own, of which the middle one counts: a shared machine
 * that stalls for a moment spoils the slice it falls into, not the others.
 */
export interface Slices {
  /** Before the slices, not counted: the generator's process starts, and code becomes warm. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly count: number;
}

export function phasesOf(rate: number, { warmUpSeconds, seconds, count }: Slices): Phase[] {
  return [{ rate, seconds: warmUpSeconds }, ...Array.from({ length: count }, () => ({ rate, seconds }))];
}

/** Of each slice of a load with the phases above. */
export function latenciesOf({ phases }: Pick<LoadResult, 'phases'>): LatencyMs[] {
  return phases.slice(1).map(({ latencyMs }) => latencyMs);
}

/** Share of each slice's visits that were in time. */
export function inTimeOf({ phases }: Pick<LoadResult, 'phases'>): number[] {
  return phases.slice(1).map(({ inTime }) => inTime);
}

/** Each percentile of its middle slice. */
export function middleOf(slices: readonly LatencyMs[]): LatencyMs {
  const of = (percentile: keyof LatencyMs): number => median(slices.map((each) => each[percentile]));
  return {
    p50: of('p50'),
    p75: of('p75'),
    p90: of('p90'),
    p95: of('p95'),
    p99: of('p99'),
    p999: of('p999'),
    max: of('max'),
  };
}
