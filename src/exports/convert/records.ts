import type { FoundForm, RecordForm } from '../tasks.ts';
import type { ConversionReject, SourceRow } from '../providers/provider.ts';
import { withNames } from '../readers/names.ts';
import type { RawRecords } from '../readers/raw.ts';
import { objectIn, plainIn } from '../readers/within.ts';

/** The result of parsing a record. */
export type ReadRecord =
  | { readonly is: 'row'; readonly row: SourceRow }
  | { readonly is: 'blank' }
  | { readonly is: 'reject'; readonly reason: ConversionReject };

const blank = { is: 'blank' } as const;

/** The records of a batch one after the other. */
export function* readRecords(records: RawRecords, form: RecordForm): Generator<ReadRecord> {
  const oversized = new Set(records.oversized);
  let start = 0;
  for (const [place, end] of records.ends.entries()) {
    yield oversized.has(place) ? tooLong : readRecord(records.bytes.subarray(start, end), form);
    start = end;
  }
}

export const tooLong: ReadRecord = rejectOf('LINE_TOO_LONG', 'the record is larger than 4 MiB');

/** One record from its bytes; never throws. */
export function readRecord(bytes: Uint8Array, form: RecordForm): ReadRecord {
  const { names } = form;
  const read = readOwn(bytes, form);
  return names === undefined || read.is !== 'row' ? read : { is: 'row', row: withNames(read.row, names) };
}

function readOwn(bytes: Uint8Array, { columns, list }: RecordForm): ReadRecord {
  const value = parsed(bytes);
  if (value === undefined) return blank;
  if (list !== undefined) return readFound(value, list);
  // Instead of the cells: why they cannot be read.
  if (typeof value === 'string' && columns !== undefined) return rejectOf('INVALID_FIELD', value);
  if (typeof value !== 'object' || value === null) return notAnObject;
  if (Array.isArray(value)) {
    if (columns === undefined) return notAnObject;
    return rowOfCells(value as readonly string[], columns);
  }
  return { is: 'row', row: value as SourceRow };
}

/** A record of a recognised list, with its key and the text around the list. */
function readFound(value: unknown, { within, keyAs }: FoundForm): ReadRecord {
  const [key, beside, element] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const outer = objectIn(element);
  if (outer === undefined) return notAnObject;
  const inner = within === undefined ? outer : objectIn(outer[within]);
  if (inner === undefined)
    return rejectOf(
      'INVALID_FIELD',
      `the element has no object "${within ?? ''}", in which the others have their user`,
    );
  const around = within === undefined ? {} : plainIn(outer);
  const named = keyAs === undefined || key === null ? {} : { [keyAs]: key };
  return { is: 'row', row: { ...objectIn(beside), ...named, ...around, ...inner } };
}

const notAnObject = rejectOf('INVALID_JSON', 'the record is no JSON object');

function rejectOf(code: ConversionReject['code'], message: string): ReadRecord {
  return { is: 'reject', reason: { code, field: '', message } };
}

/** A number of JSON that JavaScript would round: an id would lose its last digits. */
const longNumber = /[:,[]\s*-?\d{16,}\s*[,}\]]/;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** undefined for a blank record, null unless it is JSON in UTF-8. */
function parsed(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    return text.trim() === '' ? undefined : parseJson(text);
  } catch {
    return null;
  }
}

/** As JSON.parse, except for whole numbers beyond 2^53, which are returned as their texts. */
export function parseJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, keepDigits) : (JSON.parse(text) as unknown);
}

/** A whole number beyond 2^53 as its text. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? (context?.source ?? value)
    : value;
}

/**
 * Cells by their columns' names. More or fewer cells than columns mean that a comma or a line break in a value is unquoted: every
 * cell after it is shifted, and a partial row may lack a guard of the user.
 */
function rowOfCells(cells: readonly string[], columns: readonly string[]): ReadRecord {
  if (cells.length !== columns.length)
    return rejectOf(
      'INVALID_FIELD',
      `the row has ${cells.length} cells for ${columns.length} columns: is there a comma or a line break in a value without quotes?`,
    );
  return { is: 'row', row: Object.fromEntries(cells.map((cell, place) => [columns[place] ?? '', cell])) };
}
