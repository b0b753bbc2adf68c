import { setTimeout as delay } from 'node:timers/promises';
import type { Plot } from '../scenario.ts';
import type { BulkResult } from './bulk-client.ts';
import type { CoreProcess } from './processes.ts';

/** How far an import was. */
export interface Sample {
  readonly users: number;
  /** Since its start. */
  readonly seconds: number;
  /** Resident memory of the core. */
  readonly memoryMb: number;
}

const sampleMs = 250;
const pointsAtMost = 60;

/** The upload's own progress, four times a second, from nothing to all of it. */
export async function watchImport(
  core: CoreProcess,
  sending: Promise<BulkResult>,
): Promise<{ result: BulkResult; samples: Sample[] }> {
  const startedAt = performance.now();
  const seen: (Sample & { id: string | undefined })[] = [];
  const look = async (): Promise<void> => {
    const { id, lines } = await newestJob(core);
    const seconds = (performance.now() - startedAt) / 1000;
    seen.push({ id, users: lines, seconds, memoryMb: core.memoryMb() });
  };
  const sent = sending.then(() => 'sent' as const);
  do await look();
  while ((await Promise.race([delay(sampleMs, 'not yet'), sent])) !== 'sent');
  await look();
  const result = await sending;
  const own = seen.filter(({ id }) => id === result.job.id);
  return { result, samples: [{ users: 0, seconds: 0, memoryMb: seen[0]?.memoryMb ?? NaN }, ...own] };
}

async function newestJob({ url, apiKey }: CoreProcess): Promise<{ id?: string; lines: number }> {
  const answer = await fetch(`${url}/bulk-import/jobs?limit=1`, { headers: { 'api-key': apiKey } });
  const { jobs } = (await answer.json()) as { jobs: { id: string; lines: number }[] };
  return jobs[0] ?? { lines: 0 };
}

/** Users a second over time: of the last sample's time, in as many points as a picture has room for. */
export function throughputPlot(name: string, samples: readonly Sample[]): Plot {
  const width = Math.max(sampleMs / 1000, (samples.at(-1)?.seconds ?? 0) / pointsAtMost);
  return { id: 'throughput', series: [{ name, points: rates(samples, 'seconds', width) }] };
}

/** Users a second over users stored. */
export function growthPlot(name: string, samples: readonly Sample[]): Plot {
  const width = (samples.at(-1)?.users ?? 0) / pointsAtMost;
  return { id: 'growth', series: [{ name, points: rates(samples, 'users', width) }] };
}

/** The rate between samples that lie at least `width` apart on the axis `by`. */
function rates(samples: readonly Sample[], by: 'seconds' | 'users', width: number): [number, number][] {
  const points: [number, number][] = [];
  let before = samples[0];
  for (const sample of samples) {
    if (!before || sample[by] - before[by] < width || sample.seconds === before.seconds) continue;
    const rate = (sample.users - before.users) / (sample.seconds - before.seconds);
    points.push([Math.round(sample[by] * 100) / 100, Math.round(rate)]);
    before = sample;
  }
  return points;
}
