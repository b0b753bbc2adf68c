import type { HashLimits } from '../model.ts';
import { fault } from './outcome.ts';
import type { Fault } from './outcome.ts';

/**
 * Characters a hash string may have, checked before anything looks at it. Real ones have up to about 250;
 * the longest dialects that carry key and parameters with them stay below 1,000.
 */
export const hashCharactersLimit = 4096;

interface Ceiling {
  readonly what: string;
  readonly unit: string;
  readonly setting: string;
}

const ceilings: Readonly<Record<keyof HashLimits, Ceiling>> = {
  bcryptMaxCost: { what: 'bcrypt cost', unit: '', setting: 'bcrypt_max_cost' },
  argon2MaxMemoryKb: { what: 'Argon2 memory (m)', unit: ' KiB', setting: 'argon2_max_memory_kb' },
  argon2MaxIterations: { what: 'Argon2 iteration count (t)', unit: '', setting: 'argon2_max_iterations' },
  argon2MaxParallelism: { what: 'Argon2 parallelism (p)', unit: '', setting: 'argon2_max_parallelism' },
  scryptMaxMemoryMb: {
    what: 'scrypt memory (128 * N * r * p)',
    unit: ' MiB',
    setting: 'scrypt_max_memory_mb',
  },
  pbkdf2MaxIterations: { what: 'PBKDF2 iteration count', unit: '', setting: 'pbkdf2_max_iterations' },
};

/** The fault of a hash that is dearer than `limits` allow: names the ceiling, its value and its setting. */
export function overCeiling(name: keyof HashLimits, limits: HashLimits): Fault {
  const { what, unit, setting } = ceilings[name];
  return fault('out-of-range', `its ${what} is over the ceiling of ${limits[name]}${unit} set by ${setting}`);
}
