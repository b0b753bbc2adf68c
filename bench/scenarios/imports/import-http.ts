import { v7 as uuidv7 } from 'uuid';
import { someHash } from '../../../src/load/made-up.ts';
import type { LoadResult } from '../../load/client/job.ts';
import type { Cluster } from '../../load/cluster.ts';
import { addCpu, cpuPlot, type CpuSplit, watchCpu } from '../../load/cpu.ts';
import type { Addressed } from '../../load/deployed.ts';
import { type CoreProcess, startCoreProcess } from '../../load/processes.ts';
import { runLoad } from '../../load/run-load.ts';
import { withCluster } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import type { Tenant } from '../../../src/domain/model.ts';
import type { NewPasswordUser } from '../../../src/operations/ports/ports.ts';
import { putPasswordUser } from '../../../src/store/users/password-users.ts';

/**
 * Durable imports of single users over loopback HTTP, 512 connections that each wait for their answer, relative to two references
 * of the same run: the batcher's own statement in a loop without HTTP, in full batches on one connection, and the same server
 * with batches of one. Client, core and PostgreSQL share the machine.
 */
export const importHttp: Scenario = {
  name: 'import-http',
  about: 'durable single-user imports over HTTP, against the bare statement and against batches of one',
  run: (options) => withCluster((cluster) => compare(cluster, options)),
  onDeployed: ({ withApp }, options) => withApp({}, (core) => compareConnections(core, options)),
};

interface Amounts {
  readonly floor: number;
  readonly batched: number;
  readonly single: number;
  /** Imported into the core by the end, to measure its memory. */
  readonly memory: number;
}

/** Rounds are short and many, because a shared machine drifts within seconds and a ratio must not. */
const roundLimits = { least: 9, most: 18, inWords };
const full: Amounts = { floor: 100_000, batched: 60_000, single: 6000, memory: 1_000_000 };
const quick: Amounts = { floor: 20_000, batched: 8000, single: 800, memory: 10_000 };

interface Stand {
  readonly cluster: Cluster;
  readonly batched: CoreProcess;
  readonly single: CoreProcess;
  readonly say: BenchOptions['say'];
}

async function compare(cluster: Cluster, options: BenchOptions): Promise<Measurement[]> {
  const { say } = options;
  const amounts = options.quick ? quick : full;
  // With batches of one, 512 wait in sequence: from the first, cold ones a core predicts too long a wait.
  const patient = { WAIT_LIMIT_MS: '60000' };
  const [batched, single] = [
    await startCoreProcess(cluster.uri),
    await startCoreProcess(cluster.uri, 1, patient),
  ];
  const stand: Stand = { cluster, batched, single, say };
  try {
    await load(stand, batched, amounts.batched / 4);
    await load(stand, single, amounts.single / 4);
    const found = await untilKnown(
      options,
      roundLimits,
      () => runRound(stand, amounts),
      (rounds) => comparisons(rounds, amounts.batched),
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
  // Half of the batches of one before and half after the runs they are compared with: the disk's pace drifts.
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

function load(
  { say }: Pick<Stand, 'say'>,
  core: Addressed,
  visits: number,
  count = connections,
): Promise<LoadResult> {
  const loop = { kind: 'closed', connections: Math.min(count, visits), until: { visits } } as const;
  return runLoad(core, { traffic: { kind: 'import', tag: uuidv7() }, loop, say });
}

/**
 * The first is compared; for further ones the ratio to the floor is measured, too. The fewer connections there are that each wait
 * for their answer, the more client, core and PostgreSQL wait for each other: with 64 a quarter of the time.
 */
const connectionCounts: readonly [number, ...number[]] = [512, 256, 64];
const [connections, ...furtherCounts] = connectionCounts;

/** Without the core's database there is no bare statement, and no core with batches of one: one connection makes those. */
async function compareConnections(core: Addressed, options: BenchOptions): Promise<Measurement[]> {
  const { batched, single } = options.quick ? quick : full;
  const run = (visits: number, count: number): Promise<LoadResult> => load(options, core, visits, count);
  await run(batched / 4, connections);
  const runRound = async () => {
    const rates: number[] = [];
    for (const count of connectionCounts) rates.push((await run(batched, count)).perSecond);
    return { rates, one: (await run(single / 4, 1)).perSecond };
  };
  return untilKnown(options, { least: 3, most: 9 }, runRound, (rounds) =>
    connectionCounts.map((count, i) =>
      measured(
        { name: `import-http-${count}-connections`, unit: 'users/s', reference: 'one connection' },
        rounds.map(({ rates, one }) => [rates[i] ?? NaN, one]),
      ),
    ),
  );
}

interface Round {
  readonly floor: number;
  readonly batched: LoadResult;
  readonly cpu: CpuSplit;
  /** Users a second with batches of one. */
  readonly single: number;
  /** In the order of `furtherCounts`. */
  readonly further: readonly LoadResult[];
}

function inWords({ floor, batched, single, further }: Round): string {
  const rate = (perSecond: number): string => Math.round(perSecond).toLocaleString('en');
  const others = further.map((each, i) => `, with ${furtherCounts[i]} connections ${rate(each.perSecond)}/s`);
  return (
    `bare statement ${rate(floor)}/s, over HTTP ${rate(batched.perSecond)}/s${others.join('')}, ` +
    `batches of one ${rate(single)}/s`
  );
}

/** @param users imported over HTTP in each round */
function comparisons(rounds: readonly Round[], users: number): Measurement[] {
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

function memoryUse(core: CoreProcess, imports: number, perSecond: number): Measurement {
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

/** The core uses the same number: see src/core/core.ts. */
const floorBatch = 512;

/** The floor: full batches, in sequence, on one connection. @returns users a second */
async function bareStatement({ database }: Cluster, amount: number): Promise<number> {
  const batches = Array.from({ length: Math.ceil(amount / floorBatch) }, (_, i) => newUsers(i * floorBatch));
  const startedAt = performance.now();
  for (const users of batches) await database.write(putPasswordUser.text, putPasswordUser.parameters(users));
  return (batches.length * floorBatch) / ((performance.now() - startedAt) / 1000);
}

function newUsers(from: number): NewPasswordUser[] {
  const tenant = { appNo: 0, tenantNo: 0 } as Tenant;
  const timeJoined = Date.now();
  return Array.from({ length: floorBatch }, (_, i) => ({
    tenant,
    email: `floor${from + i}@example.com`,
    passwordHash: someHash,
    userId: uuidv7({ msecs: timeJoined }),
    timeJoined,
    replace: true,
  }));
}
