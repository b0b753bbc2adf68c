import { ExportFault, type SourceRow } from '../providers/provider.ts';
import { readRows } from './csv.ts';
import { dialectOf, type RowsIn } from './dialect.ts';
import { hasColumn, originOf, withNames, type Names } from './names.ts';
import type { Reading } from './reading.ts';
import { JsonScanner } from './json-scanner.ts';
import { refuseOtherTypes } from './bytes/file-types.ts';
import { once, readStart } from './input.ts';
import { envelope, requireOneTable } from './envelope.ts';
import { listUnder, type ListPath } from './list-path.ts';
import { BatchBuilder } from './raw.ts';
import { objectIn, plainIn } from './within.ts';
import { listsIn } from './wrapped.ts';
import { rowByNames, sampleOf, type FileSample } from './sample-of.ts';
import { dumpSamples, namedTable } from './sql/samples.ts';
import { isDump, refuseArchive } from './sql/sql-dialect.ts';

/** Bytes that are examined: a realm export has its settings before its users. */
const sampleBytes = 4 * 1024 * 1024;

/** For one of many similar files: a few records. Anything that they do not show is searched in a whole sample. */
export const briefBytes = 8 * 1024;

const openBracket = 0x5b;
const openBrace = 0x7b;

/**
 * The beginning of `file` in each form in which it can be read: one line `{"users":[…]}` is a document and may be a record too.
 * Empty for an empty file. @throws ExportFault when it cannot be read at all
 */
export async function readSamples(file: string, reading: Reading = {}): Promise<readonly FileSample[]> {
  return (await readSamplesAndLists(file, reading)).filter(({ list }) => list === undefined);
}

/** As readSamples, followed by a sample of each list in a document. @param limit of the examined bytes */
export async function readSamplesAndLists(
  file: string,
  reading: Reading = {},
  limit = sampleBytes,
): Promise<readonly FileSample[]> {
  const start = await readStart(file, limit, reading.encoding);
  refuseOtherTypes(file, start);
  if (isDump(start)) {
    const tables = await dumpSamples(file, start, reading);
    const wanted = reading.table === undefined ? tables : [namedTable(tables, reading.table)];
    return withOwnNames(wanted, reading);
  }
  if (reading.table !== undefined && start.length > 0)
    throw new ExportFault(`${file} is no dump of a database: --table is for those, leave it out`);
  return samplesOf(start, reading, start.length >= limit);
}

/** As readSamples, for the first bytes of a file in UTF-8. @param isCut whether the file is longer */
export async function samplesOf(
  start: Buffer,
  reading: Reading,
  isCut: boolean,
): Promise<readonly FileSample[]> {
  return withOwnNames(await waysToRead(start, reading, isCut), reading);
}

function withOwnNames(samples: readonly FileSample[], { names }: Reading): readonly FileSample[] {
  return names === undefined ? samples : samples.map((sample) => sampleWithNames(sample, names));
}

/** The sample of a file with its future rows. */
function sampleWithNames(sample: FileSample, names: Names): FileSample {
  const { columns, first } = sample;
  const has = (name: string): boolean => columns.includes(name);
  const added = Object.keys(names).filter((name) =>
    hasColumn(columns, originOf(names[name] ?? '', has).column),
  );
  return { ...sample, columns: [...new Set([...columns, ...added])], first: withNames(first, names) };
}

async function waysToRead(start: Buffer, reading: Reading, isCut: boolean): Promise<readonly FileSample[]> {
  const place = start.findIndex((byte) => byte > 0x20);
  const bytes = start.subarray(Math.max(place, 0));
  const first = start[place];
  if (first === undefined) return [];
  if (first === openBracket) return arraySamples(bytes);
  if (first === openBrace) return objectSamples(bytes);
  refuseArchive(bytes);
  return [await csvSample(bytes, reading, isCut)];
}

function objectSamples(bytes: Buffer): readonly FileSample[] {
  const end = bytes.indexOf('\n');
  const line = parsedObject(
    bytes
      .subarray(0, end < 0 ? bytes.length : end)
      .toString('utf8')
      .trimEnd(),
  );
  const hasMore = end >= 0 && bytes.subarray(end).some((byte) => byte > 0x20);
  const record = line ?? firstElement(bytes, listUnder([]));
  const lines = record === undefined ? [] : [sampleOf('ndjson', { first: record })];
  if (line !== undefined && hasMore) return [...lines, ...foundIn(bytes.subarray(0, end))];
  const { keys, arrays, said } = topLevel(bytes);
  const first = firstOf(arrays, (key) => firstElement(bytes, listUnder([key])));
  return [sampleOf('json', { root: keys, said, ...(first && { first }) }), ...lines, ...foundIn(bytes)];
}

