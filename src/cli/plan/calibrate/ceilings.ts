import type { HashLimits } from '../../../domain/model.ts';
import { parseStoredHash } from '../../../hashes/recognise.ts';
import { widestLimits } from '../../../config/tenant-settings.ts';

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
