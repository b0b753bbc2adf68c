/** Compressed files, by their beginning, whatever their names. */

import { type Duplex, pipeline, type Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { ExportFault } from '../../providers/provider.ts';
import { shellWord } from './shell-word.ts';
import { unxz } from './xz.ts';
import { checkedBy, type ZippedFile } from './zip.ts';
import { wholeFrames } from './zstd-frames.ts';

export type Compression = 'gzip' | 'zstd' | 'xz' | 'bzip2' | 'zip';

/** RFC 1952, RFC 8878, the .xz file format, bzip2, APPNOTE.TXT of zip. */
const marks: readonly { readonly name: Compression; readonly mark: Buffer }[] = [
  { name: 'gzip', mark: Buffer.of(0x1f, 0x8b) },
  { name: 'zstd', mark: Buffer.of(0x28, 0xb5, 0x2f, 0xfd) },
  { name: 'xz', mark: Buffer.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00) },
  { name: 'bzip2', mark: Buffer.from('BZh') },
  { name: 'zip', mark: Buffer.of(0x50, 0x4b, 0x03, 0x04) },
];

/** Bytes by which a format is recognised. */
export const compressionMarkBytes = 10;

/** The compression of a file that begins with `start`; undefined: none. */
export function compressionOf(start: Buffer): Compression | undefined {
  const found = marks.find(({ mark }) => mark.equals(start.subarray(0, mark.length)))?.name;
  // Text may begin with these three letters: after them and a digit a block of bzip2 begins with digits of pi.
  const isText = found === 'bzip2' && start.toString('latin1', 4, 10) !== '1AY&SY';
  return isText ? undefined : found;
}

/** A compressed file. */
export interface Packed {
  readonly file: string;
  readonly compression: Compression;
  /** For a zip: its one file. */
  readonly zipped: ZippedFile | undefined;
}

/**
 * The uncompressed bytes. A reader that stops early closes `source`, too.
 * @param source the bytes of the file; for a zip those of its one file
 * @throws ExportFault for an unsupported compression
 */
export function unpacked(source: Readable, packed: Packed): Readable {
  if (packed.compression === 'xz') return unxz(source);
  const steps = stepsOf(packed);
  pipeline([source, ...steps], () => undefined);
  return steps.at(-1) ?? source;
}

function stepsOf({ file, compression, zipped }: Packed): Duplex[] {
  if (compression === 'gzip') return [zlib.createGunzip()];
  if (zipped) return [...(zipped.isDeflated ? [zlib.createInflateRaw()] : []), checkedBy(zipped.crc32)];
  // Available in Node from 22.15 on.
  if (compression === 'zstd' && typeof zlib.createZstdDecompress === 'function')
    return [wholeFrames(), zlib.createZstdDecompress()];
  throw new ExportFault(
    `is ${compression}, which is not unpacked here: type ${compression} -dk ${shellWord(file)}, and give the file that it makes`,
  );
}
