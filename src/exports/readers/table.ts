import { UnusableExport } from '../providers/provider.ts';
import type { ConvertOptions, Place, Sample, Table } from '../providers/provider.ts';
import { openCsv } from './csv.ts';
import { openInput } from './input.ts';
import type { InputOptions } from './input.ts';
import { readJsonArray } from './json-array.ts';
import { readLines } from './lines.ts';
import type { RawBatch } from './raw.ts';
import { readSamples } from './sample.ts';

/** A table of an export, found in a file and not read yet. */
export interface FoundTable {
  readonly file: string;
  readonly place: Place;
  /** Objects that follow one another without being one to a line. */
  readonly isIndented: boolean;
  /** The way in which the file was read to find it. */
  readonly sample: Sample;
}

/** A table that is being read. */
export interface OpenTable {
  /** csv: names of the cells of each record. */
  readonly columns: readonly string[] | undefined;
  /** What a file says in front of its records, by name. */
  readonly preamble: ConvertOptions;
  readonly batches: AsyncIterable<RawBatch>;
}

/** Where `table` stands in `file`. @throws UnusableExport when the file has none of the table's forms */
export async function findTable(file: string, { name, places }: Table): Promise<FoundTable> {
  const samples = await readSamples(file);
  if (samples.length === 0) throw new UnusableExport(`${file} is empty`);
  for (const sample of samples) {
    const place = places.find((each) => fits(each, sample));
    if (place !== undefined) return { file, place, sample, isIndented: isIndented(sample, samples) };
  }
  const forms = places.map(formOf).join(', or ');
  throw new UnusableExport(
    `${file} has no ${name} that can be read: expected ${forms}; found ${foundForm(samples)}`,
  );
}

function fits(place: Place, { format, root }: Sample): boolean {
  if (place.format !== 'json') return place.format === format;
  const [key] = place.path;
  if (format !== 'json') return false;
  return key === undefined ? root === 'array' : root !== 'array' && root.includes(key);
}

/** Where the whole file may be one object, objects are found by their brackets and not by lines. */
function isIndented({ format }: Sample, samples: readonly Sample[]): boolean {
  return format === 'ndjson' && samples.some((each) => each.format === 'json');
}

function formOf(place: Place): string {
  if (place.format === 'csv') return 'CSV';
  if (place.format === 'ndjson') return 'one JSON object a line';
  return place.path.length === 0 ? 'a JSON array' : `a JSON object with the array "${place.path.join('.')}"`;
}

function foundForm([sample]: readonly Sample[]): string {
  if (sample?.format === 'csv') return 'CSV';
  return sample?.root === 'array' ? 'a JSON array' : 'a JSON object';
}

/** Opens what findTable found. @throws UnusableExport, also while its batches are taken */
export async function openTable(
  { file, place, isIndented }: FoundTable,
  options: InputOptions & { readonly isRequired?: boolean } = {},
): Promise<OpenTable> {
  const input = await openInput(file, options);
  if (place.format === 'csv') {
    const { columns, preamble, batches } = await openCsv(input, place).catch((error: unknown) => {
      throw named(file, error);
    });
    const said = preamble.map(([name = '', value]) => [name, value] as const);
    return { columns, preamble: Object.fromEntries(said), batches: withName(file, batches) };
  }
  const isLines = place.format === 'ndjson' && !isIndented;
  const path = place.format === 'json' ? place.path : [];
  const batches = isLines ? readLines(input) : readJsonArray(input, path, options.isRequired);
  return { columns: undefined, preamble: {}, batches: withName(file, batches) };
}

/** Readers know no names: said here which file it is. */
async function* withName(file: string, batches: AsyncIterable<RawBatch>): AsyncGenerator<RawBatch> {
  try {
    yield* batches;
  } catch (error) {
    throw named(file, error);
  }
}

function named(file: string, error: unknown): unknown {
  if (!(error instanceof UnusableExport) || error.message.startsWith(file)) return error;
  return new UnusableExport(`${file}: ${error.message}`, { cause: error });
}
