import { hash } from 'node:crypto';

/**
 * Tells one stored hash from another without repeating it: the first 16 bytes of its SHA-256, hexadecimal. Must equal the
 * SQL function `hash_mark`; a test holds the two together.
 */
export function hashMark(passwordHash: string): string {
  return hash('sha256', passwordHash, 'hex').slice(0, 32);
}
