/** 16 MiB, of which only pages that hold a key take memory. */
const bits = 2 ** 27;
const probes = 8;

/**
 * Whether a job may have claims of a chunk's keys, by their digests: a Bloom filter (Bloom 1970), its probes made of two hashes
 * (Kirsch and Mitzenmacher 2006). With a million claimed keys one chunk of a million asks for nothing; with ten million
 * most do.
 */
export class ClaimFilter {
  #words: Uint32Array | undefined;
  readonly #isUnknown: boolean;

  /** @param isUnknown there may be any: the job was begun before */
  constructor({ isUnknown }: { readonly isUnknown: boolean }) {
    this.#isUnknown = isUnknown;
  }

  /** @param digests `digestOf` keys */
  add(digests: readonly number[]): void {
    if (this.#isUnknown || digests.length === 0) return;
    this.#words ??= new Uint32Array(bits / 32);
    const words = this.#words;
    for (const digest of digests) {
      for (let probe = 0; probe < probes; probe++) {
        const bit = bitOf(digest, probe);
        words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
      }
    }
  }

  /** @returns false when none of the keys is claimed */
  mayHold(digests: Float64Array): boolean {
    if (this.#isUnknown) return true;
    const words = this.#words;
    return words !== undefined && digests.some((digest) => isIn(words, digest));
  }
}

function isIn(words: Uint32Array, digest: number): boolean {
  for (let probe = 0; probe < probes; probe++) {
    const bit = bitOf(digest, probe);
    if (((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

function bitOf(digest: number, probe: number): number {
  const low = digest >>> 0;
  const high = (digest / 2 ** 32) | 1;
  return (low + Math.imul(probe, high)) & (bits - 1);
}
