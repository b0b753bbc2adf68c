import { Worker } from 'node:worker_threads';
import type { Kind, Mix } from './mix.ts';

/** What a thread is told. */
export interface RawTask {
  readonly mix: Mix;
  readonly seconds: number;
  /** Where in the mix it begins. */
  readonly offset: number;
}

/** What it did. */
export interface RawWork {
  readonly verified: number;
  readonly seconds: number;
  /** By kind: ms of one verification, on average. */
  readonly msOf: Readonly<Record<Kind, number>>;
}

/**
 * The reference of sign-ins: threads that do nothing but call the hashing libraries, on the same mix.
 * @returns verifications a second of all of them, and ms of one by kind
 */
export async function verifyRaw(
  mix: Mix,
  threads: number,
  seconds: number,
): Promise<{ perSecond: number; msOf: RawWork['msOf'] }> {
  const works = await Promise.all(
    Array.from({ length: threads }, (_, n) => runThread({ mix, seconds, offset: n * 3 })),
  );
  const perSecond = works.reduce((sum, work) => sum + work.verified / work.seconds, 0);
  const mean = (kind: Kind): number => works.reduce((sum, { msOf }) => sum + msOf[kind], 0) / works.length;
  return {
    perSecond,
    msOf: {
      bcrypt: mean('bcrypt'),
      argon2id: mean('argon2id'),
      'scrypt variant': mean('scrypt variant'),
    },
  };
}

function runThread(task: RawTask): Promise<RawWork> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('raw-worker.ts', import.meta.url), { workerData: task });
    worker.once('message', resolve).once('error', reject);
  });
}
