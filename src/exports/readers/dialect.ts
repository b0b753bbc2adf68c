/** Determines the dialect of a CSV text. */

import { recordBytesLimit } from './raw.ts';
import { ExportFault } from '../providers/provider.ts';

export interface CsvDialect {
  readonly delimiter: (typeof delimiters)[number];
  /**
   * Cells are not quoted: tabs, line ends and backslashes in them are escaped by a backslash, as `mysql --batch`, INTO OUTFILE
   * and COPY write them.
   */
  readonly isEscaped: boolean;
  /** Cells are quoted, and quotes and backslashes in them are escaped by a backslash; otherwise a quote is doubled. */
  readonly hasEscapedQuotes?: boolean;
}

/** The more usual first: of two that fit equally well it is chosen. */
const delimiters = [',', ';', '\t', '|'] as const;

export const usualDialect: CsvDialect = { delimiter: ',', isEscaped: false };

/** The bytes and rows that are examined. */
const lookedAtBytes = 64 * 1024;
const lookedAtRows = 50;
/** The share of rows that must have as many cells as the first: an export may have some broken ones. */
const alikeShare = 0.8;

/** Reads rows of cells in a dialect. */
export type RowsIn = (text: Buffer, dialect: CsvDialect) => AsyncGenerator<readonly string[]>;

/** The dialect in which the first row has most cells and the others have as many; commas if none fits. */
export async function dialectOf(start: Buffer, rowsIn: RowsIn): Promise<CsvDialect> {
  const text = lookedAt(start);
  const hasEscapedQuotes = areEscaped(text.toString('utf8'));
  let [found, most]: [CsvDialect, number] = [usualDialect, 1];
  for (const delimiter of delimiters) {
    const isEscaped = delimiter === '\t' && !hasQuotedCells(text);
    const dialect = { delimiter, isEscaped, hasEscapedQuotes: hasEscapedQuotes && !isEscaped };
    const cells = await cellsOfRow(rowsIn(withoutOpenRow(text), dialect));
    if (cells > most) [found, most] = [dialect, cells];
  }
  return found;
}

/** Without the truncated row. */
function lookedAt(start: Buffer): Buffer {
  if (start.length <= lookedAtBytes) return start;
  const end = start.lastIndexOf('\n', lookedAtBytes);
  return start.subarray(0, end < 0 ? lookedAtBytes : end + 1);
}

/** Without a last row that has no line end, if there are others: it may be truncated, and a small file has few rows to judge by. */
function withoutOpenRow(text: Buffer): Buffer {
  const end = text.lastIndexOf('\n');
  return end < 0 ? text : text.subarray(0, end + 1);
}

/** If quotes are doubled, one after a backslash ends its cell: a quote or a delimiter follows it. */
const escapedQuote = /\\"[^",;\t|\r\n]/;
/** Inside a cell, not an empty one. */
const doubledQuote = /[^\\",;\t|\r\n]""[^",;\t|\r\n]/;

/** Firebase doubles all quotes of a JSON text except those after a backslash. */
function areEscaped(text: string): boolean {
  return escapedQuote.test(text) && !doubledQuote.test(text);
}

function hasQuotedCells(text: Buffer): boolean {
  return /(?:^|\t)"[^\t]*"(?:\t|\r?$)/m.test(text.toString('utf8'));
}

/** Cells of the first row if nearly all rows have as many, otherwise 0. */
async function cellsOfRow(rows: AsyncGenerator<readonly string[]>): Promise<number> {
  const counts: number[] = [];
  try {
    for await (const row of rows) if (counts.push(row.length) === lookedAtRows) break;
  } catch (error) {
    // A quote that is open where the text was truncated, or a wrong dialect.
    if (!(error instanceof ExportFault)) throw error;
  }
  const [first = 0] = counts;
  const alike = counts.filter((count) => count === first).length;
  return alike >= counts.length * alikeShare ? first : 0;
}

/** Rows of tabs and backslashes. Memory: a piece of text and the longest row. @throws ExportFault */
export async function* readEscapedRows(texts: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const text of texts) {
    rest += text;
    let start = 0;
    for (let end = rowEnd(rest, 0); end >= 0; end = rowEnd(rest, start)) {
      yield* rowOf(rest.slice(start, end));
      start = end + 1;
    }
    rest = rest.slice(start);
    if (rest.length > recordBytesLimit)
      throw new ExportFault('a row is longer than 4 MiB: is every line end in a value escaped?');
  }
  yield* rowOf(rest);
}

/** The next line end without a backslash before it. */
function rowEnd(text: string, from: number): number {
  let end = text.indexOf('\n', from);
  while (end > from && endsEscaped(text.slice(from, end))) end = text.indexOf('\n', end + 1);
  return end;
}

function endsEscaped(text: string): boolean {
  return (/\\+$/.exec(text)?.[0].length ?? 0) % 2 === 1;
}

/** Blank lines are no rows. */
function rowOf(line: string): readonly (readonly string[])[] {
  const row = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (row === '') return [];
  return [row.includes('\\') ? cellsOf(row).map(unescaped) : row.split('\t')];
}

function cellsOf(row: string): readonly string[] {
  const cells: string[] = [];
  let isOpen = false;
  for (const piece of row.split('\t')) {
    if (isOpen) cells.push(`${cells.pop() ?? ''}\t${piece}`);
    else cells.push(piece);
    isOpen = endsEscaped(piece);
  }
  return cells;
}

const escapes: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  Z: '\x1a',
  '\\': '\\',
  '\t': '\t',
  '\n': '\n',
};

/** `\N`, and invalid escapes, do not change. */
function unescaped(cell: string): string {
  return cell.replaceAll(/\\([^])/g, (all, letter: string) => escapes[letter] ?? all);
}
