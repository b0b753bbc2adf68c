import { ExportFault } from '../providers/provider.ts';
import type { ConvertOptions, Place, Table } from '../providers/provider.ts';
import { openCsv } from './csv.ts';
import { chosenFrom } from './choose-list.ts';
import { envelope, requireOneTable } from './envelope.ts';
import { openInput, type InputOptions, type Input } from './input.ts';
import { type RawBatch, BatchBuilder } from './raw.ts';
import { columnsOf } from './columns.ts';
import type { Reading } from './reading.ts';
import { readSamplesAndLists } from './sample.ts';
import type { FileSample } from './sample-of.ts';
import { readDumpRows } from './sql/dump.ts';
import { isOfDump, tableInDump, type DumpSample, type Score } from './sql/samples.ts';
import { endsInLine, isCutJson } from './cut-lines.ts';
import { Ending } from './ending.ts';
import { JsonScanner } from './json-scanner.ts';
import { listUnder, type ListPath } from './list-path.ts';
import { pagesIn } from './pages.ts';

/** A table of an export, found in a file and not read yet. */
export interface FoundTable {
  readonly file: string;
  readonly place: Place;
  /** Objects in sequence that are not one a line. */
  readonly isIndented: boolean;
  /** The form in which the file was read to find it. */
  readonly sample: FileSample;
  readonly reading: Reading;
  /** csv without a header row: its columns, if they are not the place's. Every row has all of them. */
  readonly columns?: readonly string[] | undefined;
  /** Fields around a found list that its records get. */
  readonly beside?: readonly string[] | undefined;
  /** In a dump: strings may be bytes without a mark. */
  readonly hasBytes?: boolean | undefined;
}

/** A table that is being read. */
export interface OpenTable {
  /** csv: names of the cells of each record. */
  readonly columns: readonly string[] | undefined;
  /** A file's texts before its records, by name. */
  readonly preamble: ConvertOptions;
  readonly batches: AsyncIterable<RawBatch>;
  /** Complete after the last batch. */
  readonly ending: Ending;
}

/** The place of `table` in `file`. @throws ExportFault when the file has none of the table's forms */
export async function findTable(
  file: string,
  table: Table,
  reading: Reading = {},
  score: Score = () => 0,
): Promise<FoundTable> {
  const { name, places, advise } = table;
  const samples = await readSamplesAndLists(file, reading);
  if (samples.length === 0) throw new ExportFault(`${file} is empty`);
  const inDump = samples.filter(isOfDump);
  if (inDump.length > 0) return foundInDump(file, tableInDump(inDump, table, score), { table, reading });
  const advice = samples
    .filter(({ list }) => list === undefined)
    .map((sample) => advise?.(sample))
    .find((each) => each !== undefined);
  if (advice !== undefined) throw new ExportFault(`${file}: ${advice}`);
  const chosen = chosenFrom(samples, { file, table, score });
  if (chosen !== undefined) {
    const { place, sample } = chosen;
    const { beside } = table;
    const found = { file, place, sample, reading, beside, isIndented: isIndented(sample, samples) };
    return { ...found, columns: columnsOf(found, table) };
  }
  const forms = places.map(formOf).join(', or ');
  throw new ExportFault(
    `${file} has no ${name} that can be read: expected ${forms}; found ${foundForm(samples)}`,
  );
}

/** Tables of dumps are as CSV with the columns' names. */
export function foundInDump(
  file: string,
  sample: DumpSample,
  { table, reading }: { readonly table: Table; readonly reading: Reading },
): FoundTable {
  const { hasBytes } = table;
  const found = { file, place: { format: 'csv' } as const, sample, reading, isIndented: false, hasBytes };
  return { ...found, columns: columnsOf(found, table) };
}

/** If the whole file may be one object, objects are found by their brackets and not by lines. */
function isIndented({ format }: FileSample, samples: readonly FileSample[]): boolean {
  return format === 'ndjson' && samples.some((each) => each.format === 'json' && each.list === undefined);
}

function formOf(place: Place): string {
  if (place.format === 'csv') return 'CSV';
  if (place.format === 'ndjson') return 'one JSON object a line';
  return place.path.length === 0 ? 'a JSON array' : `a JSON object with the array "${place.path.join('.')}"`;
}

function foundForm([sample]: readonly FileSample[]): string {
  if (sample?.format === 'csv') return 'CSV';
  return sample?.root === 'array' ? 'a JSON array' : 'a JSON object';
}

