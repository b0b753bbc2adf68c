import { ExportFault } from '../../providers/provider.ts';
import { recordBytesLimit } from '../raw.ts';
import { Follower } from './follower.ts';
import { readCopy, readCreate, readInsert, readUse, type RowsHead, type TableName } from './heads.ts';
import { Pieces } from './pieces.ts';
import { RowReader, castBytes, cellsOfCopy } from './row-reader.ts';
import type { DumpSink } from './sink.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** Statements up to their rows, and whole CREATE TABLEs: longer ones are skipped. */
const headBytes = 1024 * 1024;
/** Nearly all heads are shorter: a dump may have one for each row. */
const shortHeadBytes = 4096;
const tooLongFault = 'the row is larger than 4 MiB';

type Mode =
  | 'between'
  | 'line'
  | 'block'
  | 'statement'
  | 'pass'
  | 'rows'
  | 'passRow'
  | 'copy'
  | 'passCopy'
  | 'passBodies';

/**
 * Finds the tables of a dump and their rows in SQL that arrives in pieces; executes nothing.
 *
 * Modes, by what the next byte belongs to:
 * - `between`: between statements; `line`, `block`: a comment there, or a line for a client;
 * - `statement`: one that begins here; `pass`: an irrelevant one, which `#follower` ends;
 * - `rows`: rows of INSERT; `passRow`: an unreadable one, to its end;
 * - `copy`: lines of COPY; `passCopy`: skipped ones, or the rest of one that is too long;
 * - `passBodies`: triggers and procedures of MySQL between two DELIMITERs.
 *
 * `#start` is the offset of the statement of the present rows, `#isWanted` the sink's answer for them.
 */
export class DumpScanner {
  readonly #dialect: SqlDialect;
  readonly #sink: DumpSink;
  readonly #pieces = new Pieces();
  #mode: Mode = 'between';
  #follower: Follower;
  #database: string | undefined;
  #fault = '';
  #start: number | undefined;
  #isWanted = false;

  constructor(dialect: SqlDialect, sink: DumpSink) {
    this.#dialect = dialect;
    this.#sink = sink;
    this.#follower = new Follower(dialect, 'statement');
  }

  /** The number of processed bytes. */
  get offset(): number {
    return this.#pieces.offset;
  }

