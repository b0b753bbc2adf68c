import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ExportFault } from '../providers/provider.ts';
import { compressionMarkBytes, compressionOf, unpacked, type Compression } from './bytes/compression.ts';
import { asUtf8, type Encoding } from './bytes/encodings.ts';
import { onlyFileIn, type ZippedFile } from './bytes/zip.ts';

/** A file that is read once, from its start. */
export interface Input {
  /** Its bytes as UTF-8, unpacked where it is compressed, without a byte order mark. May throw ExportFault. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Bytes read of the file itself, so compressed ones where it is compressed. */
  readonly bytesRead: () => number;
}

export interface InputOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of one read. */
  readonly chunkBytes?: number | undefined;
  /** Of a file without a byte order mark; left out: UTF-8. */
  readonly encoding?: Encoding | undefined;
}

const chunkBytes = 256 * 1024;

/** Opens `file`; compression is recognised by the first bytes, whatever the name. @throws ExportFault when it cannot be read */
export async function openInput(file: string, options: InputOptions = {}): Promise<Input> {
  const compression = await compressionIn(file);
  const zipped = compression === 'zip' ? await zippedIn(file) : undefined;
  const source = createReadStream(file, {
    highWaterMark: options.chunkBytes ?? chunkBytes,
    ...(zipped && { start: zipped.start, end: zipped.end }),
    ...(options.signal && { signal: options.signal }),
  });
  // The caller that iterates gets it too; a file that was opened and never read must not end the process.
  source.on('error', () => undefined);
  const text =
    compression === undefined ? source : unpackedOf(file, source, (of) => unpacked(of, compression, zipped));
  return {
    chunks: textOf(file, { source: text, compression }, options.encoding),
    bytesRead: () => source.bytesRead,
  };
}

async function zippedIn(file: string): Promise<ZippedFile> {
  try {
    return await onlyFileIn(file);
  } catch (error) {
    throw named(file, error);
  }
}

function unpackedOf(file: string, source: Readable, unpack: (source: Readable) => Readable): Readable {
  try {
    return unpack(source);
  } catch (error) {
    source.destroy();
    throw named(file, error);
  }
}

/** How `file` is compressed, by its first bytes. @throws ExportFault when it cannot be read */
export async function compressionIn(file: string): Promise<Compression | undefined> {
  return compressionOf(await startOf(file));
}

async function startOf(file: string): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      const start = Buffer.alloc(compressionMarkBytes);
      const { bytesRead } = await handle.read(start, 0, start.length, 0);
      return start.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new ExportFault(`${file} cannot be read: ${codeOf(error)}`);
  }
}

interface Text {
  readonly source: Readable;
  readonly compression: Compression | undefined;
}

async function* textOf(
  file: string,
  { source, compression = 'gzip' }: Text,
  encoding: Encoding | undefined,
): AsyncGenerator<Buffer> {
  try {
    yield* asUtf8(source as AsyncIterable<Buffer>, encoding);
  } catch (error) {
    throw translated(file, compression, error);
  }
}

function translated(file: string, compression: Compression, error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'Z_BUF_ERROR')
    return new ExportFault(`${file} is ${compression} and ends early: fetch it again`);
  if (code.startsWith('Z')) return new ExportFault(`${file} is damaged ${compression}: fetch it again`);
  return code.startsWith('E') ? new ExportFault(`${file} cannot be read: ${code}`) : named(file, error);
}

function named(file: string, error: unknown): unknown {
  const isUnpacking = error instanceof ExportFault && error.message.startsWith('is ');
  return isUnpacking ? new ExportFault(`${file} ${error.message}`) : error;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown reason';
}
