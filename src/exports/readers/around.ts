/** Longer texts are not of a page: what a list says of itself is short, and a realm's settings need not be kept. */
const bytesLimit = 1024 * 1024;

/** What a document holds around the elements of an array. Memory: at most 2 MiB. */
export class Around {
  #bytes = Buffer.alloc(256);
  #length = 0;

  add(byte: number): void {
    if (this.#length > bytesLimit) return;
    if (this.#length === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, this.#bytes]);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** undefined for what is not JSON, as a document that ends early, and beyond the limit. */
  asJson(): unknown {
    if (this.#length > bytesLimit) return undefined;
    try {
      return JSON.parse(this.#bytes.toString('utf8', 0, this.#length)) as unknown;
    } catch {
      return undefined;
    }
  }
}