  push(chunk: Buffer): void {
    this.#pieces.push(chunk);
    while (this.#step());
  }

  /** The text has ended. @returns the fault if it ends inside a statement: rows before it were passed on */
  end(): string | undefined {
    this.#pieces.isEnd = true;
    while (this.#step());
    const isPassed = this.#mode === 'pass' && this.#follower.isInCode && this.#start === undefined;
    if (this.#mode === 'between' || this.#mode === 'line' || isPassed) return undefined;
    return `the dump ends inside the statement near byte ${this.#start ?? this.offset}: make it again, or copy it again`;
  }

  /** @returns whether to continue at once: not without more bytes */
  #step(): boolean {
    if (this.#pieces.at >= this.#pieces.bytes.length && this.#mode !== 'rows') return false;
    switch (this.#mode) {
      case 'between':
        return this.#between();
      case 'line':
        return this.#passTo('\n', 'between');
      case 'block':
        return this.#passTo('*/', 'between');
      case 'statement':
        return this.#statement();
      case 'pass':
      case 'passRow':
        return this.#pass();
      case 'rows':
        return this.#rows();
      case 'copy':
        return this.#copy();
      case 'passCopy':
        return this.#passCopy();
      case 'passBodies':
        return this.#passTo('\nDELIMITER ;', 'line');
    }
  }

  #between(): boolean {
    const window = this.#pieces.bytes;
    while (isBetween(window[this.#pieces.at])) this.#pieces.at += 1;
    // A comment begins with two bytes.
    if (window.length - this.#pieces.at < 2 && !this.#pieces.isEnd) return false;
    const text = window.toString('latin1', this.#pieces.at, this.#pieces.at + 2);
    if (text === '') return false;
    if (text === '--' || text.startsWith('#') || text.startsWith('\\')) this.#mode = 'line';
    else if (text === '/*') {
      this.#mode = 'block';
      this.#pieces.at += 2;
    } else this.#mode = 'statement';
    return true;
  }

  /** After the next `end`, where `mode` begins. */
  #passTo(end: string, mode: Mode): boolean {
    if (!this.#pieces.goTo(end)) return false;
    this.#pieces.at += end.length;
    this.#mode = mode;
    return true;
  }

  #statement(): boolean {
    const text = this.#pieces.text(shortHeadBytes);
    const [word = ''] = /^[A-Za-z_]+/.exec(text) ?? [];
    if (word.length === text.length && !this.#pieces.isEnd) return false;
    // A client's message in the dump: `mysqldump: [Warning] …`.
    if (text.startsWith(': ', word.length) || /^mysqldump$/i.test(word)) {
      this.#mode = 'line';
      return true;
    }
    const kind = word.toUpperCase();
    if (kind === 'INSERT' || kind === 'REPLACE') return this.#head(readInsert, 'rows');
    if (kind === 'COPY') return this.#head(readCopy, 'copy');
    if (kind === 'CREATE') return this.#create(text);
    if (kind === 'DELIMITER') return this.#delimiter(text);
    if (kind === 'USE') this.#database = readUse(text) ?? this.#database;
    return this.#passFrom(this.#pieces.at, 'pass');
  }

  #head(read: (text: string) => RowsHead | undefined, mode: 'rows' | 'copy'): boolean {
    const head = read(this.#pieces.text(shortHeadBytes)) ?? read(this.#pieces.text(headBytes));
    if (head === undefined) return this.#noHead();
    this.#start = this.offset;
    this.#isWanted = this.#sink.begin({ ...head, table: this.#located(head.table) });
    this.#pieces.at += head.end;
    if (mode === 'rows' && !this.#isWanted) return this.#passFrom(this.#pieces.at, 'pass');
    if (head.isText === false && this.#isWanted)
      throw new ExportFault(
        `COPY near byte ${this.#start} is not in the text format: make the dump with pg_dump`,
      );
    this.#mode = mode === 'copy' && !this.#isWanted ? 'passCopy' : mode;
    return true;
  }

  /** INSERT … SELECT, COPY … TO; or the head is incomplete. */
  #noHead(): boolean {
    const text = this.#pieces.text(headBytes);
    const isCut = text.length < headBytes && !this.#pieces.isEnd && !text.includes(';');
    return !isCut && this.#passFrom(this.#pieces.at, 'pass');
  }

  #located(table: TableName): TableName {
    return { ...table, schema: table.schema ?? this.#database };
  }

  #create(start: string): boolean {
    if (!/^CREATE\s+(?:[A-Z]+\s+){0,2}(?:TABLE|[A-Z]*$)/i.test(start))
      return this.#passFrom(this.#pieces.at, 'pass');
    const follower = new Follower(this.#dialect, 'statement');
    const bytes = this.#pieces.bytes.subarray(this.#pieces.at, this.#pieces.at + headBytes);
    const end = follower.follow(bytes, 0, this.#pieces.isEnd);
    if (!follower.isDone && bytes.length < headBytes && !this.#pieces.isEnd) return false;
    const created = follower.isDone
      ? readCreate(bytes.toString('latin1', 0, end), this.#dialect.system === 'mysql')
      : undefined;
    if (created !== undefined) this.#sink.create(this.#located(created.table), created.columns);
    return this.#passFrom(this.#pieces.at, 'pass');
  }

  #delimiter(text: string): boolean {
    if (!text.includes('\n') && !this.#pieces.isEnd) return false;
    this.#mode = /^DELIMITER[ \t]+;\s*\n/i.test(text) ? 'line' : 'passBodies';
    return true;
  }

  #passFrom(at: number, mode: 'pass' | 'passRow'): boolean {
    this.#follower = new Follower(this.#dialect, mode === 'pass' ? 'statement' : 'row');
    this.#pieces.at = at;
    this.#mode = mode;
    return true;
  }

  #pass(): boolean {
    this.#pieces.at = this.#follower.follow(this.#pieces.bytes, this.#pieces.at, this.#pieces.isEnd);
    if (!this.#follower.isDone) return false;
    if (this.#mode === 'passRow') {
      this.#mode = 'rows';
      return this.#sink.row({ fault: this.#fault }) || this.#passFrom(this.#pieces.at, 'pass');
    }
    this.#finish();
    this.#mode = 'between';
    return true;
  }

  /** The next row, or the end of the rows. */
  #rows(): boolean {
    const window = this.#pieces.bytes;
    let at = this.#pieces.at;
    while (isSpace(window[at]) || window[at] === comma) at += 1;
    this.#pieces.at = at;
    const byte = window[at];
    if (byte === undefined) return this.#pieces.isEnd && this.#passFrom(at, 'pass');
    if (byte !== openParenthesis) return this.#passFrom(at, 'pass');
    const reader = new RowReader(window, at + 1, this.#dialect);
    const row = reader.read();
    if (row === 'more') return window.length - at > recordBytesLimit && this.#passRow(tooLongFault);
    if ('fault' in row) {
      const isCut = !this.#pieces.isEnd && window.length - reader.end < castBytes;
      return !isCut && this.#passRow(row.fault);
    }
    this.#pieces.at = reader.end;
    return this.#sink.row(row) || this.#passFrom(this.#pieces.at, 'pass');
  }

  #passRow(fault: string): boolean {
    this.#fault = fault;
    return this.#passFrom(this.#pieces.at, 'passRow');
  }

  /** The next line. `#at` is at the end of the line before. */
  #copy(): boolean {
    const window = this.#pieces.bytes;
    const start = window.indexOf(newline, this.#pieces.at) + 1;
    if (start === 0) return false;
    const found = window.indexOf(newline, start);
    // A line without its end may be truncated, unless it ends the rows.
    const isLast = found < 0 && this.#pieces.isEnd && window.toString('latin1', start) === '\\.';
    const end = isLast ? window.length : found;
    if (end < 0) {
      if (window.length - start <= recordBytesLimit) return false;
      this.#isWanted = this.#sink.row({ fault: tooLongFault });
      this.#pieces.at = window.length;
      this.#mode = 'passCopy';
      return false;
    }
    this.#pieces.at = end;
    const line = window.subarray(start, window[end - 1] === carriageReturn ? end - 1 : end);
    if (line[0] === backslash && line[1] === dot && line.length === 2) return this.#endCopy();
    if (!this.#sink.row(cellsOfCopy(line))) {
      this.#isWanted = false;
      this.#mode = 'passCopy';
    }
    return true;
  }

  #endCopy(): boolean {
    this.#finish();
    this.#mode = 'between';
    return true;
  }

  /** For wanted rows to the next line, otherwise to the end of them. */
  #passCopy(): boolean {
    const isFound = this.#pieces.goTo(this.#isWanted ? '\n' : '\n\\.');
    if (isFound) this.#mode = 'copy';
    return isFound;
  }

  #finish(): void {
    if (this.#start !== undefined) this.#sink.end(this.offset, this.offset - this.#start);
    this.#start = undefined;
  }
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;
const openParenthesis = 0x28;
const comma = 0x2c;
const dot = 0x2e;
const semicolon = 0x3b;
const backslash = 0x5c;

function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === newline || byte === carriageReturn || byte === tab;
}

function isBetween(byte: number | undefined): boolean {
  return isSpace(byte) || byte === semicolon;
}
