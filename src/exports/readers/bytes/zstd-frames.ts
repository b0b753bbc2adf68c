/** Whether zstd is complete: Node decompresses a truncated file without an error. RFC 8878, section 3.1. */

import { Transform } from 'node:stream';
import { ExportFault } from '../../providers/provider.ts';

const dictionaryBytes = [0, 1, 2, 4] as const;
const sizeBytes = [0, 2, 4, 8] as const;

/** Walks over frames: yields the number of bytes it wants to see, or, negative, to skip; 0 between two. */
function* frames(): Generator<number, never, Buffer> {
  for (;;) {
    yield 0;
    const magic = (yield 4).readUInt32LE();
    if (magic >>> 4 === 0x184d2a5) yield* passed((yield 4).readUInt32LE());
    else yield* frame();
  }
}

/** Requests nothing for no bytes. */
function* passed(bytes: number): Generator<number, void, Buffer> {
  if (bytes > 0) yield -bytes;
}

function* frame(): Generator<number, void, Buffer> {
  const descriptor = (yield 1).readUInt8();
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const size = sizeFlag === 0 && isSingle ? 1 : (sizeBytes[sizeFlag] ?? 0);
  yield* passed((isSingle ? 0 : 1) + (dictionaryBytes[descriptor & 3] ?? 0) + size);
  for (let isLast = false; !isLast;) {
    const head = (yield 3).readUIntLE(0, 3);
    isLast = (head & 1) === 1;
    const isRepeated = ((head >> 1) & 3) === 1;
    yield* passed(isRepeated ? 1 : head >> 3);
  }
  if ((descriptor & 4) !== 0) yield -4;
}

/** A position in the frames. Invariant: `#wanted` is never 0, except where the text may end. */
class Walk {
  readonly #walk = frames();
  #wanted = this.#walk.next().value;
  #held = Buffer.alloc(0);

  /** Whether every frame so far is complete. */
  get isBetween(): boolean {
    return this.#wanted === 0;
  }

  follow(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#wanted === 0) this.#wanted = this.#walk.next(this.#held).value;
      at += this.#wanted < 0 ? this.#pass(chunk.length - at) : this.#see(chunk.subarray(at));
    }
  }

  #pass(bytes: number): number {
    const passed = Math.min(-this.#wanted, bytes);
    this.#wanted += passed;
    if (this.#wanted === 0) this.#next(this.#held);
    return passed;
  }

  #see(bytes: Buffer): number {
    const taken = bytes.subarray(0, this.#wanted - this.#held.length);
    this.#held = Buffer.concat([this.#held, taken]);
    if (this.#held.length < this.#wanted) return taken.length;
    const seen = this.#held;
    this.#held = Buffer.alloc(0);
    this.#next(seen);
    return taken.length;
  }

  #next(seen: Buffer): void {
    this.#wanted = this.#walk.next(seen).value;
  }
}

/** Passes zstd on, and fails at the end if a frame is incomplete. */
export function wholeFrames(): Transform {
  const walk = new Walk();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      walk.follow(chunk);
      done(undefined, chunk);
    },
    flush(done) {
      done(walk.isBetween ? undefined : new ExportFault('is zstd and ends early: fetch it again'));
    },
  });
}
