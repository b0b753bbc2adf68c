import { hash } from 'node:crypto';
import type { ParsedCrypt } from '../parsed.ts';
import { encodeGroups, isSameText } from './crypt-encoding.ts';
import type { Group } from './crypt-encoding.ts';
import { cryptRounds } from './digest-rounds.ts';

/** libxcrypt refuses longer ones; each round digests the password again, so a long one multiplies the rounds. */
const passwordBytesLimit = 511;

interface Variant {
  readonly digest: 'sha512' | 'sha256';
  readonly groups: readonly Group[];
}

/** Drepper's order of the bytes: thirds of the digest side by side, turning with each group; the rest at the end. */
const variants: Readonly<Record<'sha512_crypt' | 'sha256_crypt', Variant>> = {
  sha512_crypt: { digest: 'sha512', groups: [...turned(21, 1), [63]] },
  sha256_crypt: { digest: 'sha256', groups: [...turned(10, 2), [31, 30]] },
};

function turned(third: number, turn: number): readonly Group[] {
  return Array.from({ length: third }, (_group, index) =>
    [0, 1, 2].map((place) => index + third * ((place + index * turn) % 3)),
  );
}

/**
 * Whether `password` has this hash: Drepper, "Unix crypt using SHA-256 and SHA-512", 2016; the numbers are its steps.
 * Blocks for all rounds; the comparison takes constant time. Passwords of 512 bytes and more have no hash.
 */
export function verifyShaCrypt(
  { kind, rounds, salt, encoded }: ParsedCrypt<'sha512_crypt' | 'sha256_crypt'>,
  password: Buffer,
): boolean {
  if (password.length > passwordBytesLimit) return false;
  const variant = variants[kind];
  const digest = digestOf(variant, password, Buffer.from(salt), rounds);
  return isSameText(encodeGroups(digest, variant.groups), encoded);
}

function digestOf({ digest }: Variant, password: Buffer, salt: Buffer, rounds: number): Buffer {
  const digested = (...parts: readonly Buffer[]) => hash(digest, Buffer.concat(parts), 'buffer');
  const repeated = (source: Buffer, length: number) => Buffer.alloc(length, source);
  // Steps 1 to 12
  const inner = digested(password, salt, password);
  const bits = bitsOf(password.length).map((bit) => (bit ? inner : password));
  const start = digested(password, salt, repeated(inner, password.length), ...bits);
  // Steps 13 to 20: both become as long as what they stand for
  const p = repeated(digested(...times(password.length, password)), password.length);
  const s = repeated(digested(...times(16 + (start[0] ?? 0), salt)), salt.length);
  // Step 21
  return cryptRounds(digest, start, { password: p, salt: s, rounds });
}

function times(count: number, part: Buffer): readonly Buffer[] {
  return Array.from({ length: count }, () => part);
}

/** The bits of `length`, lowest first. */
function bitsOf(length: number): readonly boolean[] {
  return length === 0 ? [] : Array.from(length.toString(2), (bit) => bit === '1').reverse();
}
