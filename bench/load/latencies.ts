import type { LatencyMs, LoadResult, Phase } from './client/job.ts';
import { measured, type Measurement, type Plot } from '../scenario.ts';
import { median } from '../statistics.ts';

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
  const [p50, p75, p90, p95] = [of('p50'), of('p75'), of('p90'), of('p95')];
  return { p50, p75, p90, p95, p99: of('p99'), p999: of('p999'), max: of('max') };
}

/** Slices of visits while others are busy, and of the same with nothing beside it. */
export interface Beside {
  readonly atRest: readonly LatencyMs[];
  readonly beside: readonly LatencyMs[];
  /** Share of each slice beside it that was in time by what was known at rest. */
  readonly inTime: readonly number[];
}

/** Of 100 visits at rest 99 take at most p99; as many shall be in time beside others. */
const promised = 990;

/** @param times how often the p99 at rest a visit may take beside others @returns ms, from the middle slice */
export function inTimeMsOf(atRest: readonly LatencyMs[], times: number): number {
  return times * p99Of(atRest);
}

/**
 * A p99 that may be so many times that at rest, reported as what that means: 99 % of visits take no longer. The quotient of
 * both p99s, in the details, says the same, but from one hour to the next it moves by a seventh: a shared machine
 * decides how long the slowest few take at rest.
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
