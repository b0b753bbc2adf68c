import type { HashLimits } from '../../src/domain/model.ts';

/** The ceilings that the core has without configuration. */
export const defaultLimits: HashLimits = {
  bcryptMaxCost: 15,
  argon2MaxMemoryKb: 1_048_576,
  argon2MaxIterations: 10,
  argon2MaxParallelism: 16,
  scryptMaxMemoryMb: 256,
  scryptMaxParallelism: 16,
  pbkdf2MaxIterations: 10_000_000,
  cryptMaxRounds: 1_000_000,
  phpassMaxLogRounds: 20,
  digestMaxIterations: 10_000,
};
