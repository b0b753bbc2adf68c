import { linesOf } from '../input/lines.ts';

const batchBytes = 524_288;

/** Whole lines in batches for threads, each in memory of its own, which can be transferred. */
export async function* batchesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let lines: Uint8Array[] = [];
  let bytes = 0;
  for await (const line of linesOf(chunks)) {
    lines.push(line.slice());
    bytes += line.length + 1;
    if (bytes < batchBytes) continue;
    yield joined(lines, bytes);
    lines = [];
    bytes = 0;
  }
  if (lines.length === 0) return;
  yield joined(lines, bytes);
}

/** @param bytes of the lines, with a newline each */
function joined(lines: readonly Uint8Array[], bytes: number): Uint8Array {
  const batch = new Uint8Array(bytes);
  let at = 0;
  for (const line of lines) {
    batch.set(line, at);
    at += line.length;
    batch[at++] = 10;
  }
  return batch;
}
