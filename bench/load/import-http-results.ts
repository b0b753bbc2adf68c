import { measured, type Measurement } from '../scenario.ts';
import type { LoadResult } from './client/job.ts';
import { addCpu, cpuPlot, type CpuSplit } from './cpu.ts';
import type { CoreProcess } from './processes.ts';

/**
 * The first is what is compared; of further ones the ratio to the floor is measured, too. The fewer there are that each wait
 * for their answer, the more client, core and PostgreSQL wait for each other: with 64 a quarter of the time.
 */
const connectionCounts: readonly [number, ...number[]] = [512, 256, 64];
export const [connections, ...furtherCounts] = connectionCounts;

export interface Round {
  readonly floor: number;
  readonly batched: LoadResult;
  readonly cpu: CpuSplit;
  /** Users a second with batches of one. */
  readonly single: number;
  /** In the order of `furtherCounts`. */
  readonly further: readonly LoadResult[];
}

export function inWords({ floor, batched, single, further }: Round): string {
  const rate = (perSecond: number): string => Math.round(perSecond).toLocaleString('en');
  const others = further.map((each, i) => `, with ${furtherCounts[i]} connections ${rate(each.perSecond)}/s`);
  return (
    `bare statement ${rate(floor)}/s, over HTTP ${rate(batched.perSecond)}/s${others.join('')}, ` +
    `batches of one ${rate(single)}/s`
  );
}

/** @param users imported over HTTP in each round */
export function comparisons(rounds: readonly Round[], users: number): Measurement[] {
  const last = rounds.at(-1)?.batched;
  const details = { connections, latencyMs: last?.latencyMs, clientShareOfOneCore: last?.cpuShare };
  const cpu = addCpu(rounds.map((round) => round.cpu));
  const plots = [cpuPlot('import-http', cpu, users * rounds.length)];
  const toFloor = { unit: 'users/s', reference: 'bare batch statement' } as const;
  return [
    measured(
      { name: 'import-http', ...toFloor, atLeast: 0.35, details, plots },
      rounds.map(({ batched, floor }) => [batched.perSecond, floor]),
    ),
    measured(
      { name: 'import-http-batching', unit: 'users/s', reference: 'batches of one', atLeast: 6 },
      rounds.map(({ batched, single }) => [batched.perSecond, single]),
    ),
    ...furtherCounts.map((count, i) =>
      measured(
        { name: `import-http-${count}-connections`, ...toFloor },
        rounds.map(({ further, floor }) => [further[i]?.perSecond ?? NaN, floor]),
      ),
    ),
  ];
}

const memoryBoundMb = 300;

export function memoryUse(core: CoreProcess, imports: number, perSecond: number): Measurement {
  return measured(
    {
      name: 'import-http memory',
      unit: 'MB allowed',
      reference: 'resident memory',
      atLeast: 1,
      details: { imports, perSecond },
    },
    [[memoryBoundMb, core.memoryMb()]],
  );
}
