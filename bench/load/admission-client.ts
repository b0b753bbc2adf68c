import { setTimeout as delay } from 'node:timers/promises';

/** Everybody signs in at the same moment with a wrong password; `/health` is asked until the last answer. */
export interface AdmissionJob {
  readonly url: string;
  readonly apiKey: string;
  readonly emails: readonly string[];
}

export interface AdmissionResult {
  readonly seconds: number;
  /** How many of each: the HTTP status, and whether Retry-After was there. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly health: { readonly answered: number; readonly maxMs: number };
}

const healthEveryMs = 20;

async function storm({ url, apiKey, emails }: AdmissionJob): Promise<AdmissionResult> {
  await askHealth(url); // the connection is there, and code is warm
  const startedAt = performance.now();
  const over = new AbortController();
  const times: number[] = [];
  const watching = (async () => {
    while (!over.signal.aborted) {
      times.push(await askHealth(url));
      await delay(healthEveryMs);
    }
  })();
  const answers = await Promise.all(emails.map((email) => signIn(`${url}/recipe/signin`, apiKey, email)));
  const seconds = (performance.now() - startedAt) / 1000;
  over.abort();
  await watching;
  const outcomes: Record<string, number> = {};
  for (const answer of answers) outcomes[answer] = (outcomes[answer] ?? 0) + 1;
  return { seconds, outcomes, health: { answered: times.length, maxMs: Math.max(...times) } };
}

async function signIn(url: string, apiKey: string, email: string): Promise<string> {
  const body = JSON.stringify({ email, password: 'wrong' });
  const answer = await fetch(url, { method: 'POST', headers: { 'api-key': apiKey }, body });
  await answer.text();
  return answer.headers.has('retry-after') ? `${answer.status} with Retry-After` : String(answer.status);
}

/** @returns ms @throws Error when it is not healthy */
async function askHealth(url: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/health`);
  await answer.text();
  if (!answer.ok) throw new Error(`/health answered ${answer.status}`);
  return performance.now() - startedAt;
}

process.once('message', (job: AdmissionJob) => {
  void storm(job).then((result) =>
    process.send?.(result, () => {
      process.disconnect();
    }),
  );
});
