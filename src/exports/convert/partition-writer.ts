import { open, type FileHandle } from 'node:fs/promises';
import type { RawRecords } from '../readers/raw.ts';
import { blankMark, droppedMark, entryHead, oversizedLength } from './entries.ts';

/** Bytes buffered for each partition before they are written. */
const gatheredBytes = 64 * 1024;

/** Writes the records of one table into a file for each partition. */
export interface PartitionWriter {
  /** @param partitions by record, or a mark of entries.ts */
  write(records: RawRecords, partitions: Uint16Array): Promise<void>;
  /** Closes the files. @returns the number of records, including dropped ones */
  close(): Promise<number>;
  /** Closes the files after an error. */
  abandon(): Promise<void>;
}

interface Partition {
  readonly file: FileHandle;
  parts: Uint8Array[];
  size: number;
}

/** Creates the files, readable by no other OS user. */
export async function createPartitionWriter(paths: readonly string[]): Promise<PartitionWriter> {
  const partitions: Partition[] = [];
  for (const path of paths) partitions.push({ file: await open(path, 'wx', 0o600), parts: [], size: 0 });
  let count = 0;

  async function add(partition: Partition, parts: readonly Uint8Array[]): Promise<void> {
    partition.parts.push(...parts);
    for (const part of parts) partition.size += part.length;
    if (partition.size >= gatheredBytes) await flush(partition);
  }

  const closeAll = async (): Promise<void> => {
    await Promise.allSettled(partitions.map(({ file }) => file.close()));
  };

  return {
    async write({ bytes, ends, oversized }, marks) {
      const tooLong = new Set(oversized);
      let start = 0;
      for (const [place, end] of ends.entries()) {
        count += 1;
        const mark = marks[place] ?? droppedMark;
        const record = mark === blankMark ? new Uint8Array() : bytes.subarray(start, end);
        start = end;
        const target = partitions[mark === blankMark ? 0 : mark];
        if (target === undefined) continue;
        const length = tooLong.has(place) ? oversizedLength : record.length;
        await add(target, [entryHead(count, length, 0), record]);
      }
    },
    async close() {
      for (const partition of partitions) await flush(partition);
      await closeAll();
      return count;
    },
    abandon: closeAll,
  };
}

async function flush(partition: Partition): Promise<void> {
  const bytes = Buffer.concat(partition.parts);
  partition.parts = [];
  partition.size = 0;
  if (bytes.length > 0) await partition.file.writeFile(bytes);
}
