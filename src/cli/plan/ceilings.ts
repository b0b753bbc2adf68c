import type { HashLimits } from '../../model.ts';
import { parseStoredHash } from '../../password/formats.ts';

/** The largest values that the settings take: under them a hash that a ceiling refuses today is still read. */
export const widestLimits: HashLimits = {
  bcryptMaxCost: 31,
  argon2MaxMemoryKb: 4_194_304,
  argon2MaxIterations: 1000,
  argon2MaxParallelism: 255,
  scryptMaxMemoryMb: 4096,
  scryptMaxParallelism: 255,
  pbkdf2MaxIterations: 2_147_483_647,
  cryptMaxRounds: 999_999_999,
  phpassMaxLogRounds: 30,
  digestMaxIterations: 10_000_000,
};

/**
 * The ceilings that refuse a hash, each with the least value that lets it in. The parsers themselves are asked, so that
 * what a ceiling counts is said in one place.
 * @param hash as it is stored
 */
export function neededCeilings(hash: string, configured: HashLimits): Partial<HashLimits> {
  if (isReadUnder(hash, configured)) return {};
  const needed = (Object.keys(widestLimits) as (keyof HashLimits)[])
    .filter((name) => !isReadUnder(hash, { ...widestLimits, [name]: configured[name] }))
    .map((name) => [name, leastValue(hash, name, configured[name])] as const);
  return Object.fromEntries(needed);
}

function leastValue(hash: string, name: keyof HashLimits, refused: number): number {
  let [low, high] = [refused, widestLimits[name]];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isReadUnder(hash, { ...widestLimits, [name]: middle })) high = middle;
    else low = middle;
  }
  return high;
}

function isReadUnder(hash: string, limits: HashLimits): boolean {
  return parseStoredHash(hash, limits).ok;
}
