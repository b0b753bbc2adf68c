/** The state of a claimed key. */
export type Claim = 'new' | 'same' | 'otherwise spelt' | 'unknown';

/**
 * Seen keys, each with a mark of its spelling and the line that had it first, in 16 bytes a slot: an open hash table of 53-bit
 * digests that doubles when it is three quarters full. By the birthday bound two of 20 million different keys collide with a
 * chance of 2 %.
 *
 * Bound: 2^25 slots, 512 MiB, 25 million keys. Further ones are looked up and not stored.
 */
export class SeenKeys {
  readonly #maxSlots: number;
  #digests: Float64Array;
  #spellings: Uint32Array;
  #lines: Uint32Array;
  #size = 0;

  constructor(maxSlots = 33_554_432, firstSlots = 65_536) {
    this.#maxSlots = maxSlots;
    this.#digests = new Float64Array(firstSlots);
    this.#spellings = new Uint32Array(firstSlots);
    this.#lines = new Uint32Array(firstSlots);
  }

  /** Whether keys had to be left out: then the counts are a lower bound. */
  get isFull(): boolean {
    return this.#size * 4 >= this.#maxSlots * 3;
  }

  /** The line that claimed the key first; undefined for a new key. */
  lineOf(digest: number): number | undefined {
    const slot = slotOf(this.#digests, digest);
    return this.#digests[slot] === digest ? this.#lines[slot] : undefined;
  }

  /** @param digest 1 to 2^53 - 1 @param spelling 32 bits @param line 32 bits */
  claim(digest: number, spelling: number, line = 0): Claim {
    if (this.#size * 4 >= this.#digests.length * 3 && !this.isFull) this.#grow();
    const slot = slotOf(this.#digests, digest);
    if (this.#digests[slot] === digest)
      return this.#spellings[slot] === spelling ? 'same' : 'otherwise spelt';
    if (this.isFull) return 'unknown';
    this.#digests[slot] = digest;
    this.#spellings[slot] = spelling;
    this.#lines[slot] = line;
    this.#size += 1;
    return 'new';
  }

  #grow(): void {
    const digests = new Float64Array(this.#digests.length * 2);
    const spellings = new Uint32Array(digests.length);
    const lines = new Uint32Array(digests.length);
    for (const [at, digest] of this.#digests.entries()) {
      if (digest === 0) continue;
      const slot = slotOf(digests, digest);
      digests[slot] = digest;
      spellings[slot] = this.#spellings[at] ?? 0;
      lines[slot] = this.#lines[at] ?? 0;
    }
    this.#digests = digests;
    this.#spellings = spellings;
    this.#lines = lines;
  }
}

/** The digest's own slot or the first free one after it. There is always one: the table is never full. */
function slotOf(digests: Float64Array, digest: number): number {
  let slot = digest % digests.length;
  while (digests[slot] !== 0 && digests[slot] !== digest) slot = (slot + 1) % digests.length;
  return slot;
}
