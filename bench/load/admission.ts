import { setTimeout as delay } from 'node:timers/promises';
import { oneRound, untilKnown } from '../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import type { AdmissionJob, AdmissionResult } from './admission-client.ts';
import { type CoreProcess, runProcess } from './processes.ts';
import { noGuessLimits } from './sign-in/mix.ts';
import { withCore, withStand } from './stand.ts';

/**
 * The largest hashes that are let in, against the memory they may take together: 64 people whose Argon2id hashes take
 * 1 GiB each sign in at the same moment on a core with a budget of 1 GiB and room for 32 to wait, while `/health` is
 * asked every 20 ms. One is computed, 32 wait, and the others are told when to come back. A core beside it that has nothing
 * to do is asked at the same times: what both are late by is the machine's.
 */
export const admission: Scenario = {
  name: 'admission',
  about: '64 sign-ins at once against hashes of 1 GiB: memory within the budget, /health within 50 ms',
  run: (options) => {
    const signIns = options.quick ? 4 : 64;
    const settings = {
      ...noGuessLimits,
      HASHING_MEMORY_BUDGET_MB: String(budgetMb),
      HASHING_QUEUE_LIMIT: String(signIns / 2),
    };
    return withStand(settings, ({ cluster, core }) =>
      withCore(cluster, {}, (neighbour) => compare({ core, neighbour }, signIns, options)),
    );
  },
};

const budgetMb = 1024;
/** What the core may take beside the budget: itself at rest, and what 64 requests hold. */
const restMb = 50;
const healthWithinMs = 50;
/** One pass over 1 GiB; a made-up salt and hash, as a wrong password costs the same. */
const hash =
  '$argon2id$v=19$m=1048576,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

interface Cores {
  readonly core: CoreProcess;
  readonly neighbour: CoreProcess;
}

/** Of one storm. */
interface Storm {
  readonly peakMb: number;
  readonly healthMs: number;
  readonly neighbourMs: number;
}

async function compare(
  { core, neighbour }: Cores,
  signIns: number,
  { quick, say }: BenchOptions,
): Promise<Measurement[]> {
  const emails = Array.from({ length: signIns }, (_, n) => `gib-${n}@signs.in`);
  for (const email of emails) await importHash(core, email);
  const atRestMb = core.memoryMb();
  const takeRound = async (n: number): Promise<Storm> => {
    const { peakMb, result } = await storm({ core, neighbour }, emails);
    const [healthMs, neighbourMs] = [result.health.maxMs, result.neighbourHealth.maxMs];
    say(
      `round ${n}: ${JSON.stringify(result.outcomes)} in ${result.seconds.toFixed(1)} s, ` +
        `at most ${peakMb.toFixed(0)} MB (${atRestMb.toFixed(0)} at rest), ` +
        `health ${result.health.answered} times, at most ${healthMs.toFixed(1)} ms, ` +
        `of a core with nothing to do ${neighbourMs.toFixed(1)} ms`,
    );
    return { peakMb, healthMs, neighbourMs };
  };
  const limits = quick ? oneRound : { least: 5, most: 12 };
  return untilKnown(limits, takeRound, (storms) => comparisons(storms, atRestMb));
}

async function importHash({ url, apiKey }: CoreProcess, email: string): Promise<void> {
  const answer = await fetch(`${url}/recipe/user/passwordhash/import`, {
    method: 'POST',
    headers: { 'api-key': apiKey },
    body: JSON.stringify({ email, passwordHash: hash }),
  });
  if (!answer.ok) throw new Error(`an import was refused: ${await answer.text()}`);
}

async function storm({ core, neighbour }: Cores, emails: readonly string[]) {
  let peakMb = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peakMb = Math.max(peakMb, core.memoryMb());
      await delay(5);
    }
  })();
  const { url, apiKey } = core;
  const job: AdmissionJob = { url, neighbourUrl: neighbour.url, apiKey, emails };
  const result = await runProcess<AdmissionResult>('admission-client.ts', job);
  over.abort();
  await watching;
  const bad = Object.keys(result.outcomes).filter((each) => !isExpected(each));
  if (bad.length > 0) throw new Error(`sign-ins were answered with ${bad.join(', ')}`);
  return { peakMb, result };
}

/** A wrong password is 200; who does not fit is told when to come back. */
function isExpected(outcome: string): boolean {
  return outcome === '200' || outcome === '503 with Retry-After';
}

function comparisons(results: readonly Storm[], atRestMb: number): Measurement[] {
  const allowedMb = budgetMb + atRestMb + restMb;
  return [
    measured(
      {
        name: 'admission-memory',
        unit: 'MB at the peak',
        reference: `budget, core at rest and ${restMb} MB`,
        atMost: 1,
        details: { budgetMb, atRestMb },
      },
      results.map(({ peakMb }) => [peakMb, allowedMb]),
    ),
    measured(
      {
        name: 'admission-health',
        unit: 'ms at the most',
        reference: `${healthWithinMs} ms, or what a core with nothing to do took`,
        atMost: 1,
        details: { neighbourMs: results.map(({ neighbourMs }) => neighbourMs) },
      },
      results.map(({ healthMs, neighbourMs }) => [healthMs, Math.max(healthWithinMs, neighbourMs)]),
    ),
  ];
}
