import { lineBytesLimit } from '../../domain/line-limit.ts';
import type { Reject } from '../../imports/model.ts';

/**
 * Lines of a stream of bytes, without their ends; the last may lack its newline. Memory: a chunk and the longest line. Lines
 * longer than a core accepts are cut one byte above its limit, so that they are recognised. A line is valid until the next one is
 * requested.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const part = chunk.subarray(from, end);
      yield trimmed(rest.length === 0 ? part : Buffer.concat([...rest, part]));
      rest = [];
      restBytes = 0;
      from = end + 1;
    }
    const kept = chunk.slice(from, from + Math.max(0, lineBytesLimit + 1 - restBytes));
    if (kept.length > 0) rest.push(kept);
    restBytes += kept.length;
  }
  if (rest.length > 0) yield trimmed(Buffer.concat(rest));
}

function trimmed(line: Uint8Array): Uint8Array {
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}

/** In the core's words. @param line its number, from 1 */
export function lineTooLong(line: number): Reject {
  return { line, code: 'LINE_TOO_LONG', field: '', message: 'The record is longer than 1 MiB' };
}
