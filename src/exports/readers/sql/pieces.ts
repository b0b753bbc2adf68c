/**
 * A text that arrives in pieces, of which only the unprocessed part is retained. Invariant: `bytes` begins up to two bytes before
 * `at`, for looking back; `#before` counts those before it.
 */
export class Pieces {
  bytes: Buffer = Buffer.alloc(0);
  /** The index of the next byte in `bytes`. */
  at = 0;
  isEnd = false;
  #before = 0;

  /** The number of processed bytes. */
  get offset(): number {
    return this.#before + this.at;
  }

  push(chunk: Buffer): void {
    const kept = Math.max(0, this.at - 2);
    const rest = this.bytes.subarray(kept);
    this.bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#before += kept;
    this.at -= kept;
  }

  /** The next bytes, as Latin-1. */
  text(length: number): string {
    return this.bytes.toString('latin1', this.at, Math.min(this.at + length, this.bytes.length));
  }

  /** Advances to the position of `mark`, or as far as it cannot begin earlier. @returns whether it was found */
  goTo(mark: string): boolean {
    const found = this.bytes.indexOf(mark, this.at, 'latin1');
    this.at = found < 0 ? Math.max(this.at, this.bytes.length - mark.length + 1) : found;
    return found >= 0;
  }
}
