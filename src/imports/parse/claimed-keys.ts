import { digestOf, groupOf, type RecordKey } from '../record/keys.ts';

const slotsAtFirst = 2 ** 14;
/** Minimum slots for each key: a search then rarely visits more than two. */
const slotsPerKey = 2;

/**
 * The keys that the valid records of a chunk have claimed so far: a hash table with open addressing (Knuth, TAOCP 3, 6.4,
 * Algorithm L). A Set of their texts would hash each text once more; here the digest that is needed anyway does it, and texts are
 * compared only if digests are equal.
 */
export class ClaimedKeys {
  /** In the order of the claims. */
  readonly #texts: string[] = [];
  readonly #groups: number[] = [];
  readonly #digests: number[] = [];
  /** Indexes of keys by the last bits of their digests, from 1; 0 is a free slot. */
  #slots = new Uint32Array(slotsAtFirst);

  /** @returns whether the key is new: false when it was claimed before */
  claim(key: RecordKey): boolean {
    const { text } = key;
    const group = groupOf(key);
    const digest = digestOf(key);
    const slot = this.#find(text, group, digest);
    if (this.#slots[slot] !== 0) return false;
    this.#slots[slot] = this.#texts.push(text);
    this.#groups.push(group);
    this.#digests.push(digest);
    if (this.#texts.length * slotsPerKey > this.#slots.length) this.#enlarge();
    return true;
  }

  /** The digests of all keys, ascending. */
  digests(): Float64Array {
    return Float64Array.from(this.#digests).sort();
  }

  /** @returns the slot of the key, or the free one where it belongs */
  #find(text: string, group: number, digest: number): number {
    const last = this.#slots.length - 1;
    for (let slot = digest & last; ; slot = (slot + 1) & last) {
      const place = this.#slots[slot] ?? 0;
      if (place === 0 || this.#isAt(place - 1, text, group, digest)) return slot;
    }
  }

  #isAt(place: number, text: string, group: number, digest: number): boolean {
    return this.#digests[place] === digest && this.#groups[place] === group && this.#texts[place] === text;
  }

  #enlarge(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (const [n, text] of this.#texts.entries())
      this.#slots[this.#find(text, this.#groups[n] ?? 0, this.#digests[n] ?? 0)] = n + 1;
  }
}
