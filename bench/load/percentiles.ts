import type { Plot } from '../scenario.ts';
import type { LoadResult } from './client/job.ts';

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
