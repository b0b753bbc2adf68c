import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal, PassThrough, pipeline, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandError, fileError, systemCode } from '../command-error.ts';
import type { Surroundings } from '../surroundings.ts';

export interface OpenFile {
  /** Unpacked. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The size of the file itself, compressed or not; 0 for the standard input. */
  readonly totalBytes: number;
  /** The number of these bytes that were read. */
  readonly bytesRead: () => number;
}

/** A file, which may be compressed by gzip, or `-`: read until the interrupt. @throws CommandError when it cannot be read */
export async function openFile(file: string, { folder, stdin, interrupt }: Surroundings): Promise<OpenFile> {
  const through = (from: AsyncIterable<Uint8Array>, to: Transform): AsyncGenerator<Uint8Array> =>
    named(
      addAbortSignal(
        interrupt,
        pipeline(from, to, () => undefined),
      ),
      file,
    );
  if (file === '-') return { chunks: through(stdin, new PassThrough()), totalBytes: 0, bytesRead: () => 0 };
  const at = path.resolve(folder, file);
  const { isGzip, totalBytes } = await lookAt(at).catch((error: unknown) => {
    throw fileError(file, error);
  });
  const stream = createReadStream(at);
  const chunks = through(stream, isGzip ? createGunzip() : new PassThrough());
  return { chunks, totalBytes, bytesRead: () => stream.bytesRead };
}

async function lookAt(at: string): Promise<{ readonly isGzip: boolean; readonly totalBytes: number }> {
  const handle = await open(at, 'r');
  try {
    const { size: totalBytes } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return { isGzip: buffer[0] === 0x1f && buffer[1] === 0x8b, totalBytes };
  } finally {
    await handle.close();
  }
}

async function* named(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (systemCode(error)?.startsWith('Z_') === true)
      throw new CommandError(`${file}: is no valid gzip, or ends too early: make it again`, { cause: error });
    throw fileError(file, error);
  }
}
