import { v7 as uuidv7 } from 'uuid';
import { oneRound, type RoundLimits, untilKnown } from '../rounds.ts';
import type { BenchOptions, Measurement, Scenario } from '../scenario.ts';
import type { LoadResult } from './client/job.ts';
import type { Cluster } from './cluster.ts';
import { withCluster } from './stand.ts';
import { watchCpu } from './cpu.ts';
import { bareStatement } from './import-floor.ts';
import {
  comparisons,
  connections,
  furtherCounts,
  inWords,
  memoryUse,
  type Round,
} from './import-http-results.ts';
import { type CoreProcess, startCoreProcess } from './processes.ts';
import { runLoad } from './run-load.ts';

/**
 * Durable imports of single users over loopback HTTP, 512 connections that each wait for their answer, against two
 * references of the same run: the batcher's own statement in a loop without HTTP, in full batches on one connection, and
 * the same server with batches of one. Client, core and PostgreSQL share the machine.
 */
export const importHttp: Scenario = {
  name: 'import-http',
  about: 'durable single-user imports over HTTP, against the bare statement and against batches of one',
  run: (options) => withCluster((cluster) => compare(cluster, options)),
};

interface Amounts {
  readonly rounds: RoundLimits;
  readonly floor: number;
  readonly batched: number;
  readonly single: number;
  /** Imported into the core by the end, to see its memory. */
  readonly memory: number;
}

/** Rounds are short and many, because a shared machine drifts within seconds and a ratio must not. */
const full: Amounts = {
  rounds: { least: 9, most: 18 },
  floor: 100_000,
  batched: 60_000,
  single: 6000,
  memory: 1_000_000,
};
const quick: Amounts = { rounds: oneRound, floor: 20_000, batched: 8000, single: 800, memory: 10_000 };

interface Stand {
  readonly cluster: Cluster;
  readonly batched: CoreProcess;
  readonly single: CoreProcess;
  readonly say: BenchOptions['say'];
}

async function compare(cluster: Cluster, { quick: isQuick, say }: BenchOptions): Promise<Measurement[]> {
  const amounts = isQuick ? quick : full;
  // With batches of one, 512 wait one behind the other: by the first, cold ones a core foretells too long a wait.
  const patient = { WAIT_LIMIT_MS: '60000' };
  const [batched, single] = [
    await startCoreProcess(cluster.uri),
    await startCoreProcess(cluster.uri, 1, patient),
  ];
  const stand: Stand = { cluster, batched, single, say };
  try {
    await load(stand, batched, amounts.batched / 4);
    await load(stand, single, amounts.single / 4);
    const takeRound = async (n: number): Promise<Round> => {
      const round = await runRound(stand, amounts);
      say(`round ${n}: ${inWords(round)}`);
      return round;
    };
    const found = await untilKnown(amounts.rounds, takeRound, (rounds) =>
      comparisons(rounds, amounts.batched),
    );
    await cluster.reset();
    const rest = await load(stand, batched, amounts.memory);
    say(`core's memory after ${amounts.memory} more imports: ${batched.memoryMb().toFixed(0)} MB`);
    return [...found, memoryUse(batched, amounts.memory, rest.perSecond)];
  } finally {
    await batched.stop();
    await single.stop();
  }
}

async function runRound(stand: Stand, amounts: Amounts): Promise<Round> {
  const { cluster } = stand;
  await cluster.reset();
  const floor = await bareStatement(cluster, amounts.floor);
  // Half of the batches of one before and half behind what they are compared with: the disk's pace drifts.
  const before = await load(stand, stand.single, amounts.single / 2);
  await cluster.reset();
  const cpu = watchCpu(stand.batched.pid, cluster.pid);
  const batched = await load(stand, stand.batched, amounts.batched);
  const split = cpu(batched.cpuSeconds);
  const after = await load(stand, stand.single, amounts.single / 2);
  const further: LoadResult[] = [];
  for (const count of furtherCounts) {
    await cluster.reset();
    further.push(await load(stand, stand.batched, amounts.batched, count));
  }
  const single = 2 / (1 / before.perSecond + 1 / after.perSecond);
  return { floor, batched, cpu: split, single, further };
}

function load({ say }: Stand, core: CoreProcess, visits: number, count = connections): Promise<LoadResult> {
  const loop = { kind: 'closed', connections: Math.min(count, visits), until: { visits } } as const;
  return runLoad(core, { traffic: { kind: 'import', tag: uuidv7() }, loop, say });
}
