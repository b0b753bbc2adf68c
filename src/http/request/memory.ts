import { setImmediate as turn } from 'node:timers/promises';

/** A part of one receive buffer of the library. Small, because each sender that waits for its turn keeps one. */
const blockBytes = 128 * 2 ** 10;
/** The memory that a stream needs while it waits: what its connection holds before it was first read from. */
const shareBytes = 128 * 2 ** 10;
/** Blocks are touched ahead of a long body, at most so many bytes, */
const warmLimitBytes = 64 * 2 ** 20;
/** and so many blocks in one turn of the event loop. */
const blocksATurn = 4;

/**
 * The memory for what was read of bodies and finds no room in their sinks yet, of all streams of a server together.
 *
 * - A block is free, or used by one stream. Together they are `mostBytes` at most, and they are used again: fresh memory
 *   is slow to touch for the first time (14 µs a page were seen on a virtual machine that gives back what it frees), and
 *   what keeps bytes has to be faster than what sends them.
 * - A stream that begins needs a share of it, or the length of its body where that is less; without one it is refused.
 * - Senders are read from while at most a quarter of the blocks is used. The rest is for what arrives after a pause: mostly
 *   as much again, so that half is touched ahead.
 * - Senders that fill the receive buffer of the library take turns: see `mayReadOn`.
 */
export class StreamMemory {
  readonly #limitBytes: number;
  readonly #mostBytes: number;
  readonly #free: Uint8Array[] = [];
  readonly #waiting = new Set<() => void>();
  /** The fast sender that is read from; see `mayReadOn`. */
  #turn: (() => void) | undefined;
  #blocks = 0;
  #sharedBytes = 0;
  #warming: Promise<void> | undefined;
  #isWaking = false;

  /**
   * @param limitBytes of all streams together; at least one block is had
   * @param gulpBytes what one sender may bring after a pause: there is memory for it even where the limit is lower
   */
  constructor(limitBytes: number, gulpBytes = 0) {
    this.#limitBytes = Math.max(limitBytes, blockBytes);
    this.#mostBytes = Math.max(this.#limitBytes, gulpBytes);
  }

  /** Bytes of the blocks in use. */
  get usedBytes(): number {
    return (this.#blocks - this.#free.length) * blockBytes;
  }

  /** Whether another sender may be read from. */
  get hasRoom(): boolean {
    return this.usedBytes <= this.#limitBytes / 4;
  }

  /**
   * A stream begins.
   * @param bodyBytes undefined when its length is not known
   * @returns gives the share back, to be called once; undefined when as many stream as there are shares
   */
  enter(bodyBytes = Infinity): (() => void) | undefined {
    const bytes = Math.min(bodyBytes, shareBytes);
    if (this.#sharedBytes > 0 && this.#sharedBytes + bytes > this.#mostBytes) return undefined;
    this.#sharedBytes += bytes;
    return () => {
      this.#sharedBytes -= bytes;
    };
  }

  /** @returns an empty block, not zeroed; undefined when all are used */
  take(): Uint8Array | undefined {
    const block = this.#free.pop();
    if (block !== undefined || (this.#blocks + 1) * blockBytes > this.#mostBytes) return block;
    this.#blocks++;
    return newBlock();
  }

  giveBack(block: Uint8Array): void {
    this.#free.push(block);
    this.#wakeNext();
  }

  /** Calls `read` once when there is room, in the order of asking; perhaps at once. */
  whenRoom(read: () => void): void {
    this.#waiting.add(read);
    this.#wakeNext();
  }

  /** Takes back what was asked by `whenRoom`, and ends the turn. */
  forget(read: () => void): void {
    this.#waiting.delete(read);
    this.#endTurn(read);
  }

  /**
   * Asked by a sender that is read from and has just filled the receive buffer: the library reads on then, also after a pause,
   * so that a whole receive buffer of the system may follow. One sender at a time may do so. With others waiting, each gets
   * the next turn after one such buffer.
   * @param read as given to `whenRoom`
   * @returns false when it has to pause, and to ask `whenRoom` for its next turn
   */
  mayReadOn(read: () => void): boolean {
    if ((this.#turn !== undefined && this.#turn !== read) || this.#waiting.size > 0) {
      this.#endTurn(read);
      return false;
    }
    this.#turn = read;
    return true;
  }

  #endTurn(read: () => void): void {
    if (this.#turn === read) this.#turn = undefined;
  }

  /** Touches blocks, once, one in each turn of the event loop. */
  warmUp(): Promise<void> {
    return (this.#warming ??= this.#touchBlocks());
  }

  async #touchBlocks(): Promise<void> {
    const warmBytes = Math.min(this.#mostBytes / 2, warmLimitBytes);
    while ((this.#blocks + 1) * blockBytes <= warmBytes) {
      this.#blocks++;
      this.#free.push(newBlock().fill(0));
      if (this.#blocks % blocksATurn === 0) await turn();
    }
  }

  /** One at a time: what a sender brings is known two turns after it is read from. */
  #wakeNext(): void {
    if (this.#isWaking || this.#waiting.size === 0 || !this.hasRoom) return;
    this.#isWaking = true;
    const [read] = this.#waiting;
    if (read !== undefined) {
      this.#waiting.delete(read);
      this.#turn = read;
      read();
    }
    setImmediate(() => {
      setImmediate(() => {
        this.#isWaking = false;
        this.#wakeNext();
      });
    });
  }
}

/** No Buffer, whose `slice` is no copy. */
function newBlock(): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(blockBytes).buffer);
}

/** The memory of bodies that are too large for the event loop, from before they are read until they are answered. */
export class BodyMemory {
  readonly #limitBytes: number;
  #takenBytes = 0;

  /** @param limitBytes of all bodies together; one that is alone is let in whatever its size */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** @returns gives it back, to be called once; undefined when there is no room now */
  take(bytes: number): (() => void) | undefined {
    if (this.#takenBytes > 0 && this.#takenBytes + bytes > this.#limitBytes) return undefined;
    this.#takenBytes += bytes;
    return () => {
      this.#takenBytes -= bytes;
    };
  }
}
