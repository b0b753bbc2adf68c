/** Short texts of the standard input: a hash, a password, a secret. */

import { CommandError } from '../command-error.ts';
import type { Surroundings } from '../surroundings.ts';

/** A hash and a password are short: what is longer is something else. */
const stdinBytesLimit = 65_536;

/** All of the standard input. @throws CommandError when it is too long for a hash, a secret or a password */
export async function stdinText({ stdin }: Surroundings): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stdin) {
    parts.push(part);
    bytes += part.length;
    if (bytes > stdinBytesLimit)
      throw new CommandError('The standard input is too long for a hash: give many with --pairs');
  }
  return Buffer.concat(parts).toString('utf8');
}
