import { hash } from 'node:crypto';
import type { ParsedPhpass } from '../kinds/phpass.ts';
import { encodeGroups, isSameText, type Group } from './parts/crypt-encoding.ts';
import { digestAgain } from './parts/digest-rounds.ts';

/** phpass refuses longer ones since 0.3: each round digests the password again. */
const passwordBytesLimit = 4096;

/** phpass encodes little-endian: three bytes a group, the first the least significant. */
const wholeGroups: readonly Group[] = [0, 3, 6, 9, 12].map((first) => [first + 2, first + 1, first]);
const groups: readonly Group[] = [...wholeGroups, [15]];

/** Whether `password` has this hash: Solar Designer's phpass 0.5, crypt_private. Blocks for 2^logRounds rounds. */
export function verifyPhpass(parsed: ParsedPhpass, password: Buffer): boolean {
  return password.length <= passwordBytesLimit && isSameText(phpassOf(parsed, password), parsed.encoded);
}

/** The encoded digest of `password` with the rounds and the salt of a hash. */
export function phpassOf({ salt, logRounds }: ParsedPhpass, password: Buffer): string {
  const start = hash('md5', Buffer.concat([Buffer.from(salt), password]), 'buffer');
  const digest = digestAgain('md5', start, 2 ** logRounds, password);
  return encodeGroups(digest, groups);
}
