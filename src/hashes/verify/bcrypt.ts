import { timingSafeEqual } from 'node:crypto';
import bcrypt from 'bcrypt';
import type { BcryptPrefix } from '../../domain/model.ts';
import type { ParsedBcrypt } from '../kinds/bcrypt.ts';

/**
 * bcrypt reads this many bytes of a password. Truncating here makes the rule explicit: a library that began to refuse longer
 * passwords would lock out users whose old system truncated without an error.
 */
const passwordBytesUsed = 72;
/** Version, cost and salt: the parameters of a hash. */
const settingsCharacters = 29;

/** Whether `password` (UTF-8 as received) has this hash. Blocks for 2^cost rounds; the comparison takes constant time. */
export function verifyBcrypt(parsed: ParsedBcrypt, password: Buffer): boolean {
  const settings = parsed.canonical.slice(0, settingsCharacters);
  const computed = bcrypt.hashSync(password.subarray(0, passwordBytesUsed), settings);
  return timingSafeEqual(Buffer.from(computed), Buffer.from(parsed.canonical));
}

/**
 * A new hash with a random salt.
 * @param logRounds log2 of the rounds
 * @param prefix all are the same function for every password that can be sent here; readers of the hash may require one
 */
export function hashBcrypt(password: Buffer, logRounds: number, prefix: BcryptPrefix = '2b'): string {
  const salt = bcrypt.genSaltSync(logRounds, 'b');
  const hash = bcrypt.hashSync(password.subarray(0, passwordBytesUsed), salt);
  return `$${prefix}${hash.slice(hash.indexOf('$', 1))}`;
}
