import type { SqlDialect } from './sql-dialect.ts';

const code = {
  newline: 0x0a,
  doubleQuote: 0x22,
  hash: 0x23,
  dollar: 0x24,
  quote: 0x27,
  open: 0x28,
  close: 0x29,
  star: 0x2a,
  dash: 0x2d,
  slash: 0x2f,
  semicolon: 0x3b,
  backslash: 0x5c,
  backquote: 0x60,
} as const;

/** The bytes to see ahead: the longest tag of a dollar-quoted string. */
const lookaheadBytes = 72;

/**
 * Finds the end of a statement, or of a row in parentheses, in SQL that arrives in pieces, without parsing it.
 *
 * Modes, by what the next byte belongs to: `code`; `quoted`, a string or name that `#quote` ends; `line` and `block`, comments;
 * `dollar`, a string of PostgreSQL that `#tag` ends. `#depth` counts the open parentheses in code.
 */
export class Follower {
  readonly #dialect: SqlDialect;
  readonly #until: 'statement' | 'row';
  #mode: 'code' | 'quoted' | 'line' | 'block' | 'dollar' = 'code';
  #quote = 0;
  #hasEscapes = false;
  #tag = '';
  #depth = 0;
  #isDone = false;

  constructor(dialect: SqlDialect, until: 'statement' | 'row') {
    this.#dialect = dialect;
    this.#until = until;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether the text may end here: not within a string. */
  get isInCode(): boolean {
    return this.#mode === 'code' || this.#mode === 'line';
  }

  /**
   * Follows `bytes` from `from` on. @returns where to continue: after the end when `isDone`, otherwise with more bytes
   * @param isEnd no bytes follow these
   */
  follow(bytes: Buffer, from: number, isEnd = false): number {
    const limit = isEnd ? bytes.length : bytes.length - lookaheadBytes;
    let at = from;
    while (at < limit && !this.#isDone)
      at = this.#mode === 'code' ? this.#code(bytes, at, limit) : this.#enclosed(bytes, at, limit);
    return at;
  }

  #code(bytes: Buffer, from: number, limit: number): number {
    for (let at = from; at < limit; at += 1) {
      const byte = bytes[at] ?? 0;
      // Letters, digits and everything above ASCII: nearly all of it.
      if (byte >= 0x61 || (byte > code.semicolon && byte < code.backquote)) continue;
      if (this.#isEnd(byte)) {
        this.#isDone = true;
        return at + 1;
      }
      const next = this.#entered(bytes, at, byte);
      if (next > 0) return next;
    }
    return limit;
  }

  #isEnd(byte: number): boolean {
    if (byte === code.open) this.#depth += 1;
    if (byte === code.close) this.#depth -= 1;
    return this.#until === 'row' ? byte === code.close && this.#depth === 0 : byte === code.semicolon;
  }

  /** @returns the position after the beginning of a string or a comment here; 0 if neither begins here */
  #entered(bytes: Buffer, at: number, byte: number): number {
    if (byte === code.quote || byte === code.doubleQuote || byte === code.backquote) {
      const isEscapeString = byte === code.quote && isEscapePrefixed(bytes, at);
      this.#mode = 'quoted';
      this.#quote = byte;
      this.#hasEscapes = byte !== code.backquote && (this.#dialect.hasEscapes || isEscapeString);
      return at + 1;
    }
    return this.#inComment(bytes, at, byte) || this.#inDollars(bytes, at, byte);
  }

  #inComment(bytes: Buffer, at: number, byte: number): number {
    const next = bytes[at + 1];
    if ((byte === code.dash && next === code.dash) || (byte === code.hash && this.#isMysql())) {
      this.#mode = 'line';
      return at + 1;
    }
    if (byte === code.slash && next === code.star) {
      this.#mode = 'block';
      return at + 2;
    }
    return 0;
  }

  #isMysql(): boolean {
    return this.#dialect.system === 'mysql';
  }

  #inDollars(bytes: Buffer, at: number, byte: number): number {
    if (byte !== code.dollar || this.#isMysql()) return 0;
    const text = bytes.toString('latin1', at, at + lookaheadBytes);
    const [tag] = /^\$(?:[A-Za-z_\x80-\xff][\w\x80-\xff]*)?\$/.exec(text) ?? [];
    if (tag === undefined) return 0;
    this.#mode = 'dollar';
    this.#tag = tag;
    return at + tag.length;
  }

  #enclosed(bytes: Buffer, at: number, limit: number): number {
    if (this.#mode === 'quoted') return this.#quoted(bytes, at, limit);
    const end = this.#mode === 'line' ? '\n' : this.#mode === 'block' ? '*/' : this.#tag;
    const found = bytes.indexOf(end, at, 'latin1');
    // A part of it may be at the very end.
    if (found < 0) return Math.max(at, limit);
    this.#mode = 'code';
    return found + end.length;
  }

  #quoted(bytes: Buffer, from: number, limit: number): number {
    let at = from;
    while (at < limit) {
      const byte = bytes[at];
      if (byte === code.backslash && this.#hasEscapes) at += 2;
      else if (byte !== this.#quote) at += 1;
      else if (bytes[at + 1] === this.#quote) at += 2;
      else {
        this.#mode = 'code';
        return at + 1;
      }
    }
    return at;
  }
}

/** PostgreSQL's `E'…'`, whatever its plain strings are. */
function isEscapePrefixed(bytes: Buffer, at: number): boolean {
  const [before = 0, prefix = 0] = [bytes[at - 2], bytes[at - 1]];
  const isName = /[\w$]/.test(String.fromCharCode(before));
  return (prefix === 0x45 || prefix === 0x65) && !isName;
}
