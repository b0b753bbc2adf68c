import { scryptSync, timingSafeEqual } from 'node:crypto';
import { scryptBytes } from '../cost.ts';
import type { ParsedScrypt } from '../parsed.ts';

/** Node refuses what exceeds `maxmem`, 32 MiB by default, counting a little differently from the RFC: leave room. */
const memorySlackBytes = 1024 * 1024;

/** Whether `password` has this hash. Allocates 128 · N · r bytes and blocks; the comparison takes constant time. */
export function verifyScrypt(
  { iterations: N, blockSize: r, parallelism: p, salt, key }: ParsedScrypt<'scrypt' | 'better_auth'>,
  password: Buffer,
): boolean {
  const maxmem = scryptBytes(N, r, p) + memorySlackBytes;
  return key.length > 0 && timingSafeEqual(scryptSync(password, salt, key.length, { N, r, p, maxmem }), key);
}

/** As verifyScrypt: better-auth normalises a password before it is hashed. */
export function verifyBetterAuth(parsed: ParsedScrypt<'better_auth'>, password: Buffer): boolean {
  return verifyScrypt(parsed, Buffer.from(password.toString('utf8').normalize('NFKC')));
}
