import { lineBytesLimit } from '../../domain/line-limit.ts';

/** Complete lines of an upload; only the very last line may lack its newline. */
export interface Chunk {
  /** Whole lines; empty for a line that is too long. No other code holds or changes this memory. */
  readonly bytes: Uint8Array;
  /** The chunk's start, in bytes of the upload. */
  readonly from: number;
  /** The chunk's end, in bytes of the upload. */
  readonly to: number;
  /** One line over the limit, which was not stored. */
  readonly isOverlong: boolean;
}

export interface CutterOptions {
  /** The size that a chunk should not exceed. */
  readonly chunkBytes: number;
  /** Where in the upload the bytes begin: the start of a line. */
  readonly offset: number;
}

const newline = 10;
const carriageReturn = 13;
/** The longest line end, which does not count as part of the line. */
const lineEndBytes = 2;

/**
 * Cuts an upload into chunks of complete lines. The cuts depend on the bytes alone, not on how they arrive: a chunk is the most
 * lines that fit into `chunkBytes`, or one line that does not fit.
 *
 * - `filling`: at most `chunkBytes` are held; they have not been searched. A full buffer is cut after its last newline and the
 *   rest moves to a new buffer; without a newline it becomes `growing`.
 * - `growing`: one line, longer than `chunkBytes`, is held. Its newline makes it a chunk and returns to `filling`. Over the limit
 *   it becomes `skipping`.
 * - `skipping`: a line over the limit is counted and not held. Its newline makes it an overlong chunk and returns to `filling`.
 *
 * Each byte is copied in once, and again only when it is after the last newline of a full buffer, or in a line that outgrows its
 * buffer, whose size doubles.
 */
export class LineCutter {
  #mode: 'filling' | 'growing' | 'skipping' = 'filling';
  readonly #chunkBytes: number;
  /** Where in the upload the chunk begins that is being collected. */
  #from: number;
  #buffer: Buffer | undefined;
  /** Bytes since `#from`: held, or in `skipping` only counted. */
  #length = 0;

  constructor({ chunkBytes, offset }: CutterOptions) {
    this.#chunkBytes = chunkBytes;
    this.#from = offset;
  }

  /** Bytes that were written and belong to no chunk yet. */
  get rest(): number {
    return this.#length;
  }

  /**
   * Accepts the next bytes of the upload.
   * @param bytes valid during the call only
   * @returns the chunks that they complete
   */
  write(bytes: Uint8Array): readonly Chunk[] {
    const chunks: Chunk[] = [];
    for (let read = 0; read < bytes.length;) read += this.#take(bytes.subarray(read), chunks);
    return chunks;
  }

  /**
   * Accepts the end of the bytes.
   * @param isEndOfUpload whether a last line without a newline is a whole one
   * @returns one chunk of the remaining complete lines, if any; `rest` is what was not consumed
   */
  finish(isEndOfUpload: boolean): readonly Chunk[] {
    const last = this.#length === 0 ? undefined : this.#last(isEndOfUpload);
    return last ? [last] : [];
  }

  #last(isEndOfUpload: boolean): Chunk | undefined {
    if (!isEndOfUpload) return this.#mode === 'filling' ? this.#cutBehindLastNewline() : undefined;
    return this.#mode === 'skipping' ? this.#cutOverlong() : this.#cut(this.#length);
  }

  /** @returns the number of bytes consumed: 0 when only the mode changed */
  #take(input: Uint8Array, chunks: Chunk[]): number {
    switch (this.#mode) {
      case 'filling':
        return this.#fill(input, chunks);
      case 'growing':
        return this.#grow(input, chunks);
      case 'skipping':
        return this.#skip(input, chunks);
    }
  }

  #fill(input: Uint8Array, chunks: Chunk[]): number {
    const taken = input.subarray(0, this.#chunkBytes - this.#length);
    this.#append(taken, this.#chunkBytes);
    if (this.#length < this.#chunkBytes) return taken.length;
    const chunk = this.#cutBehindLastNewline();
    if (chunk) chunks.push(chunk);
    else this.#mode = 'growing';
    return taken.length;
  }

  #grow(input: Uint8Array, chunks: Chunk[]): number {
    const held = this.#length;
    const end = input.indexOf(newline) + 1;
    const line = end === 0 ? input : input.subarray(0, end);
    // No line within the limit is longer than this.
    const room = Math.max(lineBytesLimit + lineEndBytes - held, 0);
    this.#append(line.subarray(0, room), Math.min(2 * held, lineBytesLimit + lineEndBytes));
    if (line.length > room || this.#isOverLimit()) {
      // The appended bytes are consumed again, by counting them.
      this.#mode = 'skipping';
      this.#buffer = undefined;
      this.#length = held;
      return 0;
    }
    if (end > 0) chunks.push(this.#cut(this.#length));
    return line.length;
  }

  #skip(input: Uint8Array, chunks: Chunk[]): number {
    const end = input.indexOf(newline) + 1;
    const taken = end === 0 ? input.length : end;
    this.#length += taken;
    if (end > 0) chunks.push(this.#cutOverlong());
    return taken;
  }

  /** @param capacity of the buffer, if a new one has to be allocated and this is enough */
  #append(bytes: Uint8Array, capacity: number): void {
    const length = this.#length + bytes.length;
    if (this.#buffer === undefined || this.#buffer.length < length) {
      // Separate memory, not a slice of Buffer's pool, because it is transferred.
      const larger = Buffer.allocUnsafeSlow(Math.max(capacity, length));
      this.#buffer?.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  /** Looks at the one line that is held, perhaps in part: a carriage return at its end may belong to its line end. */
  #isOverLimit(): boolean {
    let end = this.#length;
    if (this.#buffer?.[end - 1] === newline) end--;
    if (this.#buffer?.[end - 1] === carriageReturn) end--;
    return end > lineBytesLimit;
  }

  #cutBehindLastNewline(): Chunk | undefined {
    const end = (this.#buffer?.subarray(0, this.#length).lastIndexOf(newline) ?? -1) + 1;
    return end === 0 ? undefined : this.#cut(end);
  }

  #cut(end: number): Chunk {
    const buffer = this.#buffer ?? Buffer.alloc(0);
    const remainder = buffer.subarray(end, this.#length);
    const chunk = {
      bytes: buffer.subarray(0, end),
      from: this.#from,
      to: this.#from + end,
      isOverlong: false,
    };
    this.#startAt(chunk.to);
    if (remainder.length > 0) this.#append(remainder, this.#chunkBytes);
    return chunk;
  }

  #cutOverlong(): Chunk {
    const to = this.#from + this.#length;
    const chunk = { bytes: Buffer.alloc(0), from: this.#from, to, isOverlong: true };
    this.#startAt(to);
    return chunk;
  }

  #startAt(from: number): void {
    this.#mode = 'filling';
    this.#from = from;
    this.#buffer = undefined;
    this.#length = 0;
  }
}
