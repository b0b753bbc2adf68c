import { emailOf, externalIdOf, someHash } from '../../../src/load/made-up.ts';
import type { LoadResult } from '../../load/client/job.ts';
import type { Cluster } from '../../load/cluster.ts';
import { addCpu, cpuPlot, type CpuSplit, watchCpu } from '../../load/cpu.ts';
import { importPeople } from '../../load/people.ts';
import { runLoad } from '../../load/run-load.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import type { Tenant } from '../../../src/domain/model.ts';
import { hashToken, newToken } from '../../../src/operations/verification/tokens.ts';
import { Batches } from '../../../src/store/batch/batches.ts';
import { verificationStore } from '../../../src/store/tokens/verification.ts';

/**
 * Emails of imported users are verified over loopback HTTP: a token is requested and redeemed, by 64 connections that each wait
 * for their answers. The reference runs the same two statements in full batches without HTTP. Client, core and PostgreSQL share
 * the machine.
 */
export const verifyEmail: Scenario = {
  name: 'verify-email',
  about: 'a token and its redemption over HTTP, against the bare batch statements',
  run: (options) => withStand({}, (stand) => compare(stand, options)),
};

const connections = 64;

interface Round {
  readonly floor: number;
  readonly http: LoadResult;
  readonly cpu: CpuSplit;
}

async function compare(stand: Stand, options: BenchOptions): Promise<Measurement[]> {
  const { quick, say } = options;
  const people = connections * (quick ? 40 : 400);
  await runRound(stand, connections * 10, say);
  return untilKnown(
    options,
    { least: 7, most: 20, inWords },
    () => runRound(stand, people, say),
    (rounds) => [comparison(rounds, people)],
  );
}

function inWords({ floor, http }: Round): string {
  const rates = [floor, http.perSecond].map((rate) => Math.round(rate).toLocaleString('en'));
  return `bare statements ${rates[0]}/s, over HTTP ${rates[1]}/s`;
}

/** Half of the users over HTTP, half of them by the bare statements: none is verified twice. */
async function runRound({ cluster, core }: Stand, people: number, say: BenchOptions['say']): Promise<Round> {
  await cluster.reset();
  const hash = { passwordHash: someHash, hashingAlgorithm: 'bcrypt' } as const;
  await importPeople(core, 2 * people, () => hash);
  await cluster.database.write('checkpoint');
  const floor = await bareVerification(cluster, { from: people, people });
  const cpu = watchCpu(core.pid, cluster.pid);
  const http = await runLoad(core, {
    traffic: { kind: 'verify-email', from: 0, people },
    loop: { kind: 'closed', connections, until: { visits: people } },
    say,
  });
  return { floor, http, cpu: cpu(http.cpuSeconds) };
}

function comparison(rounds: readonly Round[], people: number): Measurement {
  const last = rounds.at(-1)?.http;
  return measured(
    {
      name: 'verify-email',
      unit: 'emails/s',
      reference: 'bare batch statements',
      details: { connections, latencyMsOfARequest: last?.latencyMs, clientShareOfOneCore: last?.cpuShare },
      plots: [cpuPlot('verify-email', addCpu(rounds.map(({ cpu }) => cpu)), people * rounds.length)],
    },
    rounds.map(({ http, floor }) => [http.perSecond, floor]),
  );
}

/** The core uses the same number: see src/core/core.ts. */
const floorBatch = 512;
const tenant = { appNo: 0, tenantNo: 0 } as Tenant;
const dayMs = 86_400_000;

/**
 * The floor: full batches of tokens and then of their redemptions, in sequence, on one connection.
 * @returns pairs of both a second
 */
async function bareVerification(
  { database }: Cluster,
  { from, people }: { readonly from: number; readonly people: number },
): Promise<number> {
  const verification = verificationStore(
    new Batches({
      imports: database,
      live: database,
      importLanes: 1,
      importLaneAt: 1,
      liveLanes: 1,
      maxBatch: floorBatch,
      maxBacklog: floorBatch,
      observe: () => undefined,
    }),
    database,
  );
  const tokens = Array.from({ length: people }, (_, n) => ({
    tenant,
    pair: { userId: externalIdOf(from + n), email: emailOf(from + n) },
    tokenHash: hashToken(newToken(tenant.appNo)),
    expiresAt: Date.now() + dayMs,
  }));
  const startedAt = performance.now();
  for (let first = 0; first < people; first += floorBatch) {
    const batch = tokens.slice(first, first + floorBatch);
    await Promise.all(batch.map((token) => verification.createToken(token)));
    const now = Date.now();
    const redeemed = await Promise.all(
      batch.map(({ tokenHash }) => verification.redeemToken({ tenant, tokenHash, now })),
    );
    if (!redeemed.every((pair) => pair)) throw new Error('a token was not redeemed');
  }
  return people / ((performance.now() - startedAt) / 1000);
}
