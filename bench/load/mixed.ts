import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import type { BulkJob, BulkResult } from './bulk-client.ts';
import { writeBulkFiles } from './bulk-files.ts';
import type { LoadResult } from './client/job.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Sample, throughputPlot, watchImport } from './job-progress.ts';
import { emailOf } from './people.ts';
import { percentilesPlot } from './percentiles.ts';
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
const rate = 15;

interface Round {
  readonly alone: LoadResult;
  readonly beside: LoadResult;
  readonly samples: readonly Sample[];
}

async function compare(cluster: Cluster, options: BenchOptions): Promise<Measurement[]> {
  const [count, seconds] = options.quick ? [1, 2] : [8, 10];
  const files = await writeBulkFiles(options.quick ? 50_000 : 1_000_000);
  const core = await startCoreProcess(cluster.uri, undefined, noGuessLimits);
  const rounds: Round[] = [];
  try {
    for (let n = 1; n <= count; n++) {
      await cluster.reset();
      rounds.push(await runRound(core, files.export, seconds, options));
    }
  } finally {
    await core.stop();
    await files.remove();
  }
  return [comparison(rounds, seconds)];
}

async function runRound(
  core: CoreProcess,
  file: string,
  seconds: number,
  { say }: BenchOptions,
): Promise<Round> {
  await signUp(core);
  const signIn = (): Promise<LoadResult> =>
    runLoad(core, {
      traffic: { kind: 'sign-in', from: 0, people, password },
      loop: { kind: 'open', phases: [{ rate, seconds }] },
      say,
    });
  const alone = await signIn();
  const job: BulkJob = { url: core.url, apiKey: core.apiKey, file };
  const importing = watchImport(core, runProcess<BulkResult>('bulk-client.ts', job));
  const beside = await signIn();
  const { result, samples } = await importing;
  say(
    `p50/p99 ${inMs(alone)} alone, ${inMs(beside)} beside an import of ` +
      `${Number(result.job.usersPerSecond).toFixed(0)} users/s`,
  );
  return { alone, beside, samples };
}

function comparison(rounds: readonly Round[], seconds: number): Measurement {
  const last = rounds.at(-1);
  const plots = last && [
    throughputPlot('mixed', last.samples),
    percentilesPlot({ 'sign-in alone': last.alone, 'sign-in beside an import': last.beside }),
  ];
  return measured(
    {
      name: 'mixed-sign-in-p99',
      unit: 'ms',
      reference: 'p99 without an import',
      atMost: 1.5,
      details: { rate, seconds },
      ...(plots && { plots }),
    },
    rounds.map(({ alone, beside }) => [beside.latencyMs.p99, alone.latencyMs.p99]),
  );
}

function inMs({ latencyMs: { p50, p99 } }: LoadResult): string {
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
