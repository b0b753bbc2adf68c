import { v7 as uuidv7 } from 'uuid';
import type { Tenant } from '../../src/model.ts';
import type { NewPasswordUser } from '../../src/operations/ports.ts';
import { putPasswordUser } from '../../src/store/password-users.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { ClientResult } from './import-client.ts';
import { type CoreProcess, runClient, startCoreProcess } from './processes.ts';

/**
 * Durable imports of single users over loopback HTTP, 64 connections that each wait for their answer, against two
 * references of the same run: the batcher's own statement in a loop without HTTP, in full batches on one connection, and
 * the same server with batches of one. Client, core and PostgreSQL share the machine.
 */
export const importHttp: Scenario = {
  name: 'import-http',
  about: 'durable single-user imports over HTTP, against the bare statement and against batches of one',
  run: async (options) => {
    const cluster = await startCluster(2);
    try {
      return await compare(cluster, options);
    } finally {
      await cluster.stop();
    }
  },
};

const connections = 64;
/** What the core uses, too: see src/core.ts. */
const floorBatch = 512;

interface Amounts {
  readonly rounds: number;
  readonly floor: number;
  readonly batched: number;
  readonly single: number;
  /** Imported into the core by the end, to see its memory. */
  readonly memory: number;
}

/** Rounds are short and many, because a shared machine drifts within seconds and a ratio must not. */
const full: Amounts = { rounds: 9, floor: 100_000, batched: 60_000, single: 6000, memory: 1_000_000 };
const quick: Amounts = { rounds: 3, floor: 50_000, batched: 20_000, single: 2000, memory: 60_000 };

interface Cores {
  readonly batched: CoreProcess;
  readonly single: CoreProcess;
}

interface Round {
  readonly floor: number;
  readonly batched: ClientResult;
  readonly single: ClientResult;
}

async function compare(cluster: Cluster, { quick: isQuick, say }: BenchOptions): Promise<Measurement[]> {
  const amounts = isQuick ? quick : full;
  const cores = {
    batched: await startCoreProcess(cluster.uri),
    single: await startCoreProcess(cluster.uri, 1),
  };
  try {
    await load(cores.batched, amounts.batched / 4);
    await load(cores.single, amounts.single / 4);
    const rounds: Round[] = [];
    for (let n = 1; n <= amounts.rounds; n++) {
      const round = await runRound(cluster, cores, amounts);
      rounds.push(round);
      const { floor, batched, single } = round;
      const rates = [floor, batched.perSecond, single.perSecond].map((rate) =>
        Math.round(rate).toLocaleString('en'),
      );
      say(`round ${n}: bare statement ${rates[0]}/s, over HTTP ${rates[1]}/s, batches of one ${rates[2]}/s`);
    }
    await cluster.reset();
    const rest = await load(cores.batched, amounts.memory);
    say(`core's memory after ${amounts.memory} more imports: ${cores.batched.memoryMb().toFixed(0)} MB`);
    return [...comparisons(rounds), memoryUse(cores.batched, amounts.memory, rest.perSecond)];
  } finally {
    await cores.batched.stop();
    await cores.single.stop();
  }
}

async function runRound(cluster: Cluster, cores: Cores, amounts: Amounts): Promise<Round> {
  await cluster.reset();
  const floor = await bareStatement(cluster, amounts.floor);
  await cluster.reset();
  const batched = await load(cores.batched, amounts.batched);
  const single = await load(cores.single, amounts.single);
  return { floor, batched, single };
}

async function load(core: CoreProcess, amount: number): Promise<ClientResult> {
  const { url, apiKey } = core;
  const result = await runClient({ url, apiKey, connections, amount, tag: uuidv7() });
  if (result.failed > 0) throw new Error(`${result.failed} imports failed`);
  return result;
}

function comparisons(rounds: readonly Round[]): Measurement[] {
  const last = rounds.at(-1)?.batched;
  const details = { connections, latencyMs: last?.latencyMs, clientShareOfOneCore: last?.cpuShare };
  const against = (reference: (round: Round) => number) =>
    rounds.map((round) => [round.batched.perSecond, reference(round)] as const);
  return [
    measured(
      { name: 'import-http', unit: 'users/s', reference: 'bare batch statement', atLeast: 0.25, details },
      against(({ floor }) => floor),
    ),
    measured(
      { name: 'import-http', unit: 'users/s', reference: 'batches of one', atLeast: 8 },
      against(({ single }) => single.perSecond),
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

/** The floor: full batches, one after the other, on one connection. @returns users a second */
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
    passwordHash: '$2b$10$pz9wj5VnjseLzsZIFntXOuDZ9rinO8n6eeLztHLbWBhy4vM3QFXTa',
    userId: uuidv7({ msecs: timeJoined }),
    timeJoined,
    replace: true,
  }));
}
