/** Estimated work, which the queue of passwords, canaries and the plan use. */
import { expect, it } from 'vitest';
import { workOf } from '../../src/hashes/assess.ts';
import { parseHash } from '../../src/hashes/recognise.ts';
import type { HashKindName, ParsedHash } from '../../src/hashes/registry.ts';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';
import { usualHashes } from '../helpers/usual-hashes.ts';

const password = Buffer.from('correct horse battery staple');
const salt = Buffer.from('sodium chloride!').toString('base64url');
const rounds = 40;

function parsedAs(kind: HashKindName, hash: string): ParsedHash {
  const result = parseHash(hash, kind, limits);
  if (!result.ok) throw new Error(result.message);
  return result.parsed;
}

const kratos = (label: string, bytes: number): ParsedHash => {
  const key = Buffer.alloc(bytes, 1).toString('base64').replaceAll('=', '');
  return parsedAs('pbkdf2_kratos', `$pbkdf2-${label}$i=5000,l=${bytes}$${salt}$${key}`);
};

/** So cheap that one of many runs is not interrupted. */
const native = parsedAs('bcrypt', usualHashes.bcrypt.replace('$10$', '$06$'));

function elapsedMs(parsed: ParsedHash): number {
  const startedAt = performance.now();
  verifyParsed(parsed, password, { signerKey: undefined, pepper: undefined });
  return performance.now() - startedAt;
}

/** From the fastest runs of each, in turns: other load on the machine only makes runs longer. */
function timesAsLong(parsed: ParsedHash): number {
  let [least, leastNative] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    least = Math.min(least, elapsedMs(parsed));
    leastNative = Math.min(leastNative, elapsedMs(native));
  }
  return least / leastNative;
}

it.each([
  ['bcrypt 2x, in code of our own', parsedAs('bcrypt_2x', usualHashes.bcrypt_2x.replace('$10$', '$06$'))],
  ['PBKDF2 with SHA3-224', kratos('sha224', 28)],
  ['PBKDF2 with SHA3-384', kratos('sha384', 48)],
])('%s takes as many times as long as bcrypt as is estimated', (_what, parsed) => {
  const measured = timesAsLong(parsed);
  const estimated = workOf(parsed) / workOf(native);
  expect(measured / estimated).toBeGreaterThan(0.5);
  expect(measured / estimated).toBeLessThan(1.35);
});
