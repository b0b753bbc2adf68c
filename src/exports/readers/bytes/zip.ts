/** The one file within a zip. */

import { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ExportFault } from '../../providers/provider.ts';
import { saveAsCsv } from './file-types.ts';

/** The position of its bytes in the zip. */
export interface ZippedFile {
  readonly start: number;
  /** The last one. */
  readonly end: number;
  readonly isDeflated: boolean;
  /** Of the uncompressed bytes. */
  readonly crc32: number;
}

const mostNamed = 5;
/** Entries by which a workbook is recognised: the specific ones follow some that all of its kind have. */
const mostLookedAt = 20;
const stored = 0;
const deflated = 8;

/** Entries that archivers add are not the user's files. */
const isBeside = /(^|\/)(__MACOSX\/|\._|\.DS_Store$)|\/$/;

/** @throws ExportFault unless there is exactly one file, and Node can decompress it */
export async function onlyFileIn(zip: string): Promise<ZippedFile> {
  const archive = await openPromise(zip, { autoClose: false }).catch(damaged);
  try {
    const entry = only(await entriesOf(archive));
    if (entry.isEncrypted()) throw new ExportFault('is zip with a password: unpack it, and give the file');
    const { compressionMethod: method } = entry;
    if (method !== stored && method !== deflated)
      throw new ExportFault(
        `is zip of method ${method}, which is not unpacked here: unpack it, and give the file`,
      );
    const { fileDataStart: start } = await archive
      .readLocalFileHeaderPromise(entry, { minimal: true })
      .catch(damaged);
    if (entry.compressedSize === 0) throw new ExportFault('is zip of an empty file');
    const end = start + entry.compressedSize - 1;
    return { start, end, isDeflated: method === deflated, crc32: entry.crc32 };
  } finally {
    archive.close();
  }
}

async function entriesOf(archive: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of archive.eachEntry()) {
      if (!isBeside.test(entry.fileName)) entries.push(entry);
      if (entries.length > mostLookedAt) break;
    }
  } catch (error) {
    if (error instanceof Error && unsafeName.test(error.message))
      throw new ExportFault(leadsOut, { cause: error });
    damaged(error);
  }
  return entries;
}

/** yauzl's error for a name that would be written outside of the folder where a zip is extracted. */
const unsafeName = /^(invalid relative path|absolute path|invalid characters in fileName)/;
const leadsOut =
  'is zip with a file whose name leads out of its folder (such as ../../x): nothing of it was read. If you trust it, unpack it into an empty folder, and give the file';

function only(entries: readonly Entry[]): Entry {
  const [first, second] = entries;
  if (first === undefined) throw new ExportFault('is zip without a file in it');
  const workbook = entries.map(({ fileName }) => workbookOf(fileName)).find((each) => each !== undefined);
  if (workbook !== undefined) throw new ExportFault(`is ${workbook}: ${saveAsCsv}`);
  if (second === undefined) return first;
  const named = entries.slice(0, mostNamed).map(({ fileName }) => fileName);
  const others = entries.length > mostNamed ? ', …' : '';
  throw new ExportFault(
    `is zip with several files (${named.join(', ')}${others}): unpack it, and give the one of the users or the folder`,
  );
}

/** Files of Office Open XML and OpenDocument are zips, whose parts have fixed names. */
function workbookOf(part: string): string | undefined {
  if (part.startsWith('xl/')) return 'an Excel workbook';
  if (/^(word|ppt)\//.test(part)) return 'a document of Office';
  return part === 'META-INF/manifest.xml' || part === 'content.xml' ? 'an OpenDocument file' : undefined;
}

function damaged(cause: unknown): never {
  throw new ExportFault('is damaged zip, or ends early: fetch it again', { cause });
}

/** Passes on the decompressed bytes, and fails at the end if they differ from the original. */
export function checkedBy(crc32: number): Transform {
  let sum = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = zlib.crc32(chunk, sum);
      done(undefined, chunk);
    },
    flush(done) {
      done(sum === crc32 ? undefined : new ExportFault('is damaged zip: fetch it again'));
    },
  });
}
