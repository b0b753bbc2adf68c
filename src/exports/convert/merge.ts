import { open, type FileHandle } from 'node:fs/promises';
import { entryAt, entryHeadBytes, type Entry } from './entries.ts';

const readBytes = 64 * 1024;

/**
 * The entries of several files, each ascending, by their record numbers 1, 2, 3 … Every number is in exactly one file, so the
 * next one is looked up and not compared.
 */
export async function* mergedEntries(paths: readonly string[]): AsyncGenerator<Entry> {
  const readers: EntryReader[] = [];
  try {
    const heads = new Map<number, EntryReader>();
    for (const path of paths) readers.push(new EntryReader(await open(path)));
    for (const reader of readers) heads.set((await reader.peek())?.record ?? 0, reader);
    for (let record = 1; ; record += 1) {
      const reader = heads.get(record);
      const entry = await reader?.peek();
      if (reader === undefined || entry === undefined) return;
      heads.delete(record);
      yield entry;
      reader.advance();
      heads.set((await reader.peek())?.record ?? 0, reader);
    }
  } finally {
    await Promise.allSettled(readers.map((reader) => reader.close()));
  }
}

/** Reads entries in turn. Invariant: `#bytes[#start, #end)` has been read and not consumed yet. */
class EntryReader {
  readonly #file: FileHandle;
  #bytes = Buffer.alloc(0);
  #start = 0;
  #next = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The next entry, undefined at the end of the file. Its bytes are valid until the next read. */
  async peek(): Promise<Entry | undefined> {
    for (;;) {
      const found = entryAt(this.#bytes, this.#start);
      if (found !== undefined) {
        this.#next = found.end;
        return found.entry;
      }
      if (!(await this.#read())) return undefined;
    }
  }

  advance(): void {
    this.#start = this.#next;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** @returns false at the end of the file */
  async #read(): Promise<boolean> {
    const kept = this.#bytes.subarray(this.#start);
    const grown = Buffer.allocUnsafe(Math.max(2 * kept.length, readBytes, entryHeadBytes));
    kept.copy(grown);
    const { bytesRead } = await this.#file.read(grown, kept.length, grown.length - kept.length, null);
    this.#bytes = grown.subarray(0, kept.length + bytesRead);
    this.#start = 0;
    return bytesRead > 0;
  }
}
