/** Unparsed records of a file, on their way to the thread that parses them. */
export interface RawRecords {
  /** The records' JSON texts, concatenated; a row of a CSV file is an array of its cells. */
  readonly bytes: Uint8Array;
  /** The end of each record in `bytes`. A record without bytes is a blank line. */
  readonly ends: Uint32Array;
  /** Indexes of records over the limit, which are empty. */
  readonly oversized: readonly number[];
}

export interface RawBatch extends RawRecords {
  /** Bytes of the file that were read so far, compressed or not. For progress only. */
  readonly bytesRead: number;
}

/** Bytes of one record; more than the server accepts in a line, because an export has more data than is imported. */
export const recordBytesLimit = 4 * 1024 * 1024;
/** A batch is cut after the record that reaches one of these: by the content of the file, never by how it was read. */
const batchBytes = 512 * 1024;
const batchRecords = 4096;
const firstBytes = 8 * 1024;

/**
 * Collects the bytes of records into batches. Invariant: `#bytes[0, #used)` holds the complete records and then the beginning of
 * the current one.
 */
export class BatchBuilder {
  readonly #full: RawRecords[] = [];
  /** Grows to the size of a batch: many builders see only a few records. */
  #bytes = Buffer.allocUnsafe(firstBytes);
  #used = 0;
  #start = 0;
  #ends: number[] = [];
  #oversized: number[] = [];
  #isOver = false;

  /** Adds to the current record. */
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

  /** Completes the current record. */
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

  /** The beginning of an incomplete record; empty for one that is too long. Valid until more is added. */
  get underWay(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#used);
  }

  /** Discards the current record, which is incomplete. */
  drop(): void {
    this.#isOver = false;
    this.#used = this.#start;
  }

  /** The complete batches; with `isEnd` the last one too. */
  *take(bytesRead: number, isEnd = false): Generator<RawBatch> {
    if (isEnd && this.#ends.length > 0) this.#cut();
    for (const records of this.#full.splice(0)) yield { ...records, bytesRead };
  }

  #cut(): void {
    this.#full.push({
      // A copy of the used part: sending a view to a thread would send its whole buffer.
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
