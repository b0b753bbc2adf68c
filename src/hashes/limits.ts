/** Bounds of length and cost for a hash string: fixed ones, and the ceilings of the configuration. */

import type { HashLimits } from '../domain/model.ts';
import { hashLimitKeys } from '../config/tenant-settings.ts';
import { fault, type Fault } from './kind.ts';

/* Fixed bounds of memory and parsing, each with its source. Bounds of time have settings. */

/**
 * Characters of a hash string, checked before anything else. Real ones have up to about 250; the longest dialects that contain
 * key and parameters have less than 1,000.
 */
export const hashCharactersLimit = 4096;

/**
 * Largest salt in bytes, decoded. The longest that real systems write are 64 (Keycloak's and Devise's have 16 and 29); scrypt,
 * PBKDF2 and Argon2 digest it once, iterated digests once too: in negligible time.
 */
export const saltBytesLimit = 128;

/** Shortest accepted key in bytes, which is ASP.NET's own floor; with fewer, wrong passwords begin to match by chance. */
export const keyBytesFloor = 16;
/** Longest key in bytes, Argon2's tag included: each further digest of it costs all iterations of PBKDF2 again. */
export const keyBytesLimit = 128;

/** The meaning of a ceiling, for messages, and the basis of its default. */
export interface Ceiling {
  readonly what: string;
  readonly unit: string;
  /** The source of the default. */
  readonly source: string;
  /**
   * The cost of the most expensive hash that the default allows: bytes as the algorithm allocates them, milliseconds on one core
   * with a password of 16 bytes. Measured by `npm run bench -- hashes-ceilings`. Long passwords cost more in sha512-crypt (511
   * bytes, the longest: 1.3 s) and phpass (4,096 bytes: 5.6 s), which digest them in each round.
   */
  readonly bytes: number;
  readonly ms: number;
}

const MIB = 1024 * 1024;

/** The settings that bound the cost of one verification. Each is checked at import and again at each verification. */
export const ceilings: Readonly<Record<keyof HashLimits, Ceiling>> = {
  bcryptMaxCost: {
    what: 'bcrypt cost',
    unit: '',
    source: 'Ory Kratos (hash/hash_limits.go): 15; the highest seen in exports is 14',
    bytes: 4168,
    ms: 1500,
  },
  argon2MaxMemoryKb: {
    what: 'Argon2 memory (m)',
    unit: ' KiB',
    source: 'Ory Kratos and Supabase Auth: 1 GiB; the highest seen is 128 MiB',
    bytes: 1024 * MIB,
    ms: 4300,
  },
  // Time is proportional to m · t. Both at their ceilings give the figure above, so the product needs no separate ceiling.
  argon2MaxIterations: {
    what: 'Argon2 iteration count (t)',
    unit: '',
    source: 'Ory Kratos: 10; the highest seen is 8',
    bytes: 1024 * MIB,
    ms: 4300,
  },
  argon2MaxParallelism: {
    what: 'Argon2 parallelism (p)',
    unit: '',
    source:
      'Ory Kratos and Supabase Auth: 16. Lanes share the cores that there are, so time only falls with it',
    bytes: 1024 * MIB,
    ms: 4300,
  },
  scryptMaxMemoryMb: {
    what: 'scrypt memory (128 * N * r * p)',
    unit: ' MiB',
    source: 'Stytch: N = 2^18 with r = 8; the highest seen is 32 MiB. With p in it, it bounds time too',
    bytes: 256 * MIB,
    ms: 700,
  },
  scryptMaxParallelism: {
    what: 'scrypt parallelism (p)',
    unit: '',
    source: "Ory Kratos: 10; RFC 7914's own test has 16",
    bytes: 16 * MIB,
    ms: 440,
  },
  pbkdf2MaxIterations: {
    what: 'PBKDF2 iteration count',
    unit: '',
    source: 'Ory Kratos: 10,000,000; the highest seen is 1,300,000',
    bytes: 4096,
    ms: 6400,
  },
  cryptMaxRounds: {
    what: 'round count',
    unit: '',
    source: "the format allows 999,999,999; passlib's default, the highest seen, is 656,000",
    bytes: 512 * 512 + 8192,
    ms: 500,
  },
  phpassMaxLogRounds: {
    what: 'phpass cost',
    unit: '',
    source: 'the format allows 30; WordPress and phpBB write 13 at most',
    bytes: 8192,
    ms: 350,
  },
  digestMaxIterations: {
    what: 'iteration count',
    unit: '',
    source: "Firebase imports 8,192; Symfony's default was 5,000",
    bytes: 8192,
    ms: 7.8,
  },
};

/** The fault of a hash that is more expensive than `limits` allow: names the ceiling, its value and its setting. */
export function overCeiling(name: keyof HashLimits, limits: HashLimits): Fault {
  const { what, unit } = ceilings[name];
  const setting = hashLimitKeys[name];
  return fault('out-of-range', `its ${what} is over the ceiling of ${limits[name]}${unit} set by ${setting}`);
}