/** Opens a found table. @throws ExportFault, also while its batches are iterated */
export async function openTable(
  { file, place, isIndented, sample, reading, columns: given, hasBytes, beside }: FoundTable,
  options: InputOptions & { readonly isRequired?: boolean } = {},
): Promise<OpenTable> {
  const ending = new Ending(file);
  const input = await openInput(file, { ...options, encoding: reading.encoding, ending });
  if (sample.dump !== undefined) {
    const { catalogue, table } = sample.dump;
    const columns = given ?? table.columns ?? [];
    const dialect = { ...catalogue.dialect, hasBytes };
    const { incomplete } = catalogue;
    if (incomplete !== undefined) ending.note(incomplete.code, incomplete.message);
    const batches = readDumpRows(input, { dialect, table, columns, ending });
    return { columns, preamble: {}, batches: observed(batches, ending), ending };
  }
  if (place.format === 'csv') {
    const at = given === undefined ? place : { ...place, columns: given };
    const { columns, preamble, batches } = await openCsv(input, at, sample.dialect, ending).catch(
      (error: unknown) => {
        throw named(file, error);
      },
    );
    const said = preamble.map(([name = '', value]) => [name, value] as const);
    return { columns, preamble: Object.fromEntries(said), batches: observed(batches, ending), ending };
  }
  const isLines = place.format === 'ndjson' && !isIndented;
  const batches = isLines
    ? readLines(input, ending)
    : readJsonArray(input, placeIn(sample, place, beside), { isRequired: options.isRequired, ending });
  return { columns: undefined, preamble: {}, batches: observed(batches, ending), ending };
}

/** The place of a table's list in a document. @param siblings names of fields of its parent that its records need */
export function placeIn(sample: FileSample, place: Place, siblings?: readonly string[]): ListPath {
  if (sample.isEnveloped) return envelope;
  const { list } = sample;
  if (list !== undefined) return { steps: list.steps, ...(siblings && { beside: siblings }), isFound: true };
  return listUnder(place.format === 'json' ? place.path : []);
}

/** Counts the records. Readers do not know the file's name: it is added here. */
export async function* observed(batches: AsyncIterable<RawBatch>, ending: Ending): AsyncGenerator<RawBatch> {
  try {
    for await (const batch of batches) {
      ending.records += batch.ends.length;
      yield batch;
    }
  } catch (error) {
    throw named(ending.file, error);
  }
}

function named(file: string, error: unknown): unknown {
  if (!(error instanceof ExportFault) || error.message.startsWith(file)) return error;
  return new ExportFault(`${file}: ${error.message}`, { cause: error });
}

export interface ArrayRules {
  /** Whether a document without such an array is refused. Default: true. */
  readonly isRequired?: boolean | undefined;
  /** Notes that the text ends early; left out: that is refused. */
  readonly ending?: Ending | undefined;
}

/**
 * The records of every list on the path in one JSON document, as raw bytes. If that is the top-level array and the document is
 * not one, the top-level values themselves, with white space between them: indented objects.
 * @throws ExportFault with the byte offset when the text ends early or is not JSON
 */
export async function* readJsonArray(
  { chunks, bytesRead }: Input,
  path: ListPath,
  { isRequired = true, ending }: ArrayRules = {},
): AsyncGenerator<RawBatch> {
  const builder = new BatchBuilder();
  const scanner = new JsonScanner(path, builder);
  for await (const chunk of chunks) {
    scanner.push(chunk);
    if (scanner.fault !== undefined) throw new ExportFault(scanner.fault);
    if (path === envelope) requireOneTable(scanner);
    yield* builder.take(bytesRead());
  }
  noteEnd(scanner, ending);
  if (isRequired && !scanner.hasArray) throw new ExportFault(`the document has no array "${nameOf(path)}"`);
  ending?.notePages(pagesIn(scanner.around, path.steps));
  yield* builder.take(bytesRead(), true);
}

function nameOf({ steps }: ListPath): string {
  return steps.filter((step) => typeof step === 'string').join('.');
}

/** @throws ExportFault if the complete part could pass for the whole: also if it is empty */
function noteEnd(scanner: JsonScanner, ending: Ending | undefined): void {
  const fault = scanner.end();
  if (fault === undefined) return;
  if (ending === undefined || !scanner.hasArray) throw new ExportFault(fault);
  ending.note('ENDS_EARLY', `${fault}: export it again, or copy it again`);
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Newline-delimited JSON: one record each line; blank lines are records without bytes, so that indexes are lines. */
export async function* readLines({ chunks, bytesRead }: Input, ending?: Ending): AsyncGenerator<RawBatch> {
  const builder = new BatchBuilder();
  let lines = 0;
  const take = function* (isEnd: boolean): Generator<RawBatch> {
    for (const batch of builder.take(bytesRead(), isEnd)) {
      lines += batch.ends.length;
      yield batch;
    }
  };
  // A carriage return at the end of a read may belong to the line's end or to the line.
  let isHeldBack = false;
  for await (const chunk of chunks) {
    const bytes: Buffer = isHeldBack ? Buffer.concat([Buffer.of(carriageReturn), chunk]) : chunk;
    isHeldBack = bytes[bytes.length - 1] === carriageReturn;
    addLines(builder, isHeldBack ? bytes.subarray(0, -1) : bytes);
    yield* take(false);
  }
  const isCut = isCutJson(builder.underWay);
  if (ending?.isCut === true) builder.drop();
  if (builder.isUnderWay) builder.end();
  yield* take(true);
  if (isCut && ending?.isCut === false) ending.note('ENDS_EARLY', endsInLine(lines));
}

function addLines(builder: BatchBuilder, bytes: Buffer): void {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(newline, start);
    if (end < 0) break;
    const textEnd = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
    builder.add(bytes.subarray(start, textEnd));
    builder.end();
    start = end + 1;
  }
  if (start < bytes.length) builder.add(bytes.subarray(start));
}
