/** The hashes that old systems can verify, for users who go back to one: common to several of them. */

import { createHash } from 'node:crypto';
import type { WrittenHashes } from '../database.ts';
import type { WayBack } from '../provider.ts';

/** PHP's password_get_info reports `bcrypt` for `$2y$` alone, and Laravel refuses anything else. */
export const phpBcrypt = {
  password_hashing_alg: 'BCRYPT',
  bcrypt_prefix: '2y',
  bcrypt_log_rounds: 12,
} as const;

/** A bcrypt hash with each prefix that means the same; any other hash as it is. */
export function bcryptSpellings(hash: string): readonly string[] {
  const [, rest] = /^\$2[aby](\$.*)$/s.exec(hash) ?? [];
  return rest === undefined ? [hash] : ['$2a', '$2b', '$2y'].map((prefix) => prefix + rest);
}

/** The same hash with another prefix, `2y`; undefined for one that is not bcrypt. */
export function asBcrypt(hash: string, prefix: string): string | undefined {
  return /^\$2[aby]\$/.test(hash) ? `$${prefix}$${hash.slice(4)}` : undefined;
}

/** Hashes for users without a password, of systems that fail without a bcrypt hash, with a prefix such as `2y`. */
export function unusableBcrypt(prefix: string): Pick<WrittenHashes, 'unusable' | 'isUnusable'> {
  // A salt of zeros, which no library makes: a digest after it that was not made from a password is that of no known one.
  const saltOfNone = `$${prefix}$12$${'.'.repeat(22)}`;
  return {
    unusable: (seed) =>
      saltOfNone + createHash('sha256').update(seed).digest('base64url').replace(/[-_]/g, '.').slice(0, 31),
    isUnusable: (hash) => hash === '' || hash.startsWith(saltOfNone),
  };
}

/** Of systems in which a user without a password has none. */
export const noPassword: Pick<WrittenHashes, 'unusable' | 'isUnusable'> = {
  unusable: () => '',
  isUnusable: (hash) => hash === '',
};

/** `$2b$`, as Ruby, Python, Java and Go write it, at a cost that each of them accepts. */
export const plainBcrypt = {
  password_hashing_alg: 'BCRYPT',
  bcrypt_prefix: '2b',
  bcrypt_log_rounds: 12,
} as const;

/** Argon2id as the core makes it by default. */
export const argon2id = { password_hashing_alg: 'ARGON2' } as const;

/** A hosted service accepts hashes when it creates users, not for existing ones. */
export function importedBy(what: string, settings: WayBack['settings']): WayBack {
  return { reads: `${what}, when it creates a user: not for users that it still has`, settings };
}
