import { bytesOfFilter, mayHoldDigest, putDigest } from '../parse/block-filter.ts';

/** Whether one of many keys may be known already, by their digests. */
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
    const words = this.#made();
    for (const digest of digests) putDigest(words, digest);
  }

  /** @returns false when none of the keys is known */
  mayHold(digests: Float64Array): boolean {
    if (this.#isUnknown) return true;
    const words = this.#words;
    if (words === undefined) return false;
    for (const digest of digests) if (mayHoldDigest(words, digest)) return true;
    return false;
  }

  /** Adds keys, each of them in the one look that asks for it. @returns false when none of them was known */
  addAnew(digests: Float64Array): boolean {
    const words = this.#made();
    let isAnyKnown = this.#isUnknown;
    for (const digest of digests) if (!putDigest(words, digest)) isAnyKnown = true;
    return isAnyKnown;
  }

  #made(): Int32Array {
    return (this.#words ??= new Int32Array(bytesOfFilter / Int32Array.BYTES_PER_ELEMENT));
  }
}
