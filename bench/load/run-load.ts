import { runClosed } from './client/closed-loop.ts';
import { clientLimits, watchClient } from '../../src/load/client-use.ts';
import { runOpen } from '../../src/load/open-loop.ts';
import { openWire } from '../../src/load/wire.ts';
import type { ClosedLoop, LoadJob, LoadResult, OpenLoop } from './client/job.ts';
import { openVisit, type Visits, visitsOf } from './client/visits.ts';
import { type CoreProcess, runProcess } from './processes.ts';

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
  for (const limit of clientLimits(result, result.behindMs?.p99 ?? 0)) say(`warning: ${limit}`);
  return result;
}

/** The load generator of every scenario, as a separate process: its CPU time is measured separately from the core's. */
export async function loadHere(job: LoadJob): Promise<LoadResult> {
  const visits = visitsOf(job.traffic);
  const { loop } = job;
  const ended = watchClient();
  const ran =
    loop.kind === 'closed' ? await closedLoad(job, loop, visits) : await openLoad(job, loop, visits);
  const { cpuSeconds } = ended();
  const requestsEach = loop.kind === 'closed' ? visits.steps.length : 1; // a closed loop counts requests
  return {
    ...ran,
    perSecond: ran.ok / requestsEach / ran.seconds,
    cpuSeconds,
    cpuShare: cpuSeconds / ran.seconds,
  };
}

type Ran = Omit<LoadResult, 'perSecond' | 'cpuSeconds' | 'cpuShare'> & { readonly ok: number };

async function closedLoad(job: LoadJob, loop: ClosedLoop, visits: Visits): Promise<Ran> {
  const { tally, seconds } = await runClosed(job, loop, visits);
  return { ...tally.toJSON(), ok: tally.ok, failed: tally.failed, seconds, phases: [], timeline: [] };
}

async function openLoad({ inTimeMs, ...server }: LoadJob, loop: OpenLoop, visits: Visits): Promise<Ran> {
  const wire = openWire(server);
  const { phases, patience } = loop;
  try {
    return await runOpen({ wire, phases, patience, inTimeMs, visit: (n) => openVisit(visits, n) });
  } finally {
    wire.close();
  }
}
