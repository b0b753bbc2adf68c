import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { HealthTask, HealthTimes } from './admission-client.ts';

/** Asks for `/health` every 20 ms, from its first answer until it is told to stop, and then says how it went. */

const everyMs = 20;
const warmUps = 20;

async function watch({ url, withinMs }: HealthTask): Promise<void> {
  for (let n = 0; n < warmUps; n++) await askHealth(url);
  const over = new AbortController();
  parentPort?.once('message', () => {
    over.abort();
  });
  parentPort?.postMessage('ready');
  const startedAt = performance.now();
  const times: number[] = [];
  while (!over.signal.aborted) {
    times.push(await askHealth(url));
    await delay(everyMs);
  }
  const lateMs = times.reduce((sum, ms) => sum + Math.max(0, ms - withinMs), 0);
  parentPort?.postMessage({
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

await watch(workerData as HealthTask);
