/** Longer texts are not of a page: what a list says of itself is short, and a realm's settings need not be kept. */
const bytesLimit = 1024 * 1024;

const comma = 0x2c;

/** What documents hold around the elements of their lists. Memory: at most 2 MiB. */
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

  /** Nothing for what is not JSON, as a document that ends early, and beyond the limit. */
  asJson(): readonly unknown[] {
    if (this.#length > bytesLimit) return [];
    try {
      return JSON.parse(`[${this.#bytes.toString('utf8', 0, this.#length)}]`) as readonly unknown[];
    } catch {
      return [];
    }
  }
}
