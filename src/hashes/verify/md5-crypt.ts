import { hash } from 'node:crypto';
import type { ParsedCrypt, ParsedPhpass } from '../parsed.ts';
import { encodeGroups, isSameText } from './crypt-encoding.ts';
import type { Group } from './crypt-encoding.ts';
import { cryptRounds, digestAgain } from './digest-rounds.ts';

const mark = Buffer.from('$1$');
const zero = Buffer.alloc(1);

/** phpass refuses longer ones since 0.3: each round digests the password again. */
const phpassPasswordBytesLimit = 4096;

/** Order of the bytes in md5-crypt. */
const md5Groups: readonly Group[] = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5], [11]];

/** phpass encodes little-endian: three bytes a group, the first the least significant. */
const phpassGroups: readonly Group[] = [
  ...[0, 3, 6, 9, 12].map((first) => [first + 2, first + 1, first]),
  [15],
];

/** Whether `password` has this hash: Kamp's md5crypt (FreeBSD 2.0, lib/libcrypt/crypt.c). Blocks for 1,000 rounds. */
export function verifyMd5Crypt(parsed: ParsedCrypt<'md5_crypt'>, password: Buffer): boolean {
  const salt = Buffer.from(parsed.salt);
  const inner = md5(password, salt, password);
  const start = md5(password, mark, salt, Buffer.alloc(password.length, inner), bitsOf(password));
  const digest = cryptRounds('md5', start, { password, salt, rounds: parsed.rounds });
  return isSameText(encodeGroups(digest, md5Groups), parsed.encoded);
}

/** Whether `password` has this hash: Solar Designer's phpass 0.5, crypt_private. Blocks for 2^logRounds rounds. */
export function verifyPhpass({ salt, logRounds, encoded }: ParsedPhpass, password: Buffer): boolean {
  if (password.length > phpassPasswordBytesLimit) return false;
  const start = md5(Buffer.from(salt), password);
  const digest = digestAgain('md5', start, 2 ** logRounds, password);
  return isSameText(encodeGroups(digest, phpassGroups), encoded);
}

function md5(...parts: readonly Buffer[]): Buffer {
  return hash('md5', Buffer.concat(parts), 'buffer');
}

/** A byte for each bit of the password's length, lowest first: zero for one, the password's first byte for zero. */
function bitsOf(password: Buffer): Buffer {
  const bits: Buffer[] = [];
  for (let left = password.length; left > 0; left >>>= 1) {
    bits.push(left % 2 === 1 ? zero : password.subarray(0, 1));
  }
  return Buffer.concat(bits);
}
