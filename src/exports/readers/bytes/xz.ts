import { Readable } from 'node:stream';
import xz from 'xz-decompress';
import { ExportFault } from '../../providers/provider.ts';
import { EndsEarly } from '../ending.ts';

/** XZ_BUF_ERROR of xz-embedded: the input ended, or is followed by something that is not xz. Other codes mean damaged bytes. */
const endsEarly = 8;
const failure = /^get_next_output failed with error code (\d+)$/;

/**
 * The uncompressed bytes. The library decompresses one stream at a time and makes others wait, so it begins only when it is read
 * from.
 */
export function unxz(source: Readable): Readable {
  return Readable.from(unpacking(source), { objectMode: false });
}

async function* unpacking(source: Readable): AsyncGenerator<Buffer> {
  try {
    const packed = Readable.toWeb(source) as ReadableStream<Uint8Array>;
    for await (const piece of new xz.XzReadableStream(packed))
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.length);
  } catch (error) {
    throw inWords(error);
  }
}

function inWords(error: unknown): unknown {
  const code = error instanceof Error ? failure.exec(error.message)?.[1] : undefined;
  if (code === undefined) return error;
  return Number(code) === endsEarly
    ? new EndsEarly('is xz and ends early: fetch it again', { cause: error })
    : new ExportFault('is damaged xz: fetch it again', { cause: error });
}
