import type { BulkJob, BulkResult } from './bulk-client.ts';
import type { Cluster } from './cluster.ts';
import { type CpuSplit, watchCpu } from './cpu.ts';
import { type Sample, watchImport } from './job-progress.ts';
import { type CoreProcess, runProcess } from './processes.ts';

export interface Import {
  /** Users a second. */
  readonly rate: number;
  readonly samples: readonly Sample[];
  readonly cpu: CpuSplit;
}

/** What became of a file's users. */
export type Expected = Readonly<Partial<Record<'created' | 'updated' | 'unchanged', number>>>;

/**
 * Uploads a file from a process of its own.
 * @throws Error when other numbers of users than `expected` were created, updated or unchanged
 */
export async function importFile(
  cluster: Cluster,
  core: CoreProcess,
  file: string,
  expected: Expected,
): Promise<Import> {
  const job: BulkJob = { url: core.url, apiKey: core.apiKey, file };
  const cpu = watchCpu(core.pid, cluster.pid);
  const { result, samples } = await watchImport(core, runProcess<BulkResult>('bulk-client.ts', job));
  const names = Object.keys(expected) as (keyof Expected)[];
  if (names.some((name) => result.job[name] !== expected[name])) {
    throw new Error(`not all users were as expected: ${JSON.stringify(result.job)}`);
  }
  return { rate: result.job.lines / result.seconds, samples, cpu: cpu(result.cpuSeconds) };
}
