/** How busy each core is, as it reports with its row. */
import { hostname } from 'node:os';
import type { Metrics } from '../../process/metrics/metrics.ts';
import type { CoreFigures } from '../../store/cores.ts';

/** Of this core, by its metrics. */
export async function figuresOf({ registry }: Pick<Metrics, 'registry'>): Promise<CoreFigures> {
  const sum = async (name: string): Promise<number> => {
    const metric = await registry.getSingleMetric(name)?.get();
    return (metric?.values ?? []).reduce((all, { value }) => all + value, 0);
  };
  const [threads, running, waiting, backlog] = await Promise.all([
    sum('carryover_hashing_pool_threads'),
    sum('carryover_hashing_pool_running'),
    sum('carryover_hashing_pool_waiting'),
    sum('carryover_batch_backlog'),
  ]);
  const memoryBytes = process.memoryUsage.rss();
  return { host: hostname(), threads, running, waiting, backlog, memoryBytes };
}
