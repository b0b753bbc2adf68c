import { bytesOfFilter, mayHoldDigest, putDigest } from '../parse/block-filter.ts';

/** With 128 bits for each digest, about one of many millions is reported as known by mistake. */
const bytesOfDigest = 16;
/**
 * Each of a filter's first digests touches another page of it: 4,000 touch all of 16 MiB. So an upload, of which 64 may run at
 * once, begins with a small filter, and a full filter is followed by the next size. The last one accepts all others.
 */
const sizes = [2 ** 16, 2 ** 20] as const;

interface Filter {
  readonly words: Int32Array;
  /** The number of digests that it still accepts. */
  room: number;
}

/** A set of keys by their digests, which may report keys that it does not contain, but never misses one. */
export class ClaimFilter {
  readonly #filters: Filter[] = [];
  readonly #isUnknown: boolean;

  /** @param isUnknown the job was begun before, so that any key may be in it */
  constructor({ isUnknown }: { readonly isUnknown: boolean }) {
    this.#isUnknown = isUnknown;
  }

  /** Memory of its filters, bytes. */
  get bytes(): number {
    return this.#filters.reduce((sum, { words }) => sum + words.byteLength, 0);
  }

  /** @param digests of at least 51 uniformly distributed bits: `digestOf` keys */
  add(digests: Float64Array | readonly number[]): void {
    if (this.#isUnknown) return;
    for (const digest of digests) this.#put(digest);
  }

  /** @returns false when none of the keys is known */
  mayHold(digests: Float64Array): boolean {
    if (this.#isUnknown) return true;
    if (this.#filters.length === 0) return false;
    for (const digest of digests) if (this.#has(digest)) return true;
    return false;
  }

  #has(digest: number): boolean {
    for (const { words } of this.#filters) if (mayHoldDigest(words, digest)) return true;
    return false;
  }

  #put(digest: number): void {
    if (this.#has(digest)) return;
    const filter = this.#open();
    filter.room--;
    putDigest(filter.words, digest);
  }

  /** The filter that receives the next digest. */
  #open(): Filter {
    const last = this.#filters.at(-1);
    if (last !== undefined && last.room > 0) return last;
    const size = sizes[this.#filters.length];
    const filter = {
      words: new Int32Array((size ?? bytesOfFilter) / Int32Array.BYTES_PER_ELEMENT),
      room: size === undefined ? Infinity : size / bytesOfDigest,
    };
    this.#filters.push(filter);
    return filter;
  }
}
