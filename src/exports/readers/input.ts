import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ExportFault } from '../providers/provider.ts';
import { asUtf8, type Encoding } from './encodings.ts';

/** A file that is read once, from its start. */
export interface Input {
  /** Its bytes as UTF-8, decompressed where it is gzip, without a byte order mark. May throw ExportFault. */
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
/** RFC 1952, section 2.3.1: ID1, ID2. */
const gzipMark = Buffer.from([0x1f, 0x8b]);

/** Opens `file`; gzip is recognised by its first bytes, whatever the name. @throws ExportFault when it cannot be read */
export async function openInput(file: string, options: InputOptions = {}): Promise<Input> {
  const isCompressed = await isGzip(file);
  const source = createReadStream(file, {
    highWaterMark: options.chunkBytes ?? chunkBytes,
    ...(options.signal && { signal: options.signal }),
  });
  // The caller that iterates gets it too; a file that was opened and never read must not end the process.
  source.on('error', () => undefined);
  return {
    chunks: textOf(file, isCompressed ? gunzipped(source) : source, options.encoding),
    bytesRead: () => source.bytesRead,
  };
}

/** Whether `file` is gzip, by its first bytes. @throws ExportFault when it cannot be read */
export async function isGzip(file: string): Promise<boolean> {
  return (await startOf(file)).subarray(0, gzipMark.length).equals(gzipMark);
}

async function startOf(file: string): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      const start = Buffer.alloc(gzipMark.length);
      const { bytesRead } = await handle.read(start, 0, start.length, 0);
      return start.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new ExportFault(`${file} cannot be read: ${codeOf(error)}`);
  }
}

function gunzipped(source: Readable): Readable {
  const gunzip = createGunzip();
  gunzip.on('error', () => undefined);
  source.on('error', (error) => gunzip.destroy(error));
  // A caller that stops reading destroys the gunzip; the file is to be closed with it.
  gunzip.on('close', () => source.destroy());
  return source.pipe(gunzip);
}

async function* textOf(
  file: string,
  source: Readable,
  encoding: Encoding | undefined,
): AsyncGenerator<Buffer> {
  try {
    yield* asUtf8(source as AsyncIterable<Buffer>, encoding);
  } catch (error) {
    throw translated(file, error);
  }
}

function translated(file: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'Z_BUF_ERROR') return new ExportFault(`${file} is gzip and ends early: fetch it again`);
  if (code.startsWith('Z_')) return new ExportFault(`${file} is damaged gzip: fetch it again`);
  return code.startsWith('E') ? new ExportFault(`${file} cannot be read: ${code}`) : error;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown reason';
}
