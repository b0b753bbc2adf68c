import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { ExportFault, type Place } from '../providers/provider.ts';
import { readEscapedRows, usualDialect, type CsvDialect } from './dialect.ts';
import type { Input } from './input.ts';
import { EndsEarly, type Ending } from './ending.ts';
import { BatchBuilder, recordBytesLimit, type RawBatch } from './raw.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;

export type CsvPlace = Extract<Place, { readonly format: 'csv' }>;

/** The only module that uses csv-parse: RFC 4180 with its usual violations, rows as arrays of texts. */
export interface CsvTable {
  /** Names of the columns: from the header row, or from the place. */
  readonly columns: readonly string[];
  /** Rows before the header, if the place has any. */
  readonly preamble: readonly (readonly string[])[];
  readonly batches: AsyncIterable<RawBatch>;
}

/**
 * Reads up to the header; the rest while `batches` is iterated.
 * @throws ExportFault unless it is CSV in UTF-8, for a file without header, for duplicate columns
 */
export async function openCsv(
  input: Input,
  place: CsvPlace,
  dialect?: CsvDialect,
  ending?: Ending,
): Promise<CsvTable> {
  const last = new LastByte(input);
  const rows = readRows(last, dialect);
  const preamble: (readonly string[])[] = [];
  const opened = (columns: readonly string[]): CsvTable => {
    const records = ending === undefined ? rows : wholeRows(rows, { ending, columns, last });
    return { columns, preamble, batches: batchesOf(input, records) };
  };
  if (place.columns !== undefined) return opened(place.columns);
  for (;;) {
    const next = await rows.next();
    if (next.done === true)
      throw new ExportFault(
        place.skipTo === undefined
          ? 'the file is empty'
          : `no row begins with the column ${place.skipTo}: is this the right file?`,
      );
    const cells = next.value.map((cell) => cell.trim());
    if (place.skipTo === undefined || cells[0] === place.skipTo) {
      const twice = cells.find((name, index) => name !== '' && cells.indexOf(name) !== index);
      if (twice !== undefined) throw new ExportFault('the header row names a column twice');
      return opened(cells);
    }
    preamble.push(cells);
  }
}

/** An input that remembers how it ended. */
class LastByte implements Input {
  readonly chunks: AsyncIterable<Buffer>;
  readonly bytesRead: Input['bytesRead'];
  #last: number | undefined;

  constructor(input: Input) {
    this.bytesRead = input.bytesRead;
    this.chunks = this.#watched(input.chunks);
  }

  /** Whether the last line is terminated. */
  get isLineEnd(): boolean {
    return this.#last === newline || this.#last === carriageReturn;
  }

  async *#watched(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#last = chunk.at(-1) ?? this.#last;
      yield chunk;
    }
  }
}

interface Ended {
  readonly ending: Ending;
  readonly columns: readonly string[];
  readonly last: LastByte;
}

/** The complete rows; if the file ends within a row, that is noted. */
async function* wholeRows(
  rows: AsyncGenerator<readonly string[]>,
  { ending, columns, last }: Ended,
): AsyncGenerator<readonly string[]> {
  let count = 0;
  let waiting: readonly string[] | undefined;
  try {
    for await (const row of rows) {
      if (waiting !== undefined) yield waiting;
      waiting = row;
      count += 1;
    }
  } catch (error) {
    if (!(error instanceof EndsEarly)) throw error;
    if (waiting !== undefined) yield waiting;
    ending.note('ENDS_EARLY', error.message);
    return;
  }
  // In a truncated file, the last row is truncated too.
  if (waiting === undefined || (ending.isCut && !last.isLineEnd)) return;
  if (isRowCount(waiting, columns)) return;
  yield waiting;
  if (waiting.length < columns.length && !last.isLineEnd)
    ending.note(
      'ENDS_EARLY',
      `it ends inside record ${count}, which has ${waiting.length} of ${columns.length} cells and no end of a line: export it again, or copy it again`,
    );
}

/** psql and sqlcmd write `(3 rows)` and `(3 rows affected)` after the rows. */
function isRowCount([cell = '', ...others]: readonly string[], columns: readonly string[]): boolean {
  return others.length === 0 && columns.length > 1 && /^\(\d+ rows?(?: affected)?\)$/.test(cell.trim());
}

async function* batchesOf({ bytesRead }: Input, rows: AsyncIterable<readonly string[]>) {
  const builder = new BatchBuilder();
  for await (const row of rows) {
    builder.add(Buffer.from(JSON.stringify(row)));
    builder.end();
    yield* builder.take(bytesRead());
  }
  yield* builder.take(bytesRead(), true);
}

/** The rows of the file, without blank lines. */
export function readRows(input: Input, dialect = usualDialect): AsyncGenerator<readonly string[]> {
  return dialect.isEscaped ? readEscapedRows(decoded(input.chunks)) : readQuotedRows(input, dialect);
}

async function* readQuotedRows(
  input: Input,
  { delimiter, hasEscapedQuotes }: CsvDialect,
): AsyncGenerator<readonly string[]> {
  let fault: unknown;
  const parser = parse({
    delimiter,
    escape: hasEscapedQuotes === true ? '\\' : '"',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: recordBytesLimit,
    // At the end of the file a stream that fails would drop the rows before it.
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error?.code !== 'CSV_QUOTE_NOT_CLOSED') throw error ?? new Error('a record was skipped');
      fault = error;
    },
  });
  // Its callback is required, but the iteration throws the same error.
  pipeline(Readable.from(decoded(input.chunks), { objectMode: false }), parser, () => undefined);
  try {
    for await (const row of parser as AsyncIterable<readonly string[]>) yield row;
  } catch (error) {
    throw translated(error);
  }
  if (fault !== undefined) throw translated(fault);
}

/** Excel's `sep=;`, and PowerShell's `#TYPE System.Object`. */
const beforeHeader = /^(?:sep=.|#TYPE [^\r\n]*)\r?\n/i;
/** Characters within which such a line ends. */
const beforeHeaderLimit = 512;

/** In pieces of UTF-8 text, without a line before the header row. */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let start: string | undefined = '';
  for await (const text of textsOf(chunks)) {
    if (start === undefined) yield text;
    else if (start.length + text.length < beforeHeaderLimit) start += text;
    else {
      yield (start + text).replace(beforeHeader, '');
      start = undefined;
    }
  }
  if (start !== undefined) yield start.replace(beforeHeader, '');
}

/** csv-parse would insert replacement characters for anything but UTF-8. */
async function* textsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError)
      throw new ExportFault(
        'the file is not UTF-8: say what it is with --encoding, such as --encoding latin1, or save it as UTF-8',
      );
    throw error;
  }
}

function translated(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const line = typeof error.lines === 'number' ? ` near line ${error.lines}` : '';
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return new EndsEarly(
      `not readable as CSV${line}: a quote is opened and not closed: the file was cut off, or a quote in a value is not written twice`,
    );
  const why =
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? 'a quote is opened and not closed'
      : 'its quotes and delimiters do not fit';
  return new ExportFault(`not readable as CSV${line}: ${why}`);
}
