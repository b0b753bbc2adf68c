import { setImmediate as turn } from 'node:timers/promises';

/** A fraction of the library's receive buffer. Small, because each waiting sender holds one. */
const blockBytes = 128 * 2 ** 10;
/** Memory of a waiting stream: what its connection holds before it was first read from. */
const shareBytes = 128 * 2 ** 10;
/** Blocks are touched ahead of a long body, up to this size, */
const warmLimitBytes = 64 * 2 ** 20;
/** and this number in one turn of the event loop. */
const blocksATurn = 4;

/**
 * Buffers for received bytes whose sinks have no room yet, shared by all streams of a server.
 *
 * - A block is free, or used by one stream. Blocks are reused, `mostBytes` at most: fresh memory is slow on first use (14 µs a
 *   page on a virtual machine that returns freed memory), and buffering must be faster than sending.
 * - A new stream needs a share, or the length of its body if that is less; otherwise it is refused.
 * - Senders are read from while at most a quarter of the blocks is used. The rest is for bytes after a pause: mostly the same
 *   amount again, so half is touched ahead.
 * - Senders that fill the library's receive buffer are read from in turns: see `mayReadOn`.
 */
export class StreamMemory {
  readonly #limitBytes: number;
  readonly #mostBytes: number;
  readonly #free: Uint8Array[] = [];
  readonly #waiting = new Set<() => void>();
  #turn: (() => void) | undefined;
  #blocks = 0;
  #sharedBytes = 0;
  #warming: Promise<void> | undefined;
  #isWaking = false;

  /**
   * @param limitBytes of all streams together; at least one block
   * @param gulpBytes what one sender may send after a pause; available even if it exceeds the limit
   */
  constructor(limitBytes: number, gulpBytes = 0) {
    this.#limitBytes = Math.max(limitBytes, blockBytes);
    this.#mostBytes = Math.max(this.#limitBytes, gulpBytes);
  }

  get usedBytes(): number {
    return (this.#blocks - this.#free.length) * blockBytes;
  }

  get hasRoom(): boolean {
    return this.usedBytes <= this.#limitBytes / 4;
  }

  /**
   * Begins a stream.
   * @param bodyBytes undefined when its length is not known
   * @returns releases the share, to be called once; undefined when no share is free
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

  /** Calls `read` once when there is room, in the order of calls; perhaps at once. */
  whenRoom(read: () => void): void {
    this.#waiting.add(read);
    this.#wakeNext();
  }

  forget(read: () => void): void {
    this.#waiting.delete(read);
    this.#endTurn(read);
  }

  /**
   * For a sender that has just filled the receive buffer: the library reads on, even after a pause, and a whole receive buffer of
   * the system may follow. One sender at a time may do so; if others wait, for one such buffer.
   * @param read as given to `whenRoom`
   * @returns false when it has to pause and call `whenRoom` again
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

  /** Touches blocks once, over several turns of the event loop. */
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

  /** One at a time: a sender's bytes are counted two turns after it is read from. */
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

/** Not a Buffer, whose `slice` does not copy. */
function newBlock(): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(blockBytes).buffer);
}

/** Memory of bodies that threads parse, from before they are read until they are answered. */
export class BodyMemory {
  readonly #limitBytes: number;
  #takenBytes = 0;

  /** @param limitBytes of all bodies together; a single one is always accepted */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** @returns releases it, to be called once; undefined without room */
  take(bytes: number): (() => void) | undefined {
    if (this.#takenBytes > 0 && this.#takenBytes + bytes > this.#limitBytes) return undefined;
    this.#takenBytes += bytes;
    return () => {
      this.#takenBytes -= bytes;
    };
  }
}