/** Fields of an element that may contain its record: an export has few objects in a user. */
const fieldsWithin = 8;

/** A sample of each list in a document, and of the content of its elements. */
function foundIn(bytes: Buffer): readonly FileSample[] {
  return listsIn(bytes).flatMap(({ steps, first, key, siblings, texts }) => {
    const root = siblings.length === 0 ? 'array' : siblings;
    const said = Object.fromEntries(Object.entries(texts).map(([name, [text = '']]) => [name, text]));
    const sample = (record: SourceRow, within?: string): FileSample =>
      sampleOf('json', { root, said, first: record, list: { steps, key, within, texts } });
    const inner = Object.keys(first).flatMap((name) => {
      const record = objectIn(first[name]);
      return record === undefined ? [] : [sample({ ...plainIn(first), ...record }, name)];
    });
    return [sample(first), ...inner.slice(0, fieldsWithin)];
  });
}

function firstOf<Key, Found>(keys: readonly Key[], find: (key: Key) => Found | undefined): Found | undefined {
  for (const key of keys) {
    const found = find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parsedObject(text: string): SourceRow | undefined {
  // Throwing takes longer than parsing.
  if (!text.endsWith('}')) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as SourceRow)
      : undefined;
  } catch {
    return undefined;
  }
}

function arraySamples(bytes: Buffer): readonly FileSample[] {
  const first = firstElement(bytes, listUnder([])) ?? {};
  const isEnveloped = first.type === 'header' && /phpmyadmin/i.test(String(first.comment));
  if (!isEnveloped) return [sampleOf('json', { root: 'array', first }), ...foundIn(bytes)];
  const inTable = firstElement(bytes, envelope) ?? {};
  return [sampleOf('json', { root: 'array', first: inTable, isEnveloped })];
}

/** A sample is scanned in pieces of this number of bytes until it has its first element. */
const scannedBytes = 2048;

/** The first element of a list when it is a complete object. */
function firstElement(bytes: Buffer, path: ListPath): SourceRow | undefined {
  const builder = new BatchBuilder();
  const scanner = new JsonScanner(path, builder);
  const isEnveloped = path === envelope;
  // A second table shows only after the first.
  const step = isEnveloped ? bytes.length : scannedBytes;
  for (let at = 0; at < bytes.length; at += step) {
    scanner.push(bytes.subarray(at, at + step));
    if (isEnveloped) requireOneTable(scanner);
    for (const batch of builder.take(0, true))
      return parsedObject(Buffer.from(batch.bytes.subarray(0, batch.ends[0])).toString('utf8'));
  }
  return undefined;
}

/** A string, or one of the structural characters of a document. */
const tokens = /"((?:[^"\\]|\\.)*)"|[{}[\]:,]/g;

const deeper: Readonly<Partial<Record<string, number>>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

interface TopLevel {
  readonly keys: readonly string[];
  /** The keys among these whose values are arrays. */
  readonly arrays: readonly string[];
  readonly said: Readonly<Record<string, string>>;
}

/** Keys of the top-level object and its texts, within the sample. */
function topLevel(bytes: Buffer): TopLevel {
  const keys: string[] = [];
  const arrays: string[] = [];
  const said: Record<string, string> = {};
  let isValue = false;
  let key = '';
  let depth = 0;
  let last: string | undefined;
  for (const [token, text] of bytes.toString('utf8').matchAll(tokens)) {
    depth += deeper[token] ?? 0;
    if (isValue && token === '[') arrays.push(key);
    if (isValue && text !== undefined) said[key] = text;
    isValue = token === ':' && depth === 1 && last !== undefined;
    if (isValue) {
      key = last ?? '';
      keys.push(key);
    }
    last = text;
  }
  return { keys, arrays, said };
}

async function csvSample(bytes: Buffer, { columns }: Reading, isCut: boolean): Promise<FileSample> {
  const end = bytes.lastIndexOf('\n');
  // The last line of a truncated sample is incomplete.
  const whole = !isCut || end < 0 ? bytes : bytes.subarray(0, end);
  const dialect = await dialectOf(whole, rowsIn);
  const rows = rowsIn(whole, dialect);
  const firstCells = ((await rows.next()).value as readonly string[] | undefined) ?? [];
  const cells = ((await rows.next()).value as readonly string[] | undefined) ?? [];
  await rows.return(undefined);
  const names = columns ?? firstCells.map((name) => name.trim());
  const first = rowByNames(names, columns === undefined ? cells : firstCells);
  return sampleOf('csv', { columns: names, first, dialect, firstCells });
}

const rowsIn: RowsIn = (text, dialect) => readRows({ chunks: once(text), bytesRead: () => 0 }, dialect);
