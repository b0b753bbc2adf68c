/**
 * A split block Bloom filter (Putze, Sanders and Singler 2007; the form of Apache Parquet): whether one of many digests may be
 * known, with one cache line for each. With a million known digests, about one of millions is reported as known by mistake; with
 * ten million, one of some hundreds.
 */

const wordsOfBlock = 8;
/** The size for millions of digests: 2 ** 19 blocks, of which only pages that hold a digest take memory. */
export const bytesOfFilter = 2 ** 24;
/** Odd numbers that make eight hashes of one: those of Parquet's filter. */
const salts = new Int32Array([
  0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
]);

/**
 * @param words initially zeros; a power of two of them, `bytesOfFilter` at most
 * @param digest at least 51 uniformly distributed bits
 * @returns whether it is new
 */
export function putDigest(words: Int32Array, digest: number): boolean {
  const block = blockOf(words, digest);
  let isNew = false;
  for (let n = 0; n < wordsOfBlock; n++) {
    const word = words[block + n] ?? 0;
    const bit = bitOf(digest, n);
    if ((word & bit) !== 0) continue;
    isNew = true;
    words[block + n] = word | bit;
  }
  return isNew;
}

/** @returns false when the digest was never put */
export function mayHoldDigest(words: Int32Array, digest: number): boolean {
  const block = blockOf(words, digest);
  for (let n = 0; n < wordsOfBlock; n++) if (((words[block + n] ?? 0) & bitOf(digest, n)) === 0) return false;
  return true;
}

/** By the bits above the lowest 32. */
function blockOf({ length }: Int32Array, digest: number): number {
  return (Math.floor(digest / 2 ** 32) & (length / wordsOfBlock - 1)) * wordsOfBlock;
}

/** By the lowest 32. */
function bitOf(digest: number, place: number): number {
  return 1 << (Math.imul(digest | 0, salts[place] ?? 0) >>> 27);
}
