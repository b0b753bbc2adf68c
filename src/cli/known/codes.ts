/** Known one-time codes, with the time at which a device showed them. */

import { timeOf } from '../../exports/providers/parts/fields.ts';
import type { KnownCode } from '../../hashes/doctor/totp/readings.ts';
import { CommandError } from '../command-error.ts';

/** Six digits are the usual length; the blank that apps show in the middle is not part of it. */
const codePattern = /^\d{6,8}$/;

/**
 * @param where names it in messages: `--code`, or a row of a file
 * @param time ISO 8601 or seconds since 1970; undefined: now
 * @throws CommandError, which does not repeat the code
 */
export function knownCode(where: string, code: string, time: string | undefined, now: number): KnownCode {
  const digits = code.replaceAll(/[\s-]/g, '');
  if (!codePattern.test(digits)) throw new CommandError(`${where}: a code has 6, 7 or 8 digits`);
  const at = time === undefined ? now : timeOf(time);
  if (at === undefined)
    throw new CommandError(
      `${where}: the time of the code is not understood: give it as 2026-01-31T12:00:00Z, or as seconds since 1970`,
    );
  return { code: digits, at };
}
