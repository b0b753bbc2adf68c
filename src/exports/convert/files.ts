/** A table in several files, which are read in turn as if they were one. */

import { ExportFault, type ConvertOptions } from '../providers/provider.ts';
import type { Ending } from '../readers/ending.ts';
import type { RawBatch } from '../readers/raw.ts';
import type { RecordForm } from '../tasks.ts';
import type { FileBeginning } from './ports.ts';

/** Records of a table with their form, which may differ from file to file. */
export interface FormedBatch extends RawBatch {
  readonly form: RecordForm;
  /** The files whose first record is in this batch. */
  readonly starts: readonly FileStart[];
}

export interface FileStart {
  /** Its index among the files. */
  readonly file: number;
  /** The index of its first record in the batch. */
  readonly place: number;
}

/** @param firstRecord the number of the batch's first record */
export function beginnings(starts: readonly FileStart[], firstRecord: number): FileBeginning[] {
  return starts.map(({ file, place }) => ({ file, firstRecord: firstRecord + place }));
}

/** A table in one file that is being read. */
export interface OpenFile {
  readonly file: string;
  readonly form: RecordForm;
  /** Texts of the file before its records, by name. */
  readonly preamble: ConvertOptions;
  readonly batches: AsyncIterable<RawBatch>;
  /** Complete after the last batch. */
  readonly ending: Ending;
}

/** undefined: the file has no such table. */
export type OpenLater = () => Promise<OpenFile | undefined>;

/**
 * The records of one file after the other. A file is opened shortly before it is read, so that the number of open files is small
 * for any number of them. Small files share a batch, cut by the files' sizes.
 * @throws ExportFault, also if a file has other texts before its records than the first
 */
export function inTurn(first: OpenFile, later: readonly OpenLater[]): FilesInTurn {
  const endings: Ending[] = [];
  const each = oneByOne(first, later, endings);
  return { batches: later.length === 0 ? each : gathered(each), endings };
}

export interface FilesInTurn {
  readonly batches: AsyncIterable<FormedBatch>;
  /** For the files that were read completely, in their order. */
  readonly endings: readonly Ending[];
}

async function* oneByOne(
  first: OpenFile,
  later: readonly OpenLater[],
  endings: Ending[],
): AsyncGenerator<FormedBatch> {
  let bytesBefore = 0;
  // Opened while another one is read: with many small files most of the time is spent waiting.
  const ahead: ReturnType<OpenLater>[] = [Promise.resolve(first)];
  let begun = 0;
  for (let file = 0; file <= later.length; file += 1) {
    for (; begun < later.length && begun < file + mostAhead; begun += 1) ahead.push(opening(later[begun]));
    const opened = await ahead.shift();
    if (opened === undefined) continue;
    requireAlike(first, opened);
    let starts: readonly FileStart[] = [{ file, place: 0 }];
    let bytesRead = 0;
    for await (const batch of opened.batches) {
      ({ bytesRead } = batch);
      yield { ...batch, form: opened.form, starts, bytesRead: bytesBefore + bytesRead };
      starts = [];
    }
    bytesBefore += bytesRead;
    endings.push(opened.ending);
  }
}

/** Files that are open or in memory in addition to the one that is read. */
const mostAhead = 4;

/** The code that reads it gets its error; until then it must not count as unhandled. */
function opening(open: OpenLater | undefined): ReturnType<OpenLater> {
  const opened = open?.() ?? Promise.resolve(undefined);
  opened.catch(() => undefined);
  return opened;
}

/** A file's statement about its hashes holds for the whole import. */
function requireAlike(first: OpenFile, other: OpenFile): void {
  if (JSON.stringify(first.preamble) === JSON.stringify(other.preamble)) return;
  throw new ExportFault(
    `${other.file}: the lines before its header row differ from those of ${first.file}: import it separately`,
  );
}

/** As for a file's own batches, see raw.ts. */
const batchBytes = 512 * 1024;
const batchRecords = 4096;

async function* gathered(batches: AsyncIterable<FormedBatch>): AsyncGenerator<FormedBatch> {
  let waiting: FormedBatch[] = [];
  let [bytes, records] = [0, 0];
  for await (const batch of batches) {
    const isFull = bytes + batch.bytes.length > batchBytes || records + batch.ends.length > batchRecords;
    if (waiting[0] !== undefined && (isFull || !isSameForm(waiting[0].form, batch.form))) {
      yield together(waiting);
      [waiting, bytes, records] = [[], 0, 0];
    }
    waiting.push(batch);
    bytes += batch.bytes.length;
    records += batch.ends.length;
  }
  if (waiting.length > 0) yield together(waiting);
}

/** Whether records of both have the same form. */
export function isSameForm(one: RecordForm, other: RecordForm): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function together(batches: readonly FormedBatch[]): FormedBatch {
  const [first, last] = [batches[0], batches.at(-1)];
  if (first === undefined || last === undefined || first === last) return first ?? nothing;
  const ends: number[] = [];
  const oversized: number[] = [];
  const starts: FileStart[] = [];
  let bytes = 0;
  for (const batch of batches) {
    const place = ends.length;
    for (const start of batch.starts) starts.push({ ...start, place: place + start.place });
    for (const each of batch.oversized) oversized.push(place + each);
    for (const end of batch.ends) ends.push(bytes + end);
    bytes += batch.bytes.length;
  }
  return {
    bytes: new Uint8Array(Buffer.concat(batches.map((batch) => batch.bytes))),
    ends: Uint32Array.from(ends),
    oversized,
    bytesRead: last.bytesRead,
    form: first.form,
    starts,
  };
}

const nothing: FormedBatch = {
  bytes: new Uint8Array(),
  ends: new Uint32Array(),
  oversized: [],
  bytesRead: 0,
  form: { columns: undefined },
  starts: [],
};
