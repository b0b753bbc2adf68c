import { type BenchOptions, median, type Measurement, type Scenario } from '../scenario.ts';
import type { BulkJob, BulkResult } from './bulk-client.ts';
import { writeBulkFiles } from './bulk-files.ts';
import { startCluster } from './cluster.ts';
import { growthPlot, type Sample, throughputPlot, watchImport } from './job-progress.ts';
import { type CoreProcess, runProcess, startCoreProcess } from './processes.ts';

/** Whether an import slows down, or the core grows, with the users that are there already. */
export const bulkGrowth: Scenario = {
  name: 'bulk-growth',
  about:
    'one upload of 5 million users: time for each 100,000 and the memory of the core, at the end against the start',
  run: async (options) => {
    const cluster = await startCluster(2);
    const files = await writeBulkFiles(options.quick ? 100_000 : 5_000_000);
    const core = await startCoreProcess(cluster.uri);
    try {
      return await watch(core, files.export, options);
    } finally {
      await core.stop();
      await files.remove();
      await cluster.stop();
    }
  },
};

async function watch(core: CoreProcess, file: string, { quick, say }: BenchOptions): Promise<Measurement[]> {
  const step = quick ? 10_000 : 100_000;
  const job: BulkJob = { url: core.url, apiKey: core.apiKey, file };
  const { samples } = await watchImport(core, runProcess<BulkResult>('bulk-client.ts', job));
  const steps = stepTimes(samples, step);
  const tenth = Math.max(1, Math.floor(steps.length / 10));
  const [first, last] = [median(steps.slice(1, 1 + tenth)), median(steps.slice(-tenth))];
  const early = memoryAt(samples, (samples.at(-1)?.users ?? 0) / 5);
  const late = memoryAt(samples, samples.at(-1)?.users ?? 0);
  say(`${step} users: ${first.toFixed(2)} s at the start, ${last.toFixed(2)} s at the end`);
  say(`memory of the core: ${early.toFixed(0)} MB after a fifth, ${late.toFixed(0)} MB at the end`);
  const spread = [Math.min(...steps) / first, Math.max(...steps) / first] as const;
  return [
    {
      name: 'bulk-growth',
      value: last,
      unit: `s for ${step} users`,
      reference: 'the same at the start',
      referenceValue: first,
      ratio: last / first,
      spread,
      atMost: 1.3,
      details: { memoryMbAfterAFifth: early, memoryMbAtTheEnd: late },
      plots: [growthPlot('bulk import', samples), throughputPlot('bulk-growth', samples)],
    },
  ];
}

/** Seconds for each `step` users, between samples by straight lines. */
function stepTimes(samples: readonly Sample[], step: number): number[] {
  const times: number[] = [];
  let before = momentOf(samples, 0);
  for (let users = step; users <= (samples.at(-1)?.users ?? 0); users += step) {
    const at = momentOf(samples, users);
    times.push(at - before);
    before = at;
  }
  return times;
}

function momentOf(samples: readonly Sample[], users: number): number {
  const next = samples.findIndex((sample) => sample.users >= users);
  const [a, b] = [samples[next - 1] ?? samples[next], samples[next]];
  if (!a || !b) return NaN;
  const share = b.users === a.users ? 1 : (users - a.users) / (b.users - a.users);
  return a.seconds + share * (b.seconds - a.seconds);
}

function memoryAt(samples: readonly Sample[], users: number): number {
  return samples.find((sample) => sample.users >= users)?.memoryMb ?? NaN;
}
