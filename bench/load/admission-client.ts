import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Everybody signs in at the same moment with a wrong password; `/health` is asked until the last answer. */
export interface AdmissionJob {
  readonly url: string;
  /** A core of which nothing else is asked: what `/health` takes there is the machine's doing. */
  readonly neighbourUrl: string;
  /** What an answer of `/health` may take, ms. */
  readonly healthWithinMs: number;
  readonly apiKey: string;
  readonly emails: readonly string[];
}

export interface AdmissionResult {
  readonly seconds: number;
  /** How many of each: the HTTP status, and whether Retry-After was there. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly health: HealthTimes;
  readonly neighbourHealth: HealthTimes;
}

/** What the thread that asks for `/health` is given. */
export interface HealthTask {
  readonly url: string;
  /** What an answer may take, ms. */
  readonly withinMs: number;
}

/** What it says when it is told to stop. */
export interface HealthTimes {
  readonly answered: number;
  readonly maxMs: number;
  /** Share of the time at which a request would have been answered within what it may take. */
  readonly inTime: number;
}

async function storm(job: AdmissionJob): Promise<AdmissionResult> {
  const { url, neighbourUrl, healthWithinMs: withinMs, apiKey, emails } = job;
  const stopAsking = await askForHealth({ url, withinMs });
  const stopAskingNeighbour = await askForHealth({ url: neighbourUrl, withinMs });
  const startedAt = performance.now();
  const answers = await Promise.all(emails.map((email) => signIn(`${url}/recipe/signin`, apiKey, email)));
  const seconds = (performance.now() - startedAt) / 1000;
  const health = await stopAsking();
  const neighbourHealth = await stopAskingNeighbour();
  const outcomes: Record<string, number> = {};
  for (const answer of answers) outcomes[answer] = (outcomes[answer] ?? 0) + 1;
  return { seconds, outcomes, health, neighbourHealth };
}

/** In a thread of its own: what 64 requests cost this one is no wait of the core's. @returns what ends it */
async function askForHealth(task: HealthTask): Promise<() => Promise<HealthTimes>> {
  const asking = new Worker(new URL('admission-health.ts', import.meta.url), { workerData: task });
  await once(asking, 'message'); // its connection is there, and its code is warm
  return async () => {
    asking.postMessage('stop');
    const [health] = (await once(asking, 'message')) as [HealthTimes];
    return health;
  };
}

async function signIn(url: string, apiKey: string, email: string): Promise<string> {
  const body = JSON.stringify({ email, password: 'wrong' });
  const answer = await fetch(url, { method: 'POST', headers: { 'api-key': apiKey }, body });
  await answer.text();
  return answer.headers.has('retry-after') ? `${answer.status} with Retry-After` : String(answer.status);
}

process.once('message', (job: AdmissionJob) => {
  void storm(job).then((result) =>
    process.send?.(result, () => {
      process.disconnect();
    }),
  );
});
