/** Files that are compressed: by what they begin with, whatever they are called. */

import type { Duplex, Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { ExportFault } from '../../providers/provider.ts';
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

/** Bytes by which one is known. */
export const compressionMarkBytes = 10;

/** How a file that begins with `start` is compressed; undefined: not at all. */
export function compressionOf(start: Buffer): Compression | undefined {
  const found = marks.find(({ mark }) => mark.equals(start.subarray(0, mark.length)))?.name;
  // Text may begin with three letters: behind them and a digit a block of bzip2 begins with those of pi.
  const isText = found === 'bzip2' && start.toString('latin1', 4, 10) !== '1AY&SY';
  return isText ? undefined : found;
}

/** The bytes as they were before. @throws ExportFault for what no part of Node unpacks */
export function unpacked(source: Readable, compression: Compression): Readable {
  const unpacking = unpackerOf(compression);
  unpacking.on('error', () => undefined);
  source.on('error', (error) => unpacking.destroy(error));
  // A caller that stops reading destroys this one; the file is to be closed with it.
  unpacking.on('close', () => source.destroy());
  if (compression !== 'zstd') return source.pipe(unpacking);
  const whole = wholeFrames();
  whole.on('error', (error) => unpacking.destroy(error));
  return source.pipe(whole).pipe(unpacking);
}

const byHand: Readonly<Record<Exclude<Compression, 'gzip'>, string>> = {
  zstd: 'zstd -dc',
  xz: 'xz -dc',
  bzip2: 'bzip2 -dc',
  zip: 'unzip -p',
};

function unpackerOf(compression: Compression): Duplex {
  if (compression === 'gzip') return zlib.createGunzip();
  // Node has it from 22.15 on.
  if (compression === 'zstd' && typeof zlib.createZstdDecompress === 'function')
    return zlib.createZstdDecompress();
  throw new ExportFault(
    `is ${compression}, which is not unpacked here: send what ${byHand[compression]} gives to the standard input, and give - as the file`,
  );
}
