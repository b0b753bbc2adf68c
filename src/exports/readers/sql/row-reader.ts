import { isUtf8 } from 'node:buffer';
import type { SqlDialect } from './sql-dialect.ts';
import {
  textOfBytes,
  textOfHex,
  textOfString,
  unescapedCopy,
  unescapedMysql,
  unescapedString,
} from './texts.ts';

export type Cells = readonly (string | null)[];

const code = {
  tab: 0x09,
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  doubleQuote: 0x22,
  quote: 0x27,
  close: 0x29,
  comma: 0x2c,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  backslash: 0x5c,
  x: 0x78,
} as const;

export const expressionFault =
  'a value is computed by SQL, as now() is, and no SQL is run: make the dump with values only';
export const notUtf8Fault =
  'a value is not UTF-8: give --encoding if the dump is in another encoding, or make it with --hex-blob if the column is binary';

/** The result for a value: `more` if the bytes end in it, `fault` if it is invalid. */
type Found = { readonly cell: string | null } | 'more' | { readonly fault: string };

const nothing = { cell: null } as const;
const more = 'more' as const;
const computed = { fault: expressionFault } as const;

/** Reads the values of one row of INSERT. Invariant: `#at` is the index of the next byte in `#bytes`. */
export class RowReader {
  readonly #bytes: Buffer;
  readonly #dialect: SqlDialect;
  #at: number;

  /** @param at after the parenthesis that opens the row */
  constructor(bytes: Buffer, at: number, dialect: SqlDialect) {
    this.#bytes = bytes;
    this.#at = at;
    this.#dialect = dialect;
  }

  /** After the row when read returned its cells, otherwise where reading stopped. */
  get end(): number {
    return this.#at;
  }

  read(): Cells | 'more' | { readonly fault: string } {
    const cells: (string | null)[] = [];
    for (;;) {
      this.#skipSpace();
      const found = this.#value();
      if (found === more || 'fault' in found) return found;
      cells.push(found.cell);
      if (!this.#skipCast()) return computed;
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return more;
      this.#at += 1;
      if (byte === code.close) return cells;
      if (byte !== code.comma) return computed;
    }
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== code.space && byte !== code.newline && byte !== code.return && byte !== code.tab) return;
      this.#at += 1;
    }
  }

  /** `'…'::jsonb`. @returns whether it ended regularly; the end of the bytes does not end a cast */
  #skipCast(): boolean {
    this.#skipSpace();
    if (this.#bytes[this.#at] !== code.colon) return true;
    const text = this.#bytes.toString('latin1', this.#at, this.#at + castBytes);
    const [cast] = /^::\s*[\w". ]+(?:\(\d+(?:,\d+)?\))?(?:\[\])*\s*/.exec(text) ?? [];
    if (cast === undefined && text.length > 2) return false;
    this.#at += cast?.length ?? text.length;
    return true;
  }

  #value(): Found {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) return more;
    if (byte === code.quote) return this.#string(this.#dialect.hasEscapes, false);
    if (byte === code.doubleQuote && this.#dialect.system !== 'postgresql')
      return this.#string(this.#dialect.hasEscapes, false);
    return this.#word();
  }

  /** A number, a word, or the prefix of a string. */
  #word(): Found {
    const start = this.#at;
    let end = start;
    while (isOfWord(this.#bytes[end])) end += 1;
    const next = this.#bytes[end];
    if (next === undefined) return more;
    const word = this.#bytes.toString('latin1', start, end);
    this.#at = end;
    if (next === code.quote) return this.#prefixed(word);
    if (word.startsWith('_')) return this.#introduced(word);
    return wordValue(word);
  }

  #prefixed(word: string): Found {
    const prefix = word.toUpperCase();
    if (prefix === 'E') return this.#string(true, false);
    if (prefix === 'N') return this.#string(this.#dialect.hasEscapes, false);
    if (prefix === 'X' || prefix === 'B') return this.#digits(prefix);
    return prefix.startsWith('_') ? this.#introduced(word) : computed;
  }

  /** `_binary '…'`, `_utf8mb4 '…'`, `_binary 0x…`. */
  #introduced(word: string): Found {
    this.#skipSpace();
    if (this.#bytes[this.#at] !== code.quote) return this.#value();
    return this.#string(this.#dialect.hasEscapes, word.toLowerCase() === '_binary');
  }

  #digits(prefix: 'X' | 'B'): Found {
    const found = this.#string(false, false);
    if (found === more || 'fault' in found || found.cell === null) return found;
    if (prefix === 'B') return { cell: `b'${found.cell}'` };
    const cell = textOfHex(found.cell);
    return cell === undefined ? { fault: 'a value in hexadecimal digits has others, too' } : { cell };
  }

  #string(hasEscapes: boolean, isBinary: boolean): Found {
    const bytes = this.#bytes;
    const quote = bytes[this.#at] ?? 0;
    const start = this.#at + 1;
    const found = stringIn(bytes, start, { quote, hasEscapes });
    if (found === undefined) return more;
    const { end, isPlain, isAscii } = found;
    this.#at = end + 1;
    if (isPlain && isAscii && !isBinary) return { cell: bytes.toString('latin1', start, end) };
    const value = isPlain
      ? bytes.subarray(start, end)
      : this.#unescaped(bytes.toString('latin1', start, end), quote, hasEscapes);
    if (isBinary || (this.#dialect.hasBytes === true && !isUtf8(value))) return { cell: textOfBytes(value) };
    const cell = textOfString(value);
    return cell === undefined ? { fault: notUtf8Fault } : { cell };
  }

  #unescaped(text: string, quote: number, hasEscapes: boolean): Buffer {
    const mark = String.fromCharCode(quote);
    // Doubled quotes only if there is no backslash before the first: `\''` ends the string.
    if (!hasEscapes) return Buffer.from(text.replaceAll(mark + mark, mark), 'latin1');
    const halved = text.replaceAll(/\\[^]|''|""/g, (each) => (each === mark + mark ? mark : each));
    const undo = this.#dialect.system === 'mysql' ? unescapedMysql : unescapedString;
    return Buffer.from(undo(halved), 'latin1');
  }
}

