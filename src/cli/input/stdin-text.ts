/** Short texts of the standard input: a hash, a password, a secret, an answer. */

import { CommandError } from '../command-error.ts';
import type { Surroundings } from '../surroundings.ts';

/** A hash and a password are short: longer input is something else. */
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

/** Asks at the terminal. Anything but a yes is a no. */
export async function isYes(question: string, { stdin, stderr }: Surroundings): Promise<boolean> {
  stderr.write(`${question} [y/N] `);
  const parts = stdin[Symbol.asyncIterator]();
  const answer = await parts.next();
  await parts.return?.();
  return answer.done !== true && /^\s*y(es)?\s*$/i.test(Buffer.from(answer.value).toString('utf8'));
}
