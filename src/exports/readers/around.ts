/** Longer texts do not belong to a page: a list describes itself in few bytes, and a realm's settings need not be stored. */
const bytesLimit = 1024 * 1024;

const comma = 0x2c;

/** The content of documents around the elements of their lists. Memory: at most 2 MiB. */
export class Around {
  #bytes = Buffer.alloc(256);
  #length = 0;

  add(byte: number): void {
    if (this.#length > bytesLimit) return;
    if (this.#length === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, this.#bytes]);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** One document has ended, another begins. */
  next(): void {
    this.add(comma);
  }

  /** Empty unless it is JSON, as for a document that ends early, and beyond the limit. */
  asJson(): readonly unknown[] {
    if (this.#length > bytesLimit) return [];
    try {
      return JSON.parse(`[${this.#bytes.toString('utf8', 0, this.#length)}]`) as readonly unknown[];
    } catch {
      return [];
    }
  }
}
