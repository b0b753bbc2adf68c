import { setImmediate as turn } from 'node:timers/promises';

/** One receive buffer of the library: what it brings when it is fast. */
const blockBytes = 512 * 2 ** 10;
/** 64 MiB, for all streams together: twice what comes after a pause at most where the system keeps 32 MiB a connection. */
const sparesLimit = 128;

/**
 * Memory that was written to before. Fresh memory is slow to touch for the first time (14 µs a page were seen on a virtual
 * machine that gives back what it frees), and whoever keeps bytes has to be faster than who sends them.
 */
const spares: Uint8Array[] = [];
let warming: Promise<void> | undefined;

/** Makes the spares, once, a block in each turn of the event loop. */
export function warmUp(): Promise<void> {
  return (warming ??= makeSpares());
}

async function makeSpares(): Promise<void> {
  for (let n = 0; n < sparesLimit; n++) {
    spares.push(newBlock().fill(0));
    await turn();
  }
}

/** Not zeroed, and no Buffer: whose `slice` is no copy. */
function newBlock(): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(blockBytes).buffer);
}

function giveBack(memory: Uint8Array): void {
  if (spares.length < sparesLimit) spares.push(memory);
}

interface Block {
  readonly memory: Uint8Array;
  used: number;
}

/** Bytes in order, on their way from a fast sender to a slow sink. */
export class KeptBytes {
  #blocks: Block[] = [];
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
    giveBack(block.memory);
    return result;
  }

  /** Keeps nothing more. */
  clear(): void {
    for (const { memory } of this.#blocks) giveBack(memory);
    this.#blocks = [];
    this.#length = 0;
  }

  #blockWithRoom(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.used < blockBytes) return last;
    const block = { memory: spares.pop() ?? newBlock(), used: 0 };
    this.#blocks.push(block);
    return block;
  }
}
