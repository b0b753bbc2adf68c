import { hash } from 'node:crypto';

/**
 * SHA-256 of the text, made as text, which takes Node 22 a third of the time that `buffer` does (0.33 and 1.12 µs for 43
 * characters).
 */
export function digest(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'binary'), 'binary');
}

/** The first 16 bytes of the text's SHA-256 as 32 hexadecimal digits: enough that no two of billions meet by chance. */
export function halfDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/**
 * Distinguishes stored hashes without repeating it: its half digest. Must equal the SQL function `hash_mark`; a
 * test holds the two together.
 */
export function hashMark(passwordHash: string): string {
  return halfDigest(passwordHash);
}

/** The first 6 bytes of the text's SHA-256 as 12 hexadecimal digits: distinguishes former from present values of one person. */
export function shortDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 12);
}
