import { bcryptBytes } from './cost.ts';

/** How passwords that are set here are hashed. */
export type HashPolicy =
  | {
      readonly algorithm: 'ARGON2';
      /** KiB */
      readonly memoryKb: number;
      readonly iterations: number;
      readonly parallelism: number;
    }
  | {
      readonly algorithm: 'BCRYPT';
      /** log2 of the rounds */
      readonly logRounds: number;
    };

/** Bytes that one hash by `policy` allocates. */
export function policyBytes(policy: HashPolicy): number {
  return policy.algorithm === 'ARGON2' ? policy.memoryKb * 1024 : bcryptBytes;
}
