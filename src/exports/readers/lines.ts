import type { Input } from './input.ts';
import { BatchBuilder } from './raw.ts';
import type { RawBatch } from './raw.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Newline-delimited JSON: one record each line, blank lines being records without bytes, so that places are lines. */
export async function* readLines({ chunks, bytesRead }: Input): AsyncGenerator<RawBatch> {
  const builder = new BatchBuilder();
  // A carriage return at the end of a read may belong to the line's end or to the line.
  let isHeldBack = false;
  for await (const chunk of chunks) {
    const bytes: Buffer = isHeldBack ? Buffer.concat([Buffer.of(carriageReturn), chunk]) : chunk;
    isHeldBack = bytes[bytes.length - 1] === carriageReturn;
    addLines(builder, isHeldBack ? bytes.subarray(0, -1) : bytes);
    yield* builder.take(bytesRead());
  }
  if (builder.isUnderWay) builder.end();
  yield* builder.take(bytesRead(), true);
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
