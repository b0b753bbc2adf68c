import { createReadStream } from 'node:fs';
import { fileFailure, InputChanged } from '../failure.ts';
import type { UploadSource } from './source.ts';

const readBytes = 262_144;

/** A file that is NDJSON of native records already: goes out as it is, from whatever offset. */
export function nativeSource(file: string, size: number): UploadSource {
  return {
    unit: 'line',
    length: size,
    fileBytes: size,
    open: (offset, signal) => read(file, offset, size, signal),
    fileBytesAt: (offset) => offset,
  };
}

/** Exactly the bytes up to the size that the core was told: a file that grows meanwhile is cut there. */
async function* read(
  file: string,
  offset: number,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (offset >= size) return;
  let left = size - offset;
  const stream = createReadStream(file, { start: offset, end: size - 1, highWaterMark: readBytes, signal });
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      left -= chunk.length;
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw fileFailure(file, error);
  }
  if (left > 0) throw new InputChanged(`${file}: became shorter while it was read: import it anew`);
}
