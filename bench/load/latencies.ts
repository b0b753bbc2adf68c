import type { Phase } from '../../src/load/arrivals.ts';
import type { LatencyMs } from '../../src/load/tally.ts';
import type { LoadResult } from './client/job.ts';
import { measured, type Measurement, type Plot } from '../scenario.ts';
import { median } from '../statistics.ts';

/**
 * The time of an open loop, cut into slices with separate percentiles, of which the median counts: a shared machine that stalls
 * for a moment spoils one slice, not the others.
 */
export interface Slices {
  /** Before the slices, not counted: the generator's process starts, and code warms up. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly count: number;
}

export function phasesOf(rate: number, { warmUpSeconds, seconds, count }: Slices): Phase[] {
  return [{ rate, seconds: warmUpSeconds }, ...Array.from({ length: count }, () => ({ rate, seconds }))];
}

/** For each slice of a load with the phases above. */
export function latenciesOf({ phases }: Pick<LoadResult, 'phases'>): LatencyMs[] {
  return phases.slice(1).map(({ latencyMs }) => latencyMs);
}

/** The share of each slice's visits that were in time. */
export function inTimeOf({ phases }: Pick<LoadResult, 'phases'>): number[] {
  return phases.slice(1).map(({ inTime }) => inTime);
}

/** Each percentile of its median slice. */
export function middleOf(slices: readonly LatencyMs[]): LatencyMs {
  const of = (percentile: keyof LatencyMs): number => median(slices.map((each) => each[percentile]));
  const [p50, p75, p90, p95] = [of('p50'), of('p75'), of('p90'), of('p95')];
  return { p50, p75, p90, p95, p99: of('p99'), p999: of('p999'), max: of('max') };
}

/** Slices of visits during other work, and of the same at rest. */
export interface Beside {
  readonly atRest: readonly LatencyMs[];
  readonly beside: readonly LatencyMs[];
  /** The share of each slice during other work that was in time, judged by the latencies at rest. */
  readonly inTime: readonly number[];
}

/** Of 100 visits at rest 99 take at most p99; the same share is promised during other work. */
const promised = 990;

/** @param times the multiple of the p99 at rest that a visit may take during other work @returns ms, from the median slice */
export function inTimeMsOf(atRest: readonly LatencyMs[], times: number): number {
  return times * p99Of(atRest);
}

/**
 * A bar for the p99 as a multiple of that at rest, reported as what it means: 99 % of visits take no longer. The quotient of both
 * p99s, in the details, is equivalent, but varies by a seventh from one hour to the next: on a shared machine chance decides how
 * long the slowest few take at rest.
 */
export function measuredInTime(
  { name, times, details }: { readonly name: string; readonly times: number; readonly details: object },
  { atRest, beside, inTime }: Beside,
): Measurement {
  const p99Ms = { atRest: p99Of(atRest), beside: p99Of(beside) };
  return measured(
    {
      name,
      unit: `of 1,000 within ${times} times p99 at rest`,
      reference: 'promised',
      atLeast: 1,
      details: { ...details, p99Ms, p99Times: p99Ms.beside / p99Ms.atRest },
    },
    inTime.map((share) => [1000 * share, promised]),
  );
}

function p99Of(slices: readonly LatencyMs[]): number {
  return median(slices.map(({ p99 }) => p99));
}

/** @param results by the name of their series */
export function percentilesPlot(results: Readonly<Record<string, Pick<LoadResult, 'latencyMs'>>>): Plot {
  return {
    id: 'percentiles',
    series: Object.entries(results).map(([name, { latencyMs: ms }]) => ({
      name,
      points: [
        [50, ms.p50],
        [75, ms.p75],
        [90, ms.p90],
        [95, ms.p95],
        [99, ms.p99],
        [99.9, ms.p999],
        [100, ms.max],
      ],
    })),
  };
}
