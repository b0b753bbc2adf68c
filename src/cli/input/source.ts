import { createReadStream } from 'node:fs';
import { fileError, InputChanged } from '../command-error.ts';
/** The source of an upload, whatever it is made from. */
export interface UploadSource {
  /** The unit that a reject's number counts: lines of a native file, records of an export. */
  readonly unit: 'line' | 'record';
  /** Bytes of the whole upload; undefined until `open` has reached the end once. */
  readonly length: number | undefined;
  /** Bytes of the file that it is made from. */
  readonly fileBytes: number;
  /** How progress is shown where it is not measured in bytes. */
  readonly shownAs?: { readonly of: string };
  /**
   * The bytes from this offset of the upload on. Returns the same bytes each time.
   * @throws CommandError when the file has changed
   */
  open(offset: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** The position in the file of an offset of the upload, for display. Offsets only grow. */
  fileBytesAt(offset: number): number;
}

const readBytes = 262_144;

/** A file that is already NDJSON of native records: sent unchanged, from any offset. */
export function nativeSource(file: string, size: number): UploadSource {
  return {
    unit: 'line',
    length: size,
    fileBytes: size,
    open: (offset, signal) => read(file, offset, size, signal),
    fileBytesAt: (offset) => offset,
  };
}

/** Exactly the bytes up to the size that was reported to the core: a file that grows in the meantime is cut there. */
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
