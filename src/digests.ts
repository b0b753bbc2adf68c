import { hash } from 'node:crypto';

/** The first 16 bytes of the text's SHA-256 as 32 hexadecimal digits: enough that no two of billions meet by chance. */
export function halfDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/**
 * Tells one stored hash from another without repeating it: its half digest. Must equal the SQL function `hash_mark`; a
 * test holds the two together.
 */
export function hashMark(passwordHash: string): string {
  return halfDigest(passwordHash);
}
