import type { Input } from '../../src/exports/readers/input.ts';
import type { RawBatch } from '../../src/exports/readers/raw.ts';

/** `text` as a file that is read in pieces of these sizes; in one piece if left out. */
export function cut(text: string | Uint8Array, sizes?: (bound: number) => number): Input {
  const bytes = Buffer.from(text);
  // eslint-disable-next-line @typescript-eslint/require-await
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let start = 0; start < bytes.length;) {
      const size = sizes?.(64) ?? bytes.length;
      yield bytes.subarray(start, start + size);
      start += size;
    }
  }
  return { chunks: chunks(), bytesRead: () => bytes.length };
}

/** The records of every batch as texts. */
export async function recordsOf(batches: AsyncIterable<RawBatch>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { bytes, ends } of batches) {
    let start = 0;
    for (const end of ends) {
      found.push(Buffer.from(bytes.subarray(start, end)).toString());
      start = end;
    }
  }
  return found;
}
