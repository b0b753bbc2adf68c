import { isUtf8 } from 'node:buffer';

/** @param text undefined when the line is not UTF-8. @param start of the line in the chunk's bytes; `end` is without its line end */
export type VisitLine = (text: string | undefined, start: number, end: number) => void;

const newline = 10;
const carriageReturn = 13;
const byteOrderMark = Buffer.from('\ufeff');

/**
 * Calls `visit` for each physical line, including blank ones. The chunk is decoded as a whole; only if it is not UTF-8, line by
 * line, so that a bad line does not affect others.
 * @returns the number of lines
 */
export function visitLines(chunk: Uint8Array, visit: VisitLine): number {
  const bytes = bufferOf(chunk);
  return isUtf8(bytes) ? visitWhole(bytes, visit) : visitEach(bytes, visit);
}

/** As `visitLines`, without their text: UTF-8 is not checked. */
export function visitSpans(chunk: Uint8Array, visit: (start: number, end: number) => void): number {
  const bytes = bufferOf(chunk);
  let lines = 0;
  for (let start = 0; start < bytes.length; lines++) {
    const next = behindLine(bytes, start);
    visit(start, endOfLine(bytes, start, next));
    start = next;
  }
  return lines;
}

function bufferOf(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
}

/** @param start of an upload @returns it without its byte order mark, in the same memory */
export function withoutByteOrderMark(start: Uint8Array): Uint8Array {
  const hasMark = bufferOf(start).subarray(0, byteOrderMark.length).equals(byteOrderMark);
  return hasMark ? start.subarray(byteOrderMark.length) : start;
}

/** Goes through text and bytes in parallel: in UTF-8 a newline is one byte, and no other byte looks like it. */
function visitWhole(bytes: Buffer, visit: VisitLine): number {
  const text = bytes.toString('utf8');
  let lines = 0;
  let textStart = 0;
  for (let start = 0; start < bytes.length; lines++) {
    const next = behindLine(bytes, start);
    const end = endOfLine(bytes, start, next);
    const textEnd = text.indexOf('\n', textStart);
    const stop = textEnd < 0 ? text.length : textEnd;
    // A newline and a carriage return are one character each, as they are one byte.
    visit(text.slice(textStart, stop - (end < lineStop(bytes, next) ? 1 : 0)), start, end);
    textStart = stop + 1;
    start = next;
  }
  return lines;
}

function visitEach(bytes: Buffer, visit: VisitLine): number {
  let lines = 0;
  for (let start = 0; start < bytes.length; lines++) {
    const next = behindLine(bytes, start);
    const end = endOfLine(bytes, start, next);
    visit(textOf(bytes, start, end), start, end);
    start = next;
  }
  return lines;
}

/** @returns undefined when the line is not UTF-8 */
function textOf(bytes: Uint8Array, start: number, end: number): string | undefined {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  return isUtf8(line) ? line.toString('utf8') : undefined;
}

function behindLine(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(newline, start);
  return end < 0 ? bytes.length : end + 1;
}

/** The position of the line's newline, or the end of the chunk. */
function lineStop(bytes: Buffer, next: number): number {
  return bytes[next - 1] === newline ? next - 1 : next;
}

/** The same without a carriage return before it. */
function endOfLine(bytes: Buffer, start: number, next: number): number {
  const stop = lineStop(bytes, next);
  return stop > start && bytes[stop - 1] === carriageReturn ? stop - 1 : stop;
}
