import { runClosed } from './client/closed-loop.ts';
import type { LoadJob, LoadResult } from './client/job.ts';
import { runOpen } from './client/open-loop.ts';
import { visitsOf } from './client/visits.ts';
import { type CoreProcess, runProcess } from './processes.ts';

/** Above this share of one CPU core the generator is the limit, not the server under test. */
const saturatedAbove = 0.9;
/** If the p99 of its delay exceeds this, the visits are not those that were planned. */
const lateAboveMs = 50;

export interface LoadOptions extends Pick<LoadJob, 'traffic' | 'loop' | 'inTimeMs'> {
  readonly say: (line: string) => void;
  /** Whether anything but OK is a result, not an error of the scenario. */
  readonly mayFail?: boolean;
}

/** Loads a server from a separate process. @throws Error when a visit failed and none `mayFail` */
export async function runLoad(
  { url, apiKey }: Pick<CoreProcess, 'url' | 'apiKey'>,
  { say, mayFail = false, ...load }: LoadOptions,
): Promise<LoadResult> {
  const result = await runProcess(import.meta.url, loadHere, { url, apiKey, ...load });
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

/** The load generator of every scenario, as a separate process: its CPU time is measured separately from the core's. */
export async function loadHere(job: LoadJob): Promise<LoadResult> {
  const visits = visitsOf(job.traffic);
  const { loop } = job;
  const cpuBefore = process.cpuUsage();
  const ran =
    loop.kind === 'closed'
      ? { phases: [], timeline: [], ...(await runClosed(job, loop, visits)) }
      : await runOpen(job, loop, visits);
  const { user, system } = process.cpuUsage(cpuBefore);
  const { tally, ...rest } = ran;
  const cpuSeconds = (user + system) / 1e6;
  const requestsEach = loop.kind === 'closed' ? visits.steps.length : 1; // a closed loop counts requests
  return {
    ...rest,
    ...tally.toJSON(),
    perSecond: tally.ok / requestsEach / rest.seconds,
    failed: tally.failed,
    cpuSeconds,
    cpuShare: cpuSeconds / rest.seconds,
  };
}
