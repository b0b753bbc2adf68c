/** The functions of crypt(3) other than bcrypt: Drepper's sha-crypt, and Kamp's md5-crypt before it. */

import { hash } from 'node:crypto';
import type { ParsedCrypt } from '../kinds/crypt.ts';
import { encodeGroups, isSameText, type Group } from './parts/crypt-encoding.ts';
import { cryptRounds } from './parts/digest-rounds.ts';

/** libxcrypt refuses longer ones; each round digests the password again, so a long one multiplies the rounds. */
const passwordBytesLimit = 511;

interface Variant {
  readonly digest: 'sha512' | 'sha256';
  readonly groups: readonly Group[];
}

/** Drepper's order of the bytes: thirds of the digest in parallel, rotated with each group; the rest at the end. */
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
 * Whether `password` has this hash: Drepper, "Unix crypt using SHA-256 and SHA-512", 2016; the numbers are its steps. Blocks for
 * all rounds; the comparison takes constant time. Passwords of 512 bytes and more have no hash.
 */
export function verifyShaCrypt(
  parsed: ParsedCrypt<'sha512_crypt' | 'sha256_crypt'>,
  password: Buffer,
): boolean {
  return password.length <= passwordBytesLimit && isSameText(shaCryptOf(parsed, password), parsed.encoded);
}

/** The encoded digest of `password` with the rounds and the salt of a hash. */
export function shaCryptOf(
  { kind, rounds, salt }: ParsedCrypt<'sha512_crypt' | 'sha256_crypt'>,
  password: Buffer,
): string {
  const variant = variants[kind];
  return encodeGroups(digestOf(variant, password, Buffer.from(salt), rounds), variant.groups);
}

function digestOf({ digest }: Variant, password: Buffer, salt: Buffer, rounds: number): Buffer {
  const digested = (...parts: readonly Buffer[]) => hash(digest, Buffer.concat(parts), 'buffer');
  const repeated = (source: Buffer, length: number) => Buffer.alloc(length, source);
  // Steps 1 to 12
  const inner = digested(password, salt, password);
  const bits = bitsOf(password.length).map((bit) => (bit ? inner : password));
  const start = digested(password, salt, repeated(inner, password.length), ...bits);
  // Steps 13 to 20: both get the length of what they replace
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

const md5Mark = Buffer.from('$1$');
const zero = Buffer.alloc(1);

/** Order of the bytes in md5-crypt. */
const md5Groups: readonly Group[] = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5], [11]];

/** Whether `password` has this hash: Kamp's md5crypt (FreeBSD 2.0, lib/libcrypt/crypt.c). Blocks for 1,000 rounds. */
export function verifyMd5Crypt(parsed: ParsedCrypt<'md5_crypt'>, password: Buffer): boolean {
  return isSameText(md5CryptOf(parsed, password), parsed.encoded);
}

/** As shaCryptOf. */
export function md5CryptOf(parsed: ParsedCrypt<'md5_crypt'>, password: Buffer): string {
  const salt = Buffer.from(parsed.salt);
  const inner = md5(password, salt, password);
  const start = md5(password, md5Mark, salt, Buffer.alloc(password.length, inner), md5Bits(password));
  const digest = cryptRounds('md5', start, { password, salt, rounds: parsed.rounds });
  return encodeGroups(digest, md5Groups);
}

function md5(...parts: readonly Buffer[]): Buffer {
  return hash('md5', Buffer.concat(parts), 'buffer');
}

/** A byte for each bit of the password's length, lowest first: zero for one, the password's first byte for zero. */
function md5Bits(password: Buffer): Buffer {
  const bits: Buffer[] = [];
  for (let left = password.length; left > 0; left >>>= 1) {
    bits.push(left % 2 === 1 ? zero : password.subarray(0, 1));
  }
  return Buffer.concat(bits);
}
