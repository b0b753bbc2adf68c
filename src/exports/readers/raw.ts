/** Records of a file as they stand there, on their way to the thread that parses them. */
export interface RawRecords {
  /** The records' JSON texts one after the other; a row of a CSV file is an array of its cells. */
  readonly bytes: Uint8Array;
  /** Where each record ends in `bytes`. One without bytes is a blank line. */
  readonly ends: Uint32Array;
  /** Places, from 0, of records over the limit: nothing of them is kept. */
  readonly oversized: readonly number[];
}

export interface RawBatch extends RawRecords {
  /** Bytes of the file that were read so far, compressed ones where it is compressed. For progress only. */
  readonly bytesRead: number;
}

/** Bytes of one record; more than the server takes a line, because an export says more than is imported. */
export const recordBytesLimit = 4 * 1024 * 1024;
/** A batch is cut after the record that reaches one of these: by what the file holds, never by how it was read. */
const batchBytes = 512 * 1024;
const batchRecords = 4096;
const firstBytes = 8 * 1024;

/**
 * Gathers the bytes of records into batches.
 * Invariant: `#bytes[0, #used)` holds the complete records and then what there is of the one under way.
 */
export class BatchBuilder {
  readonly #full: RawRecords[] = [];
  /** Grows to what a batch takes: many builders see a few records only. */
  #bytes = Buffer.allocUnsafe(firstBytes);
  #used = 0;
  #start = 0;
  #ends: number[] = [];
  #oversized: number[] = [];
  #isOver = false;

  /** More of the record under way. */
  add(bytes: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#used - this.#start + bytes.length > recordBytesLimit) {
      this.#isOver = true;
      this.#used = this.#start;
      return;
    }
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** The record under way is complete. */
  end(): void {
    if (this.#isOver) this.#oversized.push(this.#ends.length);
    this.#isOver = false;
    this.#ends.push(this.#used);
    this.#start = this.#used;
    if (this.#used >= batchBytes || this.#ends.length >= batchRecords) this.#cut();
  }

  /** Whether a record has begun that is not complete. */
  get isUnderWay(): boolean {
    return this.#isOver || this.#used > this.#start;
  }

  /** What there is of a record that is not complete; nothing of one that is too long. Valid until more is added. */
  get underWay(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#used);
  }

  /** Forgets the record under way: it is not complete. */
  drop(): void {
    this.#isOver = false;
    this.#used = this.#start;
  }

  /** What is complete; with `isEnd` the last batch too. */
  *take(bytesRead: number, isEnd = false): Generator<RawBatch> {
    if (isEnd && this.#ends.length > 0) this.#cut();
    for (const records of this.#full.splice(0)) yield { ...records, bytesRead };
  }

  #cut(): void {
    this.#full.push({
      // A copy of what is used: sent to a thread, a view would take the whole of its buffer along.
      bytes: new Uint8Array(this.#bytes.subarray(0, this.#used)),
      ends: Uint32Array.from(this.#ends),
      oversized: this.#oversized,
    });
    this.#used = 0;
    this.#start = 0;
    this.#ends = [];
    this.#oversized = [];
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#used + more));
    grown.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = grown;
  }
}
