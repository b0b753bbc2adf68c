import type { Prepared } from './write-chunk.ts';
import type { SingleRecord } from '../parse/types.ts';

const utf8 = new TextDecoder();

/** A valid record of the chunk, as it is looked at by itself. */
export function singleRecord({ parsed, bytes, linesBefore, hashes }: Prepared, record: number): SingleRecord {
  const text = utf8.decode(bytes.subarray(parsed.spans[2 * record], parsed.spans[2 * record + 1]));
  const made = hashes.get(record);
  return {
    record,
    line: linesBefore + (parsed.linesOf[record] ?? 0),
    text,
    ...(made && { hashes: made }),
  };
}
