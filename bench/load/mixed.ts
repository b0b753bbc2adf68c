import { oneRound, type RoundLimits, untilKnown } from '../rounds.ts';
import { type BenchOptions, measuredApart, type Measurement, type Scenario } from '../scenario.ts';
import type { BulkResult } from './bulk-client.ts';
import { writeBulkFiles } from './bulk-files.ts';
import type { LatencyMs } from './client/job.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Sample, throughputPlot, watchImport } from './job-progress.ts';
import { emailOf } from './people.ts';
import { percentilesPlot } from './percentiles.ts';
import { type CoreProcess, runProcess, startCoreProcess } from './processes.ts';
import { runLoad } from './run-load.ts';
import { noGuessLimits } from './sign-in/mix.ts';
import { latenciesOf, middleOf, phasesOf, type Slices } from './slices.ts';

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
  /** Of sign-ins alone, and beside an import. */
  readonly slices: Slices;
  /** Imported: enough to last for all slices. */
  readonly users: number;
}

const full: Amounts = {
  rounds: { least: 5, most: 10 },
  slices: { warmUpSeconds: 2, seconds: 4.5, count: 4 },
  users: 2_000_000,
};
const quick: Amounts = {
  rounds: oneRound,
  slices: { warmUpSeconds: 0.5, seconds: 1.5, count: 1 },
  users: 150_000,
};

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
  const beside = signedIn.slice(0, slicesWithin(result.seconds, amounts.slices));
  say(
    `p50/p99 ${inMs(alone)} alone, ${inMs(beside)} beside an import of ` +
      `${Number(result.job.usersPerSecond).toFixed(0)} users/s`,
  );
  return { alone, beside, samples };
}

async function signInAtRate({ core, amounts, say }: Stand): Promise<LatencyMs[]> {
  const traffic = { kind: 'sign-in', from: 0, people, password } as const;
  const phases = phasesOf(rate, amounts.slices);
  return latenciesOf(await runLoad(core, { traffic, loop: { kind: 'open', phases }, say }));
}

/** How many were over when the import was; the first counts in any case. */
function slicesWithin(importSeconds: number, { warmUpSeconds, seconds }: Slices): number {
  return Math.max(1, Math.floor((importSeconds - warmUpSeconds) / seconds));
}

function comparison(rounds: readonly Round[], { slices }: Amounts): Measurement {
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
      details: { rate, slices },
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
