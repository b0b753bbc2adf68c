/** better-auth's own verification of passwords. */
import { scryptSync } from 'node:crypto';

const costs = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };

/** As `verifyPassword` of @better-auth/utils 0.5.1, src/password.node.ts, does it: that package is not installed here. */
export function isRightForBetterAuth(hash: string, password: string): boolean {
  const [salt, key] = hash.split(':');
  if (salt === undefined || key === undefined) throw new Error('Invalid password hash');
  return scryptSync(password.normalize('NFKC'), salt, 64, costs).toString('hex') === key;
}
