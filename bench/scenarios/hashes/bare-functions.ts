import { pbkdf2Sync, scryptSync } from 'node:crypto';
import type { MessagePort, Worker } from 'node:worker_threads';
import { verifySync } from '@node-rs/argon2';
import bcrypt from 'bcrypt';
import { startThread } from '../../load/processes.ts';
import { requireHash } from '../../../test/helpers/require-hash.ts';
import type { HashKindName } from '../../../src/hashes/registry.ts';
import { verifyParsed } from '../../../src/hashes/verify/verifiers.ts';
import { defaultLimits } from '../../../test/helpers/hash-limits.ts';
import { usualHashes, usualPepper, usualSignerKey } from '../../../test/helpers/usual-hashes.ts';
import { lowerPriority, niceness } from '../../../workers/niceness.ts';

/** Matches no hash: a wrong password costs the same as a right one. */
export const password = 'correct horse battery staple';

const salt = Buffer.alloc(16, 7);
const separated = Buffer.alloc(11, 7);

/**
 * One verification by the library alone, for each kind. If no library has the kind, our own code, parsed beforehand: then the
 * pool is compared with the bare function.
 */
function rawVerification(kind: HashKindName): () => unknown {
  return libraries[kind] ?? ownCode(kind);
}

const libraries: Readonly<Partial<Record<HashKindName, () => unknown>>> = {
  bcrypt: compare(usualHashes.bcrypt),
  bcrypt_sha256: compare(usualHashes.bcrypt_sha256.replace('bcrypt_sha256$', '')),
  bcrypt_wordpress: compare(usualHashes.bcrypt_wordpress.replace('$wp', '')),
  bcrypt_peppered: compare(usualHashes.bcrypt_peppered),
  argon2: () => verifySync(usualHashes.argon2, password),
  provider_scrypt: scrypt(separated, 8),
  scrypt: scrypt(salt, 8),
  better_auth: scrypt(salt, 16),
  pbkdf2: () => pbkdf2Sync(password, salt, 600_000, 32, 'sha256'),
  pbkdf2_kratos: () => pbkdf2Sync(password, salt, 100_000, 32, 'sha3-384'),
  aspnet: () => pbkdf2Sync(password, salt, 100_000, 32, 'sha512'),
};

/** The library writes `$2b$` instead of `$2a$` and `$2y$`, which are the same function. */
function compare(hash: string): () => unknown {
  const written = hash.replace(/^\$2[ay]\$/, '$2b$');
  return () => bcrypt.compareSync(password, written);
}

function scrypt(salted: Buffer, r: number): () => unknown {
  return () => scryptSync(password, salted, 64, { N: 2 ** 14, r, p: 1, maxmem: 2 ** 26 });
}

function ownCode(kind: HashKindName): () => unknown {
  const parsed = requireHash(usualHashes[kind], kind, defaultLimits);
  const bytes = Buffer.from(password);
  return () => verifyParsed(parsed, bytes, { signerKey: usualSignerKey, pepper: usualPepper });
}

export interface BareTask {
  readonly kind: HashKindName;
  readonly verifications: number;
}

/**
 * A thread of the reference: a loop around the bare function. It has the priority of a thread of the pool, so that other load on
 * the machine affects both equally.
 */
export function bareThread(): Worker {
  return startThread(import.meta.url, verifyAsAsked, undefined);
}

export function verifyAsAsked(_: undefined, port: MessagePort): void {
  port.on('message', ({ kind, verifications }: BareTask) => {
    lowerPriority(niceness.password);
    const verify = rawVerification(kind);
    for (let n = 0; n < verifications; n++) verify();
    port.postMessage('done');
  });
}
