import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import os from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { startThread } from '../../load/processes.ts';

/** What an access token has to be signed of: header and payload, encoded. */
const text = Buffer.alloc(600, 'x');

interface KeyTask {
  readonly does: 'sign' | 'verify';
  readonly seconds: number;
}

/** The reference: RS256 on every core, a thread each, and nothing else. @returns signatures a second of all of them */
export async function bareSigning(seconds: number): Promise<number> {
  const rates = await Promise.all(
    Array.from({ length: os.availableParallelism() }, () => rateOfThread({ does: 'sign', seconds })),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

/** @returns signatures of RS256 that one thread verifies a second */
export function bareVerification(seconds: number): Promise<number> {
  return rateOfThread({ does: 'verify', seconds });
}

async function rateOfThread(task: KeyTask): Promise<number> {
  const [rate] = (await once(startThread(import.meta.url, useKey, task), 'message')) as [number];
  return rate;
}

/** One thread of the reference. */
export function useKey({ does, seconds }: KeyTask, port: MessagePort): void {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signature = sign('sha256', text, privateKey);
  const operation =
    does === 'sign'
      ? () => sign('sha256', text, privateKey)
      : () => verify('sha256', text, publicKey, signature);
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    operation();
    count++;
  }
  port.postMessage((count * 1000) / (performance.now() - startedAt));
}
