import { runClosed } from './closed-loop.ts';
import type { LoadJob, LoadResult } from './job.ts';
import { runOpen } from './open-loop.ts';
import { visitsOf } from './visits.ts';

/** The load generator of every scenario, as a process of its own: its CPU is seen apart from the core's. */

async function run(job: LoadJob): Promise<LoadResult> {
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

process.once('message', (job: LoadJob) => {
  void run(job).then((result) =>
    process.send?.(result, () => {
      process.disconnect();
    }),
  );
});
