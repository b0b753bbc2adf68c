import { hash } from 'node:crypto';

/** As text, which takes Node 22 a third of the time of `buffer` (0.33 and 1.12 µs for 43 characters). */
export function digest(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'binary'), 'binary');
}

/** The first 16 bytes of the SHA-256 as 32 hexadecimal digits: no collision among billions is likely. */
export function halfDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** Distinguishes stored hashes without revealing them. Must equal the SQL function `hash_mark`, which a test checks. */
export function hashMark(passwordHash: string): string {
  return halfDigest(passwordHash);
}

/** The first 6 bytes of the SHA-256 as 12 hexadecimal digits: distinguishes old from new values of one user. */
export function shortDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 12);
}
