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
  const { failed, outcomes } = result;
  if (failed > 0 && !mayFail) {
    const refused = refusedForNow(outcomes);
    if (refused === undefined)
      throw new Error(`${failed} visits did not go well: ${JSON.stringify(outcomes)}`);
    say(
      `warning: ${refused} visits were refused for now, as a busy core does: the rate is that of the others`,
    );
  }
  for (const limit of clientLimits(result, result.behindMs?.p99 ?? 0)) say(`warning: ${limit}`);
  return result;
}

/** Share of the visits up to which a rate still describes the core. */
const mostRefused = 0.1;

/**
 * @param outcomes visits by status word or HTTP status
 * @returns the number of visits that were refused for lack of room; undefined if others failed, too, or these are too many
 */
export function refusedForNow(outcomes: Readonly<Record<string, number>>): number | undefined {
  const entries = Object.entries(outcomes);
  const all = entries.reduce((sum, [, count]) => sum + count, 0);
  const refused = (outcomes['503'] ?? 0) + (outcomes['429'] ?? 0);
  const others = all - refused - (outcomes.OK ?? 0);
  return others > 0 || refused > all * mostRefused ? undefined : refused;
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
