import { timingSafeEqual } from 'node:crypto';
import bcrypt from 'bcrypt';
import type { ParsedBcrypt } from '../kinds/bcrypt.ts';

/**
 * bcrypt reads this many bytes of a password. Cutting here keeps the rule ours: a library that began to refuse
 * longer passwords would lock out users whose old system truncated in silence.
 */
const passwordBytesUsed = 72;
/** Version, cost and salt: what a hash is computed from. */
const settingsCharacters = 29;

/** Whether `password` (UTF-8 as received) has this hash. Blocks for 2^cost rounds; the comparison takes constant time. */
export function verifyBcrypt(parsed: ParsedBcrypt, password: Buffer): boolean {
  const settings = parsed.canonical.slice(0, settingsCharacters);
  const computed = bcrypt.hashSync(password.subarray(0, passwordBytesUsed), settings);
  return timingSafeEqual(Buffer.from(computed), Buffer.from(parsed.canonical));
}

/** A new `$2b$` hash with a random salt. `logRounds`: log2 of the rounds. */
export function hashBcrypt(password: Buffer, logRounds: number): string {
  return bcrypt.hashSync(password.subarray(0, passwordBytesUsed), bcrypt.genSaltSync(logRounds, 'b'));
}
