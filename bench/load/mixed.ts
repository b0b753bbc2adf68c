import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import type { BulkJob, BulkResult } from './bulk-client.ts';
import { writeBulkFiles } from './bulk-files.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type CoreProcess, runProcess, startCoreProcess } from './processes.ts';
import type { SignInJob, SignInResult } from './sign-in-client.ts';

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

async function compare(cluster: Cluster, { quick, say }: BenchOptions): Promise<Measurement[]> {
  const [rounds, seconds] = quick ? [1, 3] : [4, 10];
  const files = await writeBulkFiles(quick ? 200_000 : 1_000_000);
  const core = await startCoreProcess(cluster.uri);
  const results: (readonly [number, number])[] = [];
  try {
    for (let n = 1; n <= rounds; n++) {
      await cluster.reset();
      const emails = await signUp(core);
      const alone = await signIn(core, emails, seconds);
      const job: BulkJob = { url: core.url, apiKey: core.apiKey, file: files.export };
      const importing = runProcess<BulkResult>('bulk-client.ts', job);
      const beside = await signIn(core, emails, seconds);
      const { job: imported } = await importing;
      results.push([beside.latencyMs.p99, alone.latencyMs.p99]);
      say(
        `round ${n}: p50/p99 ${alone.latencyMs.p50}/${alone.latencyMs.p99} ms alone, ` +
          `${beside.latencyMs.p50}/${beside.latencyMs.p99} ms beside an import of ${Number(imported.usersPerSecond).toFixed(0)} users/s`,
      );
    }
  } finally {
    await core.stop();
    await files.remove();
  }
  const facts = { name: 'mixed-sign-in-p99', unit: 'ms', reference: 'p99 without an import' } as const;
  return [measured({ ...facts, atMost: 1.5, details: { rate, seconds } }, results)];
}

async function signUp({ url, apiKey }: CoreProcess): Promise<string[]> {
  const emails = Array.from({ length: people }, (_, n) => `person-${n}@signs.in`);
  for (const email of emails) {
    const answer = await fetch(`${url}/recipe/signup`, {
      method: 'POST',
      headers: { 'api-key': apiKey },
      body: JSON.stringify({ email, password }),
    });
    if (!answer.ok) throw new Error(`a sign-up was refused: ${await answer.text()}`);
  }
  return emails;
}

async function signIn(
  { url, apiKey }: CoreProcess,
  emails: readonly string[],
  seconds: number,
): Promise<SignInResult> {
  const job: SignInJob = { url, apiKey, emails, password, rate, seconds };
  const result = await runProcess<SignInResult>('sign-in-client.ts', job);
  if (result.failed > 0) throw new Error(`${result.failed} sign-ins failed`);
  return result;
}
