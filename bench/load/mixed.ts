import { oneRound, type RoundLimits, untilKnown } from '../rounds.ts';
import { type BenchOptions, measuredApart, type Measurement, type Scenario } from '../scenario.ts';
import type { BulkResult } from './bulk-client.ts';
import { writeBulkFiles } from './bulk-files.ts';
import type { LatencyMs, Phase } from './client/job.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Sample, throughputPlot, watchImport } from './job-progress.ts';
import { emailOf } from './people.ts';
import { middleOf, percentilesPlot } from './percentiles.ts';
import { type CoreProcess, runProcess, startCoreProcess } from './processes.ts';
import { runLoad } from './run-load.ts';
import { noGuessLimits } from './sign-in/mix.ts';

/**
 * People sign in at a fixed rate while a file is imported, against the same without an import. Their hashes are the
 * core's own (Argon2id by its policy). Client, core and PostgreSQL share the machine.
 */
export const mixed: Scenario = {
  name: 'mixed',
  about: 'sign-ins at a fixed rate during a bulk import, against the same without one: p99',
  run: async (options) => {
    const cluster = await startCluster(2);
    try {
      return await compare(cluster, options);
    } finally {
      await cluster.stop();
    }
  },
};

const password = 'correct horse battery staple';
const people = 50;
/** A third of what two cores can verify. */
const rate = 40;

interface Amounts {
  readonly rounds: RoundLimits;
  /** Not counted: the generator's process starts, and the import's first chunks are cut. */
  readonly warmUpSeconds: number;
  /** Of sign-ins alone, and beside an import. Each has percentiles of its own, so that a stall of the machine spoils one. */
  readonly slices: number;
  readonly sliceSeconds: number;
  /** Imported: enough to last for all slices. */
  readonly users: number;
}

const full: Amounts = {
  rounds: { least: 5, most: 10 },
  warmUpSeconds: 2,
  slices: 4,
  sliceSeconds: 4.5,
  users: 2_000_000,
};
const quick: Amounts = { rounds: oneRound, warmUpSeconds: 0.5, slices: 1, sliceSeconds: 1.5, users: 150_000 };

interface Stand {
  readonly cluster: Cluster;
  readonly core: CoreProcess;
  readonly file: string;
  readonly amounts: Amounts;
  readonly say: BenchOptions['say'];
}

interface Round {
  /** Of each slice. */
  readonly alone: readonly LatencyMs[];
  readonly beside: readonly LatencyMs[];
  readonly samples: readonly Sample[];
}

async function compare(cluster: Cluster, options: BenchOptions): Promise<Measurement[]> {
  const amounts = options.quick ? quick : full;
  const files = await writeBulkFiles(amounts.users);
  const core = await startCoreProcess(cluster.uri, undefined, noGuessLimits);
  const stand: Stand = { cluster, core, file: files.export, amounts, say: options.say };
  try {
    // Once before it counts: a core's first sign-ins find cold code and connections that are not open yet.
    if (!options.quick) {
      await signUp(core);
      await signInAtRate(stand);
    }
    return await untilKnown(
      amounts.rounds,
      () => runRound(stand),
      (rounds) => [comparison(rounds, amounts)],
    );
  } finally {
    await core.stop();
    await files.remove();
  }
}

async function runRound(stand: Stand): Promise<Round> {
  const { cluster, core, file, amounts, say } = stand;
  await cluster.reset();
  await signUp(core);
  const alone = await signInAtRate(stand);
  const importing = watchImport(
    core,
    runProcess<BulkResult>('bulk-client.ts', { url: core.url, apiKey: core.apiKey, file }),
  );
  const signedIn = await signInAtRate(stand);
  const { result, samples } = await importing;
  const beside = signedIn.slice(0, slicesWithin(result.seconds, amounts));
  say(
    `p50/p99 ${inMs(alone)} alone, ${inMs(beside)} beside an import of ` +
      `${Number(result.job.usersPerSecond).toFixed(0)} users/s`,
  );
  return { alone, beside, samples };
}

/** @returns of each slice */
async function signInAtRate({ core, amounts, say }: Stand): Promise<LatencyMs[]> {
  const { phases } = await runLoad(core, {
    traffic: { kind: 'sign-in', from: 0, people, password },
    loop: { kind: 'open', phases: phasesOf(amounts) },
    say,
  });
  return phases.slice(1).map(({ latencyMs }) => latencyMs);
}

function phasesOf({ warmUpSeconds, slices, sliceSeconds: seconds }: Amounts): Phase[] {
  return [{ rate, seconds: warmUpSeconds }, ...Array.from({ length: slices }, () => ({ rate, seconds }))];
}

/** How many were over when the import was; the first counts in any case. */
function slicesWithin(importSeconds: number, { warmUpSeconds, sliceSeconds }: Amounts): number {
  return Math.max(1, Math.floor((importSeconds - warmUpSeconds) / sliceSeconds));
}

function comparison(rounds: readonly Round[], { sliceSeconds }: Amounts): Measurement {
  const last = rounds.at(-1);
  const plots = last && [
    throughputPlot('mixed', last.samples),
    percentilesPlot({
      'sign-in alone': { latencyMs: middleOf(last.alone) },
      'sign-in beside an import': { latencyMs: middleOf(last.beside) },
    }),
  ];
  return measuredApart(
    {
      name: 'mixed-sign-in-p99',
      unit: 'ms',
      reference: 'p99 without an import',
      atMost: 1.5,
      details: { rate, sliceSeconds },
      ...(plots && { plots }),
    },
    rounds.flatMap(({ beside }) => beside.map(({ p99 }) => p99)),
    rounds.flatMap(({ alone }) => alone.map(({ p99 }) => p99)),
  );
}

function inMs(slices: readonly LatencyMs[]): string {
  const { p50, p99 } = middleOf(slices);
  return `${p50.toFixed(0)}/${p99.toFixed(0)} ms`;
}

async function signUp({ url, apiKey }: CoreProcess): Promise<void> {
  const signedUp = Array.from({ length: people }, async (_, n) => {
    const answer = await fetch(`${url}/recipe/signup`, {
      method: 'POST',
      headers: { 'api-key': apiKey },
      body: JSON.stringify({ email: emailOf(n), password }),
    });
    if (!answer.ok) throw new Error(`a sign-up was refused: ${await answer.text()}`);
  });
  await Promise.all(signedUp);
}
