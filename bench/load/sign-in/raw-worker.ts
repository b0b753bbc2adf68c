import { timingSafeEqual } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { verifySync } from '@node-rs/argon2';
import bcrypt from 'bcrypt';
import { encryptSigner, type Kind, kindOf, kinds, password } from './mix.ts';
import type { RawTask, RawWork } from './raw-hashing.ts';

/** One thread of the reference. Whole turns of the mix, so that what is counted has its shares. */

const turn = 10;

function work({ mix, seconds, offset }: RawTask): RawWork {
  const { hashes } = mix;
  const signerKey = Buffer.from(mix.signerKey, 'base64');
  const [, , , salt = ''] = hashes['scrypt variant'].passwordHash.split('$');
  const [, , stored = ''] = hashes['scrypt variant'].passwordHash.split('$');
  const verify: Record<Kind, () => boolean> = {
    bcrypt: () => bcrypt.compareSync(password, hashes.bcrypt.passwordHash),
    argon2id: () => verifySync(hashes.argon2id.passwordHash, password),
    'scrypt variant': () => {
      const encrypted = encryptSigner(password, Buffer.from(salt, 'base64'), signerKey);
      return timingSafeEqual(encrypted, Buffer.from(stored, 'base64'));
    },
  };
  const spent = new Map<Kind, { count: number; ms: number }>(
    kinds.map((kind) => [kind, { count: 0, ms: 0 }]),
  );
  const startedAt = performance.now();
  let verified = 0;
  while (verified % turn !== 0 || performance.now() - startedAt < seconds * 1000) {
    const kind = kindOf(offset + verified++);
    const begunAt = performance.now();
    if (!verify[kind]()) throw new Error(`the reference refused the right password of ${kind}`);
    const sum = spent.get(kind);
    if (sum) {
      sum.count++;
      sum.ms += performance.now() - begunAt;
    }
  }
  const msOf = (kind: Kind): number => (spent.get(kind)?.ms ?? NaN) / (spent.get(kind)?.count ?? NaN);
  return {
    verified,
    seconds: (performance.now() - startedAt) / 1000,
    msOf: {
      bcrypt: msOf('bcrypt'),
      argon2id: msOf('argon2id'),
      'scrypt variant': msOf('scrypt variant'),
    },
  };
}

parentPort?.postMessage(work(workerData as RawTask));