interface StringAt {
  /** The position of the quote that ends it. */
  readonly end: number;
  readonly isPlain: boolean;
  readonly isAscii: boolean;
}

/** undefined if the bytes end in it, also if another quote may follow in the next bytes. */
function stringIn(
  bytes: Buffer,
  start: number,
  { quote, hasEscapes }: { readonly quote: number; readonly hasEscapes: boolean },
): StringAt | undefined {
  let [isPlain, isAscii] = [true, true];
  for (let end = start; end + 1 < bytes.length; end += 1) {
    const byte = bytes[end] ?? 0;
    if (byte >= 0x80) isAscii = false;
    const isQuote = byte === quote;
    if (isQuote && bytes[end + 1] !== quote) return { end, isPlain, isAscii };
    if (!isQuote && (byte !== code.backslash || !hasEscapes)) continue;
    isPlain = false;
    end += 1;
  }
  return undefined;
}

/** The longest cast that is read. What looks like an expression this close to the end of the bytes may be a truncated cast. */
export const castBytes = 96;

function isOfWord(byte = 0): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || isOfNumber(byte);
}

/** `+ - .` and the underscore. */
function isOfNumber(byte: number): boolean {
  return byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x5f;
}

function wordValue(word: string): Found {
  if (/^null$/i.test(word)) return nothing;
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(word)) return { cell: word };
  if (/^(?:true|false)$/i.test(word)) return { cell: word.toLowerCase() };
  if (!/^0x/i.test(word)) return computed;
  const cell = textOfHex(word.slice(2));
  return cell === undefined ? computed : { cell };
}

/** The cells of a line of COPY in its text format. */
export function cellsOfCopy(line: Buffer): Cells | { readonly fault: string } {
  if (!isUtf8(line)) return { fault: notUtf8Fault };
  const cells = line.toString().split('\t');
  return cells.map((cell) => (cell === '\\N' ? null : cell.includes('\\') ? undone(cell) : cell));
}

/** An escape may be one byte of a character. */
function undone(cell: string): string {
  return Buffer.from(unescapedCopy(Buffer.from(cell).toString('latin1')), 'latin1').toString();
}
