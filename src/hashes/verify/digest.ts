import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { ParsedDigest, ParsedHmac } from '../parsed.ts';
import type { DigestName } from '../template.ts';
import { digestAgain } from './digest-rounds.ts';

/** Whether `password` has this hash. The comparison takes constant time. */
export function verifyDigest(parsed: ParsedDigest<DigestName | 'ldap'>, password: Buffer): boolean {
  const { digest, pieces, iterations, passwordEncoding, expected } = parsed;
  const encoded = passwordEncoding === 'utf8' ? password : Buffer.from(password.toString('utf8'), 'utf16le');
  const message = Buffer.concat(pieces.map((piece) => (piece === 'password' ? encoded : piece)));
  const computed = digestAgain(digest, hash(digest, message, 'buffer'), iterations - 1);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}

/** Whether `password` has this HMAC. The comparison takes constant time. */
export function verifyHmac({ digest, key, expected }: ParsedHmac, password: Buffer): boolean {
  const computed = createHmac(digest, key).update(password).digest();
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}
