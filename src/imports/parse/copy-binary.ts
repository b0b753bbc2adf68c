/** The binary form of COPY (PostgreSQL manual, COPY, "Binary Format"): cells need neither quoting nor parsing. */

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const header = Buffer.concat([signature, Buffer.alloc(8)]);
const nullLength = -1;
const endMark = -1;

/** Rows for one COPY, cell by cell in the order of its columns; `row` begins each. */
export class CopyBytes {
  #bytes: Buffer<ArrayBuffer>;
  #view: DataView;
  #end = 0;

  /** @param expected the estimate of the total bytes; more are possible */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(expected, 1024));
    this.#view = new DataView(this.#bytes.buffer);
    this.#end = header.copy(this.#bytes);
  }

  /** @param columns how many cells follow */
  row(columns: number): void {
    this.#fit(2);
    this.#view.setInt16(this.#end, columns);
    this.#end += 2;
  }

  /** smallint */
  int16(value: number): void {
    this.#begin(2);
    this.#view.setInt16(this.#end, value);
    this.#end += 2;
  }

  /** integer */
  int32(value: number): void {
    this.#begin(4);
    this.#view.setInt32(this.#end, value);
    this.#end += 4;
  }

  /** bigint, of which a number holds 53 bits */
  int64(value: number): void {
    this.#begin(8);
    this.#view.setInt32(this.#end, Math.floor(value / 2 ** 32));
    this.#view.setUint32(this.#end + 4, value);
    this.#end += 8;
  }

  bool(value: boolean): void {
    this.#begin(1);
    this.#view.setUint8(this.#end, Number(value));
    this.#end += 1;
  }

  null(): void {
    this.#fit(4);
    this.#view.setInt32(this.#end, nullLength);
    this.#end += 4;
  }

  /** @param bytes with a uuid at `at` */
  uuid(bytes: DataView, at = 0): void {
    this.#begin(16);
    const [view, end] = [this.#view, this.#end];
    view.setInt32(end, bytes.getInt32(at));
    view.setInt32(end + 4, bytes.getInt32(at + 4));
    view.setInt32(end + 8, bytes.getInt32(at + 8));
    view.setInt32(end + 12, bytes.getInt32(at + 12));
    this.#end += 16;
  }

  /** bytea @param digits hexadecimal, two for each byte */
  hex(digits: string): void {
    this.#begin(digits.length >> 1);
    putHex(digits, this.#bytes, this.#end);
    this.#end += digits.length >> 1;
  }

  /** The text must be without U+0000. Undefined becomes NULL. */
  text(value: string | undefined): void {
    if (value === undefined) {
      this.null();
      return;
    }
    this.#fit(4 + 3 * value.length);
    const length = this.#bytes.write(value, this.#end + 4, 'utf8');
    this.#view.setInt32(this.#end, length);
    this.#end += 4 + length;
  }

  /** All rows, in separate memory that may be transferred. No row may follow. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#fit(2);
    this.#view.setInt16(this.#end, endMark);
    return new Uint8Array(this.#bytes.buffer, 0, this.#end + 2);
  }

  #begin(length: number): void {
    this.#fit(4 + length);
    this.#view.setInt32(this.#end, length);
    this.#end += 4;
  }

  #fit(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#end + more));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** @param text 32 hexadecimal digits, with or without hyphens @param at where the 16 bytes go in `into` */
export function putUuid(text: string, into: Uint8Array, at: number): void {
  let end = at;
  for (let n = 0; n < text.length; n += 2) {
    if (text.charCodeAt(n) === hyphen) n++;
    into[end++] = (digitOf(text.charCodeAt(n)) << 4) | digitOf(text.charCodeAt(n + 1));
  }
}

/** @param digits hexadecimal, two for each byte */
function putHex(digits: string, into: Uint8Array, at: number): void {
  for (let n = 0; n < digits.length; n += 2)
    into[at++] = (digitOf(digits.charCodeAt(n)) << 4) | digitOf(digits.charCodeAt(n + 1));
}

const hyphen = 45;

/** The digits `0` to `9` are 48 to 57; the low four bits of `a` to `f` and `A` to `F` are 1 to 6. */
function digitOf(code: number): number {
  return code < 58 ? code - 48 : (code & 15) + 9;
}
