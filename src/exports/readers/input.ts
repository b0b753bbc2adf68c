import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ExportFault } from '../providers/provider.ts';

/** A file that is read once, from its start. */
export interface Input {
  /** Its bytes, decompressed where it is gzip, without a byte order mark. May throw ExportFault. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Bytes read of the file itself, so compressed ones where it is compressed. */
  readonly bytesRead: () => number;
}

export interface InputOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of one read. */
  readonly chunkBytes?: number | undefined;
}

const chunkBytes = 256 * 1024;
const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);
/** RFC 1952, section 2.3.1: ID1, ID2. */
const gzipMark = Buffer.from([0x1f, 0x8b]);
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

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
    chunks: withoutMark(file, isCompressed ? gunzipped(source) : source),
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
      const start = Buffer.alloc(utf8Mark.length);
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

async function* withoutMark(file: string, source: Readable): AsyncGenerator<Buffer> {
  // The mark may come in several reads: nothing is passed on before there is enough to decide.
  let start: Buffer | undefined = Buffer.alloc(0);
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      if (start === undefined) {
        yield chunk;
        continue;
      }
      start = Buffer.concat([start, chunk]);
      if (start.length < utf8Mark.length) continue;
      yield textStart(file, start);
      start = undefined;
    }
    if (start !== undefined && start.length > 0) yield textStart(file, start);
  } catch (error) {
    throw translated(file, error);
  }
}

function textStart(file: string, start: Buffer): Buffer {
  if (utf16Marks.some((mark) => start.subarray(0, mark.length).equals(mark)))
    throw new ExportFault(`${file} is UTF-16: save it as UTF-8 and try again`);
  return start.subarray(0, utf8Mark.length).equals(utf8Mark) ? start.subarray(utf8Mark.length) : start;
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
