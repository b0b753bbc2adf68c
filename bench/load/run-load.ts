import type { LoadJob, LoadResult } from './client/job.ts';
import { type CoreProcess, runProcess } from './processes.ts';

/** Above this share of one core the generator is the limit, not what it measures. */
const saturatedAbove = 0.9;

export interface LoadOptions extends Pick<LoadJob, 'traffic' | 'loop' | 'inTimeMs'> {
  readonly say: (line: string) => void;
  /** Whether anything but OK is a result, not an error of the scenario. */
  readonly mayFail?: boolean;
}

/** Loads a server from a process of its own. @throws Error when a visit did not go well and none `mayFail` */
export async function runLoad(
  { url, apiKey }: Pick<CoreProcess, 'url' | 'apiKey'>,
  { say, mayFail = false, ...load }: LoadOptions,
): Promise<LoadResult> {
  const job: LoadJob = { url, apiKey, ...load };
  const result = await runProcess<LoadResult>('client/load-client.ts', job);
  if (result.failed > 0 && !mayFail) {
    throw new Error(`${result.failed} visits did not go well: ${JSON.stringify(result.outcomes)}`);
  }
  if (result.cpuShare > saturatedAbove) {
    say(`warning: the load generator used ${result.cpuShare.toFixed(2)} of a core: it may be the limit`);
  }
  const behindMs = result.behindMs?.p99 ?? 0;
  if (behindMs > lateAboveMs) say(`warning: the load generator was ${behindMs.toFixed(0)} ms behind (p99)`);
  return result;
}

const lateAboveMs = 50;
