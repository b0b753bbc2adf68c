/** Backup codes: how people type them, and what is kept of one that a source has in clear. */
import { createHash } from 'node:crypto';

/**
 * As it was typed, without what was printed between its groups, and of that in either case: sources hash a code as they store it,
 * and show it otherwise.
 */
export function spellingsOf(code: string): readonly string[] {
  const typed = code.trim();
  const bare = typed.replaceAll(/[\s-]/g, '');
  return [...new Set([typed, bare, typed.toLowerCase(), bare.toLowerCase(), bare.toUpperCase()])];
}

/** In the form of hashes. Codes are random and sealed where they are kept: there is nothing that a dear hash would add. */
export function backupDigest(code: string): string {
  return `$sha256$${createHash('sha256').update(code).digest('base64')}`;
}

/** Of a code in clear: a user may type it without its groups, and in any letter case. */
export function plainDigest(code: string): string {
  return backupDigest(code.replaceAll(/[\s-]/g, '').toLowerCase());
}
