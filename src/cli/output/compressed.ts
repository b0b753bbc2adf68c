import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Whether a file is to be compressed, by its name. */
export function isPacked(file: string): boolean {
  return /\.gz$/i.test(file);
}

/** As gzip. */
export async function* compressed(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  const filled = pipeline(chunks, gzip);
  // Reading it throws the same error.
  filled.catch(() => undefined);
  yield* gzip as AsyncIterable<Uint8Array>;
  await filled;
}
