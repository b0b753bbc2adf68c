import { hash } from 'node:crypto';

/** The message of a round: fixed bytes except for the position of the previous round's digest. */
interface RoundMessage {
  readonly bytes: Buffer;
  /** The position of the previous digest. */
  readonly at: number;
}

/**
 * `start` digested `rounds` times, each time within the round's message; the messages alternate. Blocks. `hash` with `binary` is
 * the cheapest way of node:crypto: 0.24 µs a round, where a Hash object for each and its Buffer take 1 µs and leave garbage. An
 * iterator over the messages costs a tenth more, and half as much again in every third process, depending on how it is compiled.
 */
function digestRounds(
  digest: string,
  start: Buffer,
  { messages, rounds }: { readonly messages: readonly RoundMessage[]; readonly rounds: number },
): Buffer {
  let last = start.toString('latin1');
  for (let round = 0; round < rounds; round++) {
    const message = messages[round % messages.length];
    if (message === undefined) throw new RangeError('there is no message for a round');
    message.bytes.write(last, message.at, 'latin1');
    last = hash(digest, message.bytes, 'binary');
  }
  return Buffer.from(last, 'latin1');
}

/** `start` digested `rounds` times, each time followed by `tail`. Blocks. */
export function digestAgain(digest: string, start: Buffer, rounds: number, tail?: Buffer): Buffer {
  const bytes = tail === undefined ? Buffer.from(start) : Buffer.concat([start, tail]);
  return digestRounds(digest, start, { messages: [{ bytes, at: 0 }], rounds });
}

export interface CryptRounds {
  /** Both as the variant prepares them. */
  readonly password: Buffer;
  readonly salt: Buffer;
  readonly rounds: number;
}

/** The period of equal rounds: their numbers modulo 2, 3 and 7. */
const cryptTurns = 2 * 3 * 7;

/**
 * The rounds of md5-crypt (Kamp, 1994) that sha-crypt adopted (Drepper, step 21): the last digest first in even rounds and last
 * in odd ones, the password at the other end; between them the salt except in each third round, and the password again except in
 * each seventh.
 */
export function cryptRounds(digest: string, start: Buffer, { password, salt, rounds }: CryptRounds): Buffer {
  const messages = Array.from({ length: Math.min(rounds, cryptTurns) }, (_message, round): RoundMessage => {
    const middle = [...(round % 3 === 0 ? [] : [salt]), ...(round % 7 === 0 ? [] : [password])];
    if (round % 2 === 0) return { bytes: Buffer.concat([start, ...middle, password]), at: 0 };
    const bytes = Buffer.concat([password, ...middle, start]);
    return { bytes, at: bytes.length - start.length };
  });
  return digestRounds(digest, start, { messages, rounds });
}
