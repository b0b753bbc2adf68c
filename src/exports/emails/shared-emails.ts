/** Emails that two users of one file have, by login methods of two kinds: the core accepts both, as two users. */

import type { Addresses } from '../tasks.ts';
import { SeenKeys } from './seen-keys.ts';

/** A record, and the earlier one with its email. */
export type SharedPair = readonly [record: number, earlier: number];

export interface SharedEmails {
  /** Emails that belong to two users or more. */
  readonly count: number;
  /** The first few. */
  readonly examples: readonly SharedPair[];
}

const shown = 3;
const [passwordKind, passwordlessKind] = [1, 4];

/**
 * Counts them, record by record. Memory: two keys an email, see SeenKeys.
 *
 * Invariant: a record whose email an earlier one has with the same kind of method is a duplicate, which the core rejects: it is
 * not counted.
 */
export class SharedEmailCounter {
  readonly #keys: SeenKeys;
  #count = 0;
  readonly #examples: SharedPair[] = [];

  constructor(keys = new SeenKeys()) {
    this.#keys = keys;
  }

  get found(): SharedEmails {
    return { count: this.#count, examples: this.#examples };
  }

  add({ digests, kinds, records }: Addresses): void {
    for (const [place, digest] of digests.entries()) {
      this.addOne(digest, kinds[place] ?? 0, records[place] ?? 0);
    }
  }

  /** @param kind see AddressList */
  addOne(digest: number, kind: number, record: number): void {
    const own = [passwordKind, passwordlessKind].filter((each) => (kind & each) !== 0);
    const isDuplicate = own.map((each) => this.#isKnown(digest, each, record)).includes(true);
    const earlier = this.#keys.lineOf(marked(digest, 0));
    this.#keys.claim(marked(digest, 0), 0, record);
    if (isDuplicate || earlier === undefined || earlier === record) return;
    if (this.#isKnown(digest, counted, record)) return;
    this.#count += 1;
    if (this.#examples.length < shown) this.#examples.push([record, earlier]);
  }

  #isKnown(digest: number, mark: number, record: number): boolean {
    return this.#keys.claim(marked(digest, mark), 0, record) === 'same';
  }
}

/** Above all kinds. */
const counted = 7;

/** Another key for each mark: digests are spread over 53 bits, so that neighbours are as rare as other collisions. */
function marked(digest: number, mark: number): number {
  return digest > 8 ? digest - mark : digest + mark;
}
