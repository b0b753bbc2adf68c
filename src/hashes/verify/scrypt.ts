import { scryptSync, timingSafeEqual } from 'node:crypto';
import { scryptBytes, type ParsedScrypt, type ScryptCosts } from '../kinds/scrypt.ts';

/** Node refuses what exceeds `maxmem`, 32 MiB by default, counting slightly differently from the RFC: leave room. */
const memorySlackBytes = 1024 * 1024;

/** Whether `password` has this hash. Allocates 128 · N · r bytes and blocks; the comparison takes constant time. */
export function verifyScrypt(
  { key, ...costs }: ParsedScrypt<'scrypt' | 'better_auth'>,
  password: Buffer,
): boolean {
  return key.length > 0 && timingSafeEqual(derive(password, costs, key.length), key);
}

/** As verifyScrypt: better-auth normalises a password before hashing. */
export function verifyBetterAuth(parsed: ParsedScrypt<'better_auth'>, password: Buffer): boolean {
  return verifyScrypt(parsed, betterAuthInput(password));
}

/** What scrypt gets for a password. */
export function betterAuthInput(password: Buffer): Buffer {
  return Buffer.from(password.toString('utf8').normalize('NFKC'));
}

/** `bytes` of scrypt's key. Allocates 128 · N · r bytes and blocks. */
export function derive(
  password: Buffer,
  { salt, ...costs }: ScryptCosts & { readonly salt: Buffer },
  bytes: number,
): Buffer {
  const { iterations: N, blockSize: r, parallelism: p } = costs;
  const maxmem = scryptBytes(costs) + memorySlackBytes;
  return scryptSync(password, salt, bytes, { N, r, p, maxmem });
}
