import type { HashPolicy } from '../model.ts';
import { bcryptBytes } from './cost.ts';

/** Bytes that one hash by `policy` allocates. */
export function policyBytes(policy: HashPolicy): number {
  return policy.algorithm === 'ARGON2' ? policy.memoryKb * 1024 : bcryptBytes;
}
