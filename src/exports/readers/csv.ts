import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { ExportFault, type Place } from '../providers/provider.ts';
import { readEscapedRows, usualDialect, type CsvDialect } from './dialect.ts';
import type { Input } from './input.ts';
import { BatchBuilder, recordBytesLimit, type RawBatch } from './raw.ts';

export type CsvPlace = Extract<Place, { readonly format: 'csv' }>;

/** The one door to csv-parse: RFC 4180 with its usual offences, rows as arrays of texts. */
export interface CsvTable {
  /** Names of the columns: of the header row, or of the place. */
  readonly columns: readonly string[];
  /** Rows in front of the header, where the place has such. */
  readonly preamble: readonly (readonly string[])[];
  readonly batches: AsyncIterable<RawBatch>;
}

/**
 * Reads as far as the header; the rest as `batches` is taken.
 * @throws ExportFault for what is no CSV in UTF-8, a file without header, duplicate columns
 */
export async function openCsv(input: Input, place: CsvPlace, dialect?: CsvDialect): Promise<CsvTable> {
  const rows = readRows(input, dialect);
  const preamble: (readonly string[])[] = [];
  if (place.columns !== undefined)
    return { columns: place.columns, preamble, batches: batchesOf(input, rows) };
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
      return { columns: cells, preamble, batches: batchesOf(input, rows) };
    }
    preamble.push(cells);
  }
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

/** The rows of the file; blank lines are none. */
export function readRows(input: Input, dialect = usualDialect): AsyncGenerator<readonly string[]> {
  return dialect.isEscaped ? readEscapedRows(decoded(input.chunks)) : readQuotedRows(input, dialect);
}

async function* readQuotedRows(
  input: Input,
  { delimiter, hasEscapedQuotes }: CsvDialect,
): AsyncGenerator<readonly string[]> {
  const parser = parse({
    delimiter,
    escape: hasEscapedQuotes === true ? '\\' : '"',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: recordBytesLimit,
  });
  // Its callback is needed, but what it would say is thrown by the iteration too.
  pipeline(Readable.from(decoded(input.chunks), { objectMode: false }), parser, () => undefined);
  try {
    for await (const row of parser as AsyncIterable<readonly string[]>) yield row;
  } catch (error) {
    throw translated(error);
  }
}

/** In pieces of UTF-8 text: csv-parse would put replacement characters where the text is something else. */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
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
  const why =
    error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
      ? 'a quote is opened and not closed'
      : 'its quotes and delimiters do not fit';
  return new ExportFault(`not readable as CSV${line}: ${why}`);
}
