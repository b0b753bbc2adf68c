import { parentPort } from 'node:worker_threads';
import type { HashKind } from '../../src/hashes/formats.ts';
import { giveWay, niceness } from '../../workers/niceness.ts';
import { rawVerification } from './hashes-raw.ts';

/**
 * A thread of the reference: a loop around the bare function, and nothing else. As urgent as a thread of the pool, so that
 * whatever else runs on the machine takes the same from both.
 */

export interface RawTask {
  readonly kind: HashKind;
  readonly verifications: number;
}

parentPort?.on('message', ({ kind, verifications }: RawTask) => {
  giveWay(niceness.password);
  const verify = rawVerification(kind);
  for (let n = 0; n < verifications; n++) verify();
  parentPort?.postMessage('done');
});
