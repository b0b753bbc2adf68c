import { createReadStream } from 'node:fs';
import { fileError, InputChanged } from '../command-error.ts';
/** What is uploaded, whatever it is made of. */
export interface UploadSource {
  /** What a reject's number counts: lines of a native file, records of an export. */
  readonly unit: 'line' | 'record';
  /** Bytes of the whole upload; undefined until `open` has come to the end once. */
  readonly length: number | undefined;
  /** Bytes of the file that it is made of. */
  readonly fileBytes: number;
  /**
   * The bytes from this offset of the upload on. Gives the same bytes each time.
   * @throws CommandError when the file is not the one it was
   */
  open(offset: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** How far into the file an offset of the upload is, for showing. Offsets only grow. */
  fileBytesAt(offset: number): number;
}

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

/** Exactly the bytes up to the size that was reported to the core: a file that grows meanwhile is cut there. */
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
    throw fileError(file, error);
  }
  if (left > 0) throw new InputChanged(`${file}: became shorter while it was read: import it again`);
}
