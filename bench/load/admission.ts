import { setTimeout as delay } from 'node:timers/promises';
import { oneRound, untilKnown } from '../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import type { AdmissionJob, AdmissionResult, HealthTimes } from './admission-client.ts';
import { type CoreProcess, runProcess } from './processes.ts';
import { noLimits } from './sign-in/mix.ts';
import { withCore, withStand } from './stand.ts';

/**
 * The largest hashes that are let in, against the memory they may take together: 64 people whose Argon2id hashes take
 * 1 GiB each sign in at the same moment on a core with a budget of 1 GiB and room for 32 to wait, while `/health` is
 * asked every 20 ms. One is computed, 32 wait, and the others are told when to come back. A core beside it that has nothing
 * to do is asked at the same times: what both are late by is the machine's. Compared is for how much of the time an answer
 * would have come in time: the longest is one of thousands, and another each time.
 */
export const admission: Scenario = {
  name: 'admission',
  about: '64 sign-ins at once against hashes of 1 GiB: memory within the budget, /health within 50 ms',
  run: (options) => {
    const signIns = options.quick ? 4 : 64;
    const settings = {
      ...noLimits,
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
  readonly health: HealthTimes;
  readonly neighbour: HealthTimes;
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
    const { outcomes, seconds, health, neighbourHealth } = result;
    say(
      `round ${n}: ${JSON.stringify(outcomes)} in ${seconds.toFixed(1)} s, ` +
        `at most ${peakMb.toFixed(0)} MB (${atRestMb.toFixed(0)} at rest), health ${inWords(health)}; ` +
        `of a core with nothing to do ${inWords(neighbourHealth)}`,
    );
    return { peakMb, health, neighbour: neighbourHealth };
  };
  const limits = quick ? oneRound : { least: 5, most: 12 };
  return untilKnown(limits, takeRound, (storms) => comparisons(storms, atRestMb));
}

function inWords({ answered, maxMs, inTime }: HealthTimes): string {
  const percent = (100 * inTime).toFixed(2);
  return `${answered} times, at most ${maxMs.toFixed(1)} ms, ${percent} % of the time within ${healthWithinMs}`;
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
  const job: AdmissionJob = { url, neighbourUrl: neighbour.url, healthWithinMs, apiKey, emails };
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
        unit: `% of the time within ${healthWithinMs} ms`,
        reference: 'a core with nothing to do',
        // In a storm of 30 s: once no later than 80 ms.
        atLeast: 0.999,
        details: {
          maxMs: results.map(({ health }) => health.maxMs),
          neighbourMaxMs: results.map(({ neighbour }) => neighbour.maxMs),
        },
      },
      results.map(({ health, neighbour }) => [100 * health.inTime, 100 * neighbour.inTime]),
    ),
  ];
}
