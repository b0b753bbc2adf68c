/** One receive buffer of the library: what it brings when it is fast. */
const blockBytes = 512 * 2 ** 10;
/** 32 MiB: more than usually comes after a pause. */
const sparesLimit = 64;

interface Block {
  readonly memory: Uint8Array;
  used: number;
}

/**
 * Bytes in order, on their way from a fast sender to a slow sink. Memory is used again: fresh memory costs more to touch for
 * the first time than to copy to, and whoever keeps bytes has to be faster than who sends them.
 */
export class KeptBytes {
  readonly #blocks: Block[] = [];
  readonly #spares: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Copies them. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const block = this.#blockWithRoom();
      const part = bytes.subarray(at, at + blockBytes - block.used);
      block.memory.set(part, block.used);
      block.used += part.length;
      at += part.length;
    }
    this.#length += bytes.length;
  }

  /** Gives the oldest to `use`, a block at the most, and keeps them no longer. Valid during the call only. */
  shift<Result>(use: (bytes: Uint8Array) => Result): Result {
    const block = this.#blocks.shift();
    if (block === undefined) return use(new Uint8Array());
    this.#length -= block.used;
    const result = use(block.memory.subarray(0, block.used));
    if (this.#spares.length < sparesLimit) this.#spares.push(block.memory);
    return result;
  }

  /** Keeps nothing more, and no memory. */
  clear(): void {
    this.#blocks.length = 0;
    this.#spares.length = 0;
    this.#length = 0;
  }

  #blockWithRoom(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.used < blockBytes) return last;
    const block = { memory: this.#spares.pop() ?? unzeroed(), used: 0 };
    this.#blocks.push(block);
    return block;
  }
}

/** No Buffer: whose `slice` is no copy. */
function unzeroed(): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(blockBytes).buffer);
}
