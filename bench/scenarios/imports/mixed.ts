import { emailOf } from '../../../src/load/made-up.ts';
import type { LatencyMs } from '../../../src/load/tally.ts';
import type { LoadResult } from '../../load/client/job.ts';
import type { Cluster } from '../../load/cluster.ts';
import { writeBulkFiles } from '../../load/files.ts';
import {
  type Beside,
  inTimeMsOf,
  inTimeOf,
  latenciesOf,
  measuredInTime,
  middleOf,
  percentilesPlot,
  phasesOf,
  type Slices,
} from '../../load/latencies.ts';
import { noLimits } from '../../load/mix.ts';
import { type CoreProcess, startCoreProcess } from '../../load/processes.ts';
import { runLoad } from '../../load/run-load.ts';
import { withCluster } from '../../load/stand.ts';
import { type Sample, throughputPlot, watchUpload } from '../../load/upload.ts';
import { untilKnown } from '../../rounds.ts';
import type { BenchOptions, Measurement, Scenario } from '../../scenario.ts';

/**
 * Users sign in at a fixed rate during the import of a file, relative to the same without an import. Their hashes are the core's
 * own (Argon2id by its policy). Client, core and PostgreSQL share the machine.
 */
export const mixed: Scenario = {
  name: 'mixed',
  about:
    'sign-ins at a fixed rate during a bulk import, against the same without one: how many take at most 1.5 times its p99',
  run: (options) => withCluster((cluster) => compare(cluster, options)),
};

const password = 'correct horse battery staple';
const people = 50;
/** A third of the capacity of two CPU cores. */
const rate = 40;
/** The bar for the p99 during an import, as a multiple of that without. */
const times = 1.5;

interface Amounts {
  /** Of sign-ins alone, and during an import. */
  readonly slices: Slices;
  /** Imported: enough to last for all slices. */
  readonly users: number;
}

const full: Amounts = {
  slices: { warmUpSeconds: 2, seconds: 4.5, count: 4 },
  users: 2_000_000,
};
const quick: Amounts = {
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

interface Round extends Beside {
  readonly samples: readonly Sample[];
}

async function compare(cluster: Cluster, options: BenchOptions): Promise<Measurement[]> {
  const amounts = options.quick ? quick : full;
  const files = await writeBulkFiles(amounts.users);
  const core = await startCoreProcess(cluster.uri, undefined, noLimits);
  const stand: Stand = { cluster, core, file: files.export, amounts, say: options.say };
  try {
    // Once before it counts: a core's first sign-ins run cold code and open connections.
    if (!options.quick) {
      await signUp(core);
      await signInAtRate(stand);
    }
    return await untilKnown(
      options,
      { least: 5, most: 10 },
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
  const atRest = latenciesOf(await signInAtRate(stand));
  const importing = watchUpload(core, file);
  const signedIn = await signInAtRate(stand, inTimeMsOf(atRest, times));
  const { result, samples } = await importing;
  const counted = slicesWithin(result.seconds, amounts.slices);
  const beside = latenciesOf(signedIn).slice(0, counted);
  const inTime = inTimeOf(signedIn).slice(0, counted);
  say(
    `p50/p99 ${inMs(atRest)} alone, ${inMs(beside)} beside an import of ` +
      `${Number(result.job.usersPerSecond).toFixed(0)} users/s`,
  );
  return { atRest, beside, inTime, samples };
}

function signInAtRate({ core, amounts, say }: Stand, inTimeMs?: number): Promise<LoadResult> {
  const traffic = { kind: 'sign-in', from: 0, people, password } as const;
  const phases = phasesOf(rate, amounts.slices);
  const loop = { kind: 'open', phases } as const;
  return runLoad(core, { traffic, loop, say, ...(inTimeMs !== undefined && { inTimeMs }) });
}

/** The number of slices that ended before the import; the first counts in any case. */
function slicesWithin(importSeconds: number, { warmUpSeconds, seconds }: Slices): number {
  return Math.max(1, Math.floor((importSeconds - warmUpSeconds) / seconds));
}

function comparison(rounds: readonly Round[], { slices }: Amounts): Measurement {
  const last = rounds.at(-1);
  const signInSeconds = slices.warmUpSeconds + slices.count * slices.seconds;
  const plots = last && [
    throughputPlot('mixed', last.samples, [[signInSeconds, 'sign-ins end']]),
    percentilesPlot({
      'sign-in alone': { latencyMs: middleOf(last.atRest) },
      'sign-in beside an import': { latencyMs: middleOf(last.beside) },
    }),
  ];
  const measurement = measuredInTime(
    { name: 'mixed-sign-in-in-time', times, details: { rate, slices } },
    {
      atRest: rounds.flatMap(({ atRest }) => atRest),
      beside: rounds.flatMap(({ beside }) => beside),
      inTime: rounds.flatMap(({ inTime }) => inTime),
    },
  );
  return { ...measurement, ...(plots && { plots }) };
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
