/** The temporary files of a join: records with their numbers, concatenated, all integers little-endian. */

/** Marks instead of a partition. A row of another table is dropped; a blank record keeps its number. */
export const droppedMark = 0xffff;
export const blankMark = 0xfffe;

/** Length of an entry whose record was over the limit. */
export const oversizedLength = 0xffff_ffff;

/** Record number, bytes of the first part, bytes of the second. */
export const entryHeadBytes = 12;

export interface Entry {
  /** From 1. */
  readonly record: number;
  /** A record, or the line made from it. */
  readonly text: Uint8Array;
  /** JSON of the reject, in files of results. */
  readonly reject: Uint8Array;
  readonly isOversized: boolean;
}

/** The head of an entry. */
export function entryHead(record: number, textBytes: number, rejectBytes: number): Buffer {
  const head = Buffer.allocUnsafe(entryHeadBytes);
  head.writeUInt32LE(record, 0);
  head.writeUInt32LE(textBytes, 4);
  head.writeUInt32LE(rejectBytes, 8);
  return head;
}

/** The entry at `start` and the start of the next; undefined when `bytes` does not contain all of it. */
export function entryAt(bytes: Buffer, start: number): { entry: Entry; end: number } | undefined {
  if (start + entryHeadBytes > bytes.length) return undefined;
  const length = bytes.readUInt32LE(start + 4);
  const isOversized = length === oversizedLength;
  const textStart = start + entryHeadBytes;
  const textEnd = textStart + (isOversized ? 0 : length);
  const end = textEnd + bytes.readUInt32LE(start + 8);
  if (end > bytes.length) return undefined;
  const entry = {
    record: bytes.readUInt32LE(start),
    text: bytes.subarray(textStart, textEnd),
    reject: bytes.subarray(textEnd, end),
    isOversized,
  };
  return { entry, end };
}

/** Every entry of a whole file. */
export function* entriesOf(bytes: Buffer): Generator<Entry> {
  for (let found = entryAt(bytes, 0); found !== undefined; found = entryAt(bytes, found.end))
    yield found.entry;
}
