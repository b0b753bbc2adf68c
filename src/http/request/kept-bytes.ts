import type { StreamMemory } from './memory.ts';

interface Block {
  readonly memory: Uint8Array;
  used: number;
}

/** In blocks of the shared stream memory. */
export class KeptBytes {
  readonly #memory: StreamMemory;
  #blocks: Block[] = [];
  #length = 0;

  constructor(memory: StreamMemory) {
    this.#memory = memory;
  }

  get length(): number {
    return this.#length;
  }

  /** Copies the bytes. @returns false without enough memory: then the rest is lost */
  push(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length;) {
      const block = this.#blockWithRoom();
      if (block === undefined) return false;
      const part = bytes.subarray(at, at + block.memory.length - block.used);
      block.memory.set(part, block.used);
      block.used += part.length;
      this.#length += part.length;
      at += part.length;
    }
    return true;
  }

  /** Passes the oldest bytes, at most a block, to `use`, then drops them. Valid during the call only. */
  shift<Result>(use: (bytes: Uint8Array) => Result): Result {
    const block = this.#blocks.shift();
    if (block === undefined) return use(new Uint8Array());
    this.#length -= block.used;
    try {
      return use(block.memory.subarray(0, block.used));
    } finally {
      this.#memory.giveBack(block.memory);
    }
  }

  clear(): void {
    const blocks = this.#blocks;
    this.#blocks = [];
    this.#length = 0;
    for (const { memory } of blocks) this.#memory.giveBack(memory);
  }

  #blockWithRoom(): Block | undefined {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.used < last.memory.length) return last;
    const memory = this.#memory.take();
    if (memory === undefined) return undefined;
    const block = { memory, used: 0 };
    this.#blocks.push(block);
    return block;
  }
}
