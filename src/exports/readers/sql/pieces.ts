/**
 * A text that comes in pieces, of which only what is not done with is kept.
 * Invariant: `bytes` begins up to two bytes before `at`, for who looks back; `#before` counts those before it.
 */
export class Pieces {
  bytes: Buffer = Buffer.alloc(0);
  /** The place of the next byte in `bytes`. */
  at = 0;
  isEnd = false;
  #before = 0;

  /** Bytes that are done with. */
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

  /** What comes next, as Latin-1. */
  text(length: number): string {
    return this.bytes.toString('latin1', this.at, Math.min(this.at + length, this.bytes.length));
  }

  /** Goes to the place of `mark`, or as far as it cannot begin earlier. @returns whether it was found */
  goTo(mark: string): boolean {
    const found = this.bytes.indexOf(mark, this.at, 'latin1');
    this.at = found < 0 ? Math.max(this.at, this.bytes.length - mark.length + 1) : found;
    return found >= 0;
  }
}
