/** 16 MiB, of which only pages that hold a key take memory. */
const blocks = 2 ** 19;
const wordsOfBlock = 8;
/** Odd numbers, by which one hash becomes eight: those of Parquet's filter. */
const salts = new Int32Array([
  0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
]);

/**
 * Whether one of many keys may be known already, by their digests: a split block Bloom filter (Putze, Sanders and Singler
 * 2007; the form of Apache Parquet), which touches one line of the cache a key. With a million known keys one of millions
 * is taken for known by mistake; with ten million one of some hundreds.
 */
export class ClaimFilter {
  #words: Int32Array | undefined;
  readonly #isUnknown: boolean;

  /** @param isUnknown there may be any: the job was begun before */
  constructor({ isUnknown }: { readonly isUnknown: boolean }) {
    this.#isUnknown = isUnknown;
  }

  /** @param digests of 51 bits or more, of which each is as likely as any: `digestOf` keys */
  add(digests: Float64Array | readonly number[]): void {
    if (this.#isUnknown || digests.length === 0) return;
    this.#words ??= new Int32Array(blocks * wordsOfBlock);
    for (const digest of digests) put(this.#words, digest);
  }

  /** @returns false when none of the keys is known */
  mayHold(digests: Float64Array): boolean {
    if (this.#isUnknown) return true;
    const words = this.#words;
    if (words === undefined) return false;
    for (const digest of digests) if (isIn(words, digest)) return true;
    return false;
  }

  /** Adds keys, each of them in the one look that asks for it. @returns false when none of them was known */
  addAnew(digests: Float64Array): boolean {
    this.#words ??= new Int32Array(blocks * wordsOfBlock);
    let isAnyKnown = this.#isUnknown;
    for (const digest of digests) if (!put(this.#words, digest)) isAnyKnown = true;
    return isAnyKnown;
  }
}

/** @returns whether it was not there */
function put(words: Int32Array, digest: number): boolean {
  const block = blockOf(digest);
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

function isIn(words: Int32Array, digest: number): boolean {
  const block = blockOf(digest);
  for (let n = 0; n < wordsOfBlock; n++) if (((words[block + n] ?? 0) & bitOf(digest, n)) === 0) return false;
  return true;
}

/** By the bits above the lowest 32. */
function blockOf(digest: number): number {
  return (Math.floor(digest / 2 ** 32) & (blocks - 1)) * wordsOfBlock;
}

/** By the lowest 32. */
function bitOf(digest: number, place: number): number {
  return 1 << (Math.imul(digest | 0, salts[place] ?? 0) >>> 27);
}
