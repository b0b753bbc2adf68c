import type { Plot } from '../scenario.ts';
import { median } from '../statistics.ts';
import type { LatencyMs, LoadResult } from './client/job.ts';

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

/** Of latencies that were measured in slices of time: each percentile of its middle slice. */
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
