import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ExportFault } from '../providers/provider.ts';
import {
  compressionMarkBytes,
  compressionOf,
  unpacked,
  type Compression,
  type Packed,
} from './bytes/compression.ts';
import { EndsEarly, Ending } from './ending.ts';
import { asUtf8, encodingByMark, type Encoding } from './bytes/encodings.ts';
import { onlyFileIn, type ZippedFile } from './bytes/zip.ts';

/** A file that is read once, from its start. */
export interface Input {
  /** Its bytes as UTF-8, decompressed, without a byte order mark. May throw ExportFault. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Bytes read of the file itself, compressed or not. */
  readonly bytesRead: () => number;
}

export interface InputOptions {
  /** Notes that the file ends early; left out: that is thrown. */
  readonly ending?: Ending | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bytes of one read. */
  readonly chunkBytes?: number | undefined;
  /** For a file without a byte order mark; left out: UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** Files up to this number of bytes are read whole, and closed before they are parsed: a stream costs more than reading them. */
  readonly wholeBytes?: number | undefined;
}

const chunkBytes = 256 * 1024;

/** Opens `file`; compression is recognised by the first bytes, whatever the name. @throws ExportFault when it cannot be read */
export async function openInput(file: string, options: InputOptions = {}): Promise<Input> {
  const start = await startOf(file, options.wholeBytes);
  if (start.isWhole && isPlainText(start.bytes, options.encoding)) return inputOf(start.bytes);
  const compression = compressionOf(start.bytes);
  const zipped = compression === 'zip' ? await zippedIn(file) : undefined;
  const source = createReadStream(file, {
    highWaterMark: options.chunkBytes ?? chunkBytes,
    ...(zipped && { start: zipped.start, end: zipped.end }),
    ...(options.signal && { signal: options.signal }),
  });
  // The iterating caller gets the error too; a file that was opened and never read must not end the process.
  source.on('error', () => undefined);
  const text = compression === undefined ? source : unpackedOf(source, { file, compression, zipped });
  return {
    chunks: textOf(file, { source: text, compression, ending: options.ending }, options.encoding),
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

function unpackedOf(source: Readable, packed: Packed): Readable {
  try {
    return unpacked(source, packed);
  } catch (error) {
    source.destroy();
    throw named(packed.file, error);
  }
}

/**
 * Up to `limit` bytes of the file's text, of a plain one by a single read.
 * @throws ExportFault when it cannot be read
 */
export async function readStart(
  file: string,
  limit: number,
  encoding: Encoding | undefined,
): Promise<Buffer> {
  if (limit <= oneReadBytes) {
    const { bytes } = await startOf(file, limit, limit);
    if (isPlainText(bytes, encoding)) return bytes;
  }
  // Whether the file ends early matters when it is read.
  const ending = new Ending(file);
  const { chunks } = await openInput(file, { encoding, ending, chunkBytes: Math.min(limit, chunkBytes) });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(parts).subarray(0, limit);
}

const oneReadBytes = 64 * 1024;

/** Whether the bytes can be used directly: not compressed, UTF-8, without a mark. */
function isPlainText(start: Buffer, encoding: Encoding = 'utf-8'): boolean {
  const isText = encoding === 'utf-8' && encodingByMark(start) === undefined;
  return isText && compressionOf(start) === undefined;
}

function inputOf(bytes: Buffer): Input {
  return { chunks: once(bytes), bytesRead: () => bytes.length };
}

/** As if a file was read, without an actual wait. */
// eslint-disable-next-line @typescript-eslint/require-await
export async function* once<Bytes extends Uint8Array>(bytes: Bytes): AsyncGenerator<Bytes> {
  if (bytes.length > 0) yield bytes;
}

/** The compression of `file`, by its first bytes. @throws ExportFault when it cannot be read */
export async function compressionIn(file: string): Promise<Compression | undefined> {
  return compressionOf((await startOf(file)).bytes);
}

interface Start {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** All of a file of up to `wholeBytes`; `least` bytes of a larger one. */
async function startOf(file: string, wholeBytes = 0, least = compressionMarkBytes): Promise<Start> {
  try {
    const handle = await open(file);
    try {
      // Each system call is waited for, so unnecessary ones are avoided.
      const size = wholeBytes === 0 ? Infinity : (await handle.stat()).size;
      const isWhole = size <= wholeBytes;
      return { bytes: await readFirst(handle, isWhole ? size : least), isWhole };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new ExportFault(`${file} cannot be read: ${codeOf(error)}`);
  }
}

/** Fewer than `bytes` only if the file has no more. */
async function readFirst(handle: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  let used = 0;
  while (used < bytes) {
    const { bytesRead } = await handle.read(buffer, used, bytes - used, used);
    if (bytesRead === 0) break;
    used += bytesRead;
  }
  return buffer.subarray(0, used);
}

interface Text {
  readonly source: Readable;
  readonly compression: Compression | undefined;
  readonly ending: Ending | undefined;
}

async function* textOf(
  file: string,
  { source, compression = 'gzip', ending }: Text,
  encoding: Encoding | undefined,
): AsyncGenerator<Buffer> {
  try {
    yield* asUtf8(ending === undefined ? source : toItsEnd(source, ending), encoding);
  } catch (error) {
    throw translated(file, compression, error);
  }
}

/** The available bytes of a truncated file. */
async function* toItsEnd(source: Readable, ending: Ending): AsyncGenerator<Buffer> {
  try {
    yield* source as AsyncIterable<Buffer>;
  } catch (error) {
    const isCut = error instanceof EndsEarly || codeOf(error) === 'Z_BUF_ERROR';
    if (!isCut) throw error;
    // Iteration would drop decompressed bytes when the stream fails.
    for (let left = readLeft(source); left !== null; left = readLeft(source)) yield left;
    ending.note('ENDS_EARLY', 'the compressed file ends early: fetch it again');
  }
}

function readLeft(source: Readable): Buffer | null {
  return source.read() as Buffer | null;
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
