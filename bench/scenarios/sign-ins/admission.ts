import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { noLimits } from '../../load/mix.ts';
import { type CoreProcess, runProcess, startThread } from '../../load/processes.ts';
import { withCore, withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * The largest accepted hashes, relative to the memory they may take together: 64 users whose Argon2id hashes take 1 GiB each sign
 * in at the same moment on a core with a budget of 1 GiB and room for 32 to wait, while `/health` is requested every 20 ms. One
 * is computed, 32 wait, and the others are refused with Retry-After. A second, idle core is queried at the same times: delays of
 * both are the machine's. The share of time is compared in which an answer would have come in time: the longest delay is one of
 * thousands, and varies.
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
/** The memory that the core may take in addition to the budget: its own at rest, and that of 64 requests. */
const restMb = 50;
const healthWithinMs = 50;
/** One pass over 1 GiB; a made-up salt and hash, as a wrong password costs the same. */
const hash =
  '$argon2id$v=19$m=1048576,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

interface Cores {
  readonly core: CoreProcess;
  readonly neighbour: CoreProcess;
}

async function compare(cores: Cores, signIns: number, options: BenchOptions): Promise<Measurement[]> {
  const emails = Array.from({ length: signIns }, (_, n) => `gib-${n}@signs.in`);
  for (const email of emails) await importHash(cores.core, email);
  const atRestMb = cores.core.memoryMb();
  return untilKnown(
    options,
    { least: 5, most: 12, inWords },
    () => storm(cores, emails),
    (storms) => comparisons(storms, atRestMb),
  );
}

function inWords({ peakMb, outcomes, seconds, health, neighbourHealth }: Storm): string {
  const words = ({ answered, maxMs, inTime }: HealthTimes): string =>
    `${answered} times, at most ${maxMs.toFixed(1)} ms, ${(100 * inTime).toFixed(2)} % of the time within ${healthWithinMs}`;
  return (
    `${JSON.stringify(outcomes)} in ${seconds.toFixed(1)} s, at most ${peakMb.toFixed(0)} MB, ` +
    `health ${words(health)}; of a core with nothing to do ${words(neighbourHealth)}`
  );
}

async function importHash({ url, apiKey }: CoreProcess, email: string): Promise<void> {
  const answer = await fetch(`${url}/recipe/user/passwordhash/import`, {
    method: 'POST',
    headers: { 'api-key': apiKey },
    body: JSON.stringify({ email, passwordHash: hash }),
  });
  if (!answer.ok) throw new Error(`an import was refused: ${await answer.text()}`);
}

async function storm({ core, neighbour }: Cores, emails: readonly string[]): Promise<Storm> {
  let peakMb = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peakMb = Math.max(peakMb, core.memoryMb());
      await delay(5);
    }
  })();
  const { url, apiKey } = core;
  const task: StormTask = { url, neighbourUrl: neighbour.url, apiKey, emails };
  const result = await runProcess(import.meta.url, signInAtOnce, task);
  over.abort();
  await watching;
  const bad = Object.keys(result.outcomes).filter((each) => !isExpected(each));
  if (bad.length > 0) throw new Error(`sign-ins were answered with ${bad.join(', ')}`);
  return { ...result, peakMb };
}

/** A wrong password is 200; a request without room is refused with Retry-After. */
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
        // In a storm of 30 s: late only once by at most 80 ms.
        atLeast: 0.999,
        details: {
          maxMs: results.map(({ health }) => health.maxMs),
          neighbourMaxMs: results.map(({ neighbourHealth }) => neighbourHealth.maxMs),
        },
      },
      results.map(({ health, neighbourHealth: other }) => [100 * health.inTime, 100 * other.inTime]),
    ),
  ];
}

interface StormTask {
  readonly url: string;
  /** An idle core: delays of its `/health` are the machine's. */
  readonly neighbourUrl: string;
  readonly apiKey: string;
  readonly emails: readonly string[];
}

interface StormResult {
  readonly seconds: number;
  /** The number of each: the HTTP status, and whether Retry-After was present. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly health: HealthTimes;
  readonly neighbourHealth: HealthTimes;
}

interface Storm extends StormResult {
  /** Of the core's memory. */
  readonly peakMb: number;
}

interface HealthTimes {
  readonly answered: number;
  readonly maxMs: number;
  /** The share of time at which a request would have been answered within the bar. */
  readonly inTime: number;
}

/** All users sign in at the same moment with a wrong password; `/health` is requested until the last answer. */
export async function signInAtOnce(task: StormTask): Promise<StormResult> {
  const { url, neighbourUrl, apiKey, emails } = task;
  const stopAsking = await askForHealth(url);
  const stopAskingNeighbour = await askForHealth(neighbourUrl);
  const startedAt = performance.now();
  const answers = await Promise.all(emails.map((email) => signIn(`${url}/recipe/signin`, apiKey, email)));
  const seconds = (performance.now() - startedAt) / 1000;
  const health = await stopAsking();
  const neighbourHealth = await stopAskingNeighbour();
  const outcomes: Record<string, number> = {};
  for (const answer of answers) outcomes[answer] = (outcomes[answer] ?? 0) + 1;
  return { seconds, outcomes, health, neighbourHealth };
}

async function signIn(url: string, apiKey: string, email: string): Promise<string> {
  const body = JSON.stringify({ email, password: 'wrong' });
  const answer = await fetch(url, { method: 'POST', headers: { 'api-key': apiKey }, body });
  await answer.text();
  return answer.headers.has('retry-after') ? `${answer.status} with Retry-After` : String(answer.status);
}

/** In a separate thread: delays of this one by 64 requests are not the core's. @returns ends it */
async function askForHealth(url: string): Promise<() => Promise<HealthTimes>> {
  const asking = startThread(import.meta.url, watchHealth, url);
  await once(asking, 'message'); // its connection is open, and its code is warm
  return async () => {
    asking.postMessage('stop');
    const [health] = (await once(asking, 'message')) as [HealthTimes];
    return health;
  };
}

const everyMs = 20;
const warmUps = 20;

/** Requests `/health` every 20 ms until it is stopped, and then reports the result. */
export async function watchHealth(url: string, port: MessagePort): Promise<void> {
  for (let n = 0; n < warmUps; n++) await askHealth(url);
  const over = new AbortController();
  port.once('message', () => {
    over.abort();
  });
  port.postMessage('ready');
  const startedAt = performance.now();
  const times: number[] = [];
  while (!over.signal.aborted) {
    times.push(await askHealth(url));
    await delay(everyMs);
  }
  const lateMs = times.reduce((sum, ms) => sum + Math.max(0, ms - healthWithinMs), 0);
  port.postMessage({
    answered: times.length,
    maxMs: Math.max(...times),
    inTime: 1 - lateMs / (performance.now() - startedAt),
  } satisfies HealthTimes);
}

/** @returns ms @throws Error when it is not healthy */
async function askHealth(url: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/health`);
  await answer.text();
  if (!answer.ok) throw new Error(`/health answered ${answer.status}`);
  return performance.now() - startedAt;
}
