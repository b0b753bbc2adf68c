/** The ends of files that are too large to be read twice: evidence of whether a file is complete. */

import { open } from 'node:fs/promises';
import { compressionOf } from './bytes/compression.ts';
import { encodingByMark } from './bytes/encodings.ts';
import { endsInLine, firstByteOf, isCutJson } from './cut-lines.ts';
import { Ending, missingFrom, type Incomplete } from './ending.ts';
import { each } from './list-path.ts';
import { pagesIn } from './pages.ts';
import { DumpTrailer } from './sql/dump-end.ts';
import { isDump } from './sql/sql-dialect.ts';

/** Enough for the line of a record, or for a list's statements after its records. */
const endBytes = 1024 * 1024;

const newline = 0x0a;
const openBrace = 0x7b;
const openBracket = 0x5b;

/**
 * The evidence in the first and last mebibyte of each file: a trailer, a bracket, the end of a line, the token of a next page.
 * CSV and compressed files show nothing there. Other faults are found when the file is read.
 */
export async function missingAtEnds(files: readonly string[]): Promise<readonly Incomplete[]> {
  const endings: Ending[] = [];
  for (const file of files) endings.push(await lookAtEnds(file));
  // The number of records in these pages is unknown.
  return missingFrom(endings);
}

async function lookAtEnds(file: string): Promise<Ending> {
  const ending = new Ending(file);
  const { start, end } = await endsOf(file);
  const isText = compressionOf(start) === undefined && (encodingByMark(start) ?? 'utf-8') === 'utf-8';
  const first = firstByteOf(start);
  if (!isText) return ending;
  if (isDump(start)) noteTrailer(start, end, ending);
  else if (first === openBrace && isOfLines(start)) noteLine(end, ending);
  else if (first === openBrace || first === openBracket)
    noteDocument(end, first === openBrace ? '}' : ']', ending);
  return ending;
}

async function endsOf(file: string): Promise<{ readonly start: Buffer; readonly end: Buffer }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (position: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(endBytes), 0, endBytes, position);
      return buffer.subarray(0, bytesRead);
    };
    return { start: await read(0), end: await read(Math.max(0, size - endBytes)) };
  } finally {
    await handle.close();
  }
}

function noteTrailer(start: Buffer, end: Buffer, ending: Ending): void {
  const trailer = new DumpTrailer();
  trailer.push(start);
  trailer.push(end);
  const { missing } = trailer;
  if (missing !== undefined) ending.note('NO_TRAILER', missing);
}

/** Whether the first line is an object, and others follow it. */
function isOfLines(start: Buffer): boolean {
  const end = start.indexOf(newline);
  const hasMore = end >= 0 && firstByteOf(start.subarray(end)) !== undefined;
  return hasMore && !isCutJson(start.subarray(0, end));
}

function noteLine(end: Buffer, ending: Ending): void {
  const last = end.findLastIndex((byte) => byte > 0x20) + 1;
  const start = end.lastIndexOf(newline, Math.max(0, last - 1)) + 1;
  // A line longer than the part that was read is not judged.
  if (start > 0 && isCutJson(end.subarray(start, last))) ending.note('ENDS_EARLY', endsInLine(undefined));
}

function noteDocument(end: Buffer, bracket: string, ending: Ending): void {
  const text = end.toString('utf8').trimEnd();
  if (!text.endsWith(bracket)) {
    ending.note(
      'ENDS_EARLY',
      'it is JSON, and its last bracket is missing: export it again, or copy it again',
    );
    return;
  }
  const after = fieldsAfterRecords(text);
  // A total may count other records than those of this file.
  const pages =
    after === undefined ? [] : pagesIn([after], Array.isArray(after) ? [each, '_', each] : ['_', each]);
  ending.notePages(pages.map(({ continuedBy }) => ({ continuedBy, total: undefined })));
}

/** Lists that are tried, from the end: users' own lists come before. */
const listsTried = 8;
const wrappings = ['{"_":[', '{"_":{"_":[', '{"_":{"_":{"_":[', '[{"_":['];

/** The fields of a document after its list of records; undefined if they are not visible. */
function fieldsAfterRecords(text: string): unknown {
  let at = text.length;
  for (let tried = 0; tried < listsTried; tried += 1) {
    at = text.lastIndexOf(']', at - 1);
    if (at < 0) return undefined;
    for (const wrapping of wrappings) {
      const found = parsed(wrapping + text.slice(at));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
