import { v7 as uuidv7 } from 'uuid';
import type { Tenant } from '../../src/model.ts';
import type { NewPasswordUser } from '../../src/operations/ports.ts';
import { putPasswordUser } from '../../src/store/password-users.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { ClientResult } from './import-client.ts';
import { runClient, startCoreProcess } from './processes.ts';

/**
 * Durable imports of single users over loopback HTTP, 64 connections that each wait for their answer, against two
 * references of the same run: the batcher's own statement in a loop without HTTP, and the same server with batches of
 * one. Client, core and PostgreSQL share the machine.
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
  readonly batched: number;
  readonly floor: number;
  readonly single: number;
  /** Imported into one core process, to see its memory. */
  readonly memory: number;
}

const full: Amounts = { rounds: 3, batched: 200_000, floor: 200_000, single: 20_000, memory: 1_000_000 };
const quick: Amounts = { rounds: 1, batched: 30_000, floor: 50_000, single: 3000, memory: 50_000 };

async function compare(cluster: Cluster, { quick: isQuick, say }: BenchOptions): Promise<Measurement[]> {
  const amounts = isQuick ? quick : full;
  const rounds: { floor: number; batched: ClientResult; single: ClientResult }[] = [];
  for (let round = 1; round <= amounts.rounds; round++) {
    const floor = await inFreshTables(cluster, () => bareStatement(cluster, amounts.floor));
    const batched = await inFreshTables(cluster, () => overHttp(cluster, amounts.batched));
    const single = await inFreshTables(cluster, () => overHttp(cluster, amounts.single, 1));
    rounds.push({ floor, batched, single });
    say(
      `round ${round}: bare statement ${rate(floor)}, over HTTP ${rate(batched.perSecond)}, ` +
        `batches of one ${rate(single.perSecond)}`,
    );
  }
  const memory = await inFreshTables(cluster, () => memoryAfter(cluster, amounts.memory));
  say(`core's memory after ${amounts.memory} imports: ${memory.mb.toFixed(0)} MB`);
  const details = {
    connections,
    latencyMs: rounds.at(-1)?.batched.latencyMs,
    clientCpu: rounds.at(-1)?.batched.cpuShare,
  };
  const pairs = (reference: (round: (typeof rounds)[number]) => number) =>
    rounds.map((round) => [round.batched.perSecond, reference(round)] as const);
  return [
    measured(
      { name: 'import-http', unit: 'users/s', reference: 'bare batch statement', atLeast: 0.25, details },
      pairs(({ floor }) => floor),
    ),
    measured(
      { name: 'import-http', unit: 'users/s', reference: 'batches of one', atLeast: 8 },
      pairs(({ single }) => single.perSecond),
    ),
    measured(
      {
        name: 'import-http memory',
        unit: 'MB below the bound',
        reference: 'resident memory, bound 300 MB',
        atLeast: 1,
        details: { imports: amounts.memory, perSecond: memory.perSecond },
      },
      [[300, memory.mb]],
    ),
  ];
}

function rate(perSecond: number): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s`;
}

async function inFreshTables<Result>(cluster: Cluster, work: () => Promise<Result>): Promise<Result> {
  await cluster.reset();
  return work();
}

async function overHttp(cluster: Cluster, amount: number, maxBatch?: number): Promise<ClientResult> {
  const core = await startCoreProcess(cluster.uri, maxBatch);
  try {
    await runClient({ url: core.url, apiKey: core.apiKey, connections, amount: 2000, tag: 'warm-up' });
    const result = await runClient({
      url: core.url,
      apiKey: core.apiKey,
      connections,
      amount,
      tag: uuidv7(),
    });
    if (result.failed > 0) throw new Error(`${result.failed} imports failed`);
    return result;
  } finally {
    await core.stop();
  }
}

async function memoryAfter(cluster: Cluster, amount: number): Promise<{ mb: number; perSecond: number }> {
  const core = await startCoreProcess(cluster.uri);
  try {
    const job = { url: core.url, apiKey: core.apiKey, connections, amount, tag: uuidv7() };
    const { perSecond, failed } = await runClient(job);
    if (failed > 0) throw new Error(`${failed} imports failed`);
    return { mb: core.memoryMb(), perSecond };
  } finally {
    await core.stop();
  }
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
