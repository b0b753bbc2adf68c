import { hash, timingSafeEqual } from 'node:crypto';
import type { DigestName, ParsedDigest } from '../parts/digested.ts';
import { digestAgain } from './parts/digest-rounds.ts';

/** Whether `password` has this hash. The comparison takes constant time. */
export function verifyDigest(parsed: ParsedDigest<DigestName | 'ldap'>, password: Buffer): boolean {
  const { expected } = parsed;
  const computed = digestOf(parsed, password);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}

/** The digest of `password` with the composition and the salt of a hash. */
export function digestOf(
  { digest, pieces, iterations, passwordEncoding }: ParsedDigest<DigestName | 'ldap'>,
  password: Buffer,
): Buffer {
  const encoded = passwordEncoding === 'utf8' ? password : Buffer.from(password.toString('utf8'), 'utf16le');
  const message = Buffer.concat(pieces.map((piece) => (piece === 'password' ? encoded : piece)));
  return digestAgain(digest, hash(digest, message, 'buffer'), iterations - 1);
}
