import { digestOf, groupOf } from './record/keys.ts';
import type { RecordKey } from './record/keys.ts';

/** The keys that the valid records of a chunk have claimed so far. */
export class ClaimedKeys {
  readonly #texts = new Map<number, Set<string>>();
  readonly #digests: number[] = [];

  /** @returns whether the key is new: false when it was claimed before */
  claim(key: RecordKey): boolean {
    const texts = this.#textsOf(groupOf(key));
    const before = texts.size;
    if (texts.add(key.text).size === before) return false;
    this.#digests.push(digestOf(key));
    return true;
  }

  /** Of every key, ascending. */
  digests(): Float64Array {
    return Float64Array.from(this.#digests).sort();
  }

  #textsOf(group: number): Set<string> {
    let texts = this.#texts.get(group);
    if (texts === undefined) this.#texts.set(group, (texts = new Set()));
    return texts;
  }
}
