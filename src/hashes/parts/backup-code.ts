/** Backup codes: the spellings that people type, and the stored form of one that a source has in clear text. */
import { createHash } from 'node:crypto';

/**
 * The typed code, without separators between its groups, and that in either case: sources hash a code in the form in which they
 * store it, and may display another.
 */
export function spellingsOf(code: string): readonly string[] {
  const typed = code.trim();
  const bare = typed.replaceAll(/[\s-]/g, '');
  return [...new Set([typed, bare, typed.toLowerCase(), bare.toLowerCase(), bare.toUpperCase()])];
}

/** In the form of hashes. Codes are random and stored sealed: an expensive hash would add nothing. */
export function backupDigest(code: string): string {
  return `$sha256$${createHash('sha256').update(code).digest('base64')}`;
}

/** For a code in clear text: a user may type it without its groups, and in any letter case. */
export function plainDigest(code: string): string {
  return backupDigest(code.replaceAll(/[\s-]/g, '').toLowerCase());
}
