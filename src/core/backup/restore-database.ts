import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Database } from '../../database/database.ts';
import { readMigrations } from '../../database/migrate.ts';
import { checkServer } from '../../database/server-check.ts';
import type { Table } from '../../database/transfer/contents.ts';
import { writeAll, type Writer } from '../../database/transfer/write-all.ts';
import type { Moved } from './backup-database.ts';
import { type Frame, jsonOf, readFrames, unusableBackup } from './frames.ts';
import { type EndOfTable, type Header, readHeader } from './header.ts';

export interface RestoreTask {
  readonly database: Database;
  readonly source: AsyncIterable<Uint8Array>;
  /** Of the source, if known. */
  readonly total: number | undefined;
  /** The one that the backup must have; left out: any. */
  readonly sha256?: string | undefined;
  readonly onMoved: (moved: Moved) => void;
  readonly interrupt: AbortSignal;
}

export interface Restored {
  readonly header: Header;
  readonly rows: ReadonlyMap<string, number>;
  /** Tables in the backup that are not a core's: others were in the same schema. */
  readonly leftOut: readonly string[];
}

/**
 * Restores a backup into a database without a core's tables, and migrates it to this core's version: all or nothing.
 * @throws StartupError
 */
export async function restore(task: RestoreTask): Promise<Restored> {
  const position = { bytes: 0 };
  const frames = readFrames(decompressed(counted(task, position)));
  try {
    const header = await readFirst(frames);
    await checkServer(task.database);
    return await writeAll(task.database, header.version, (writer) =>
      writeTables({ ...task, header, frames, position, writer }),
    );
  } finally {
    await frames.return('');
  }
}

interface Writing extends RestoreTask {
  readonly header: Header;
  readonly frames: AsyncGenerator<Frame, string>;
  readonly position: { bytes: number };
  readonly writer: Writer;
}

async function writeTables(writing: Writing): Promise<Restored> {
  const { header, frames, writer } = writing;
  const rows = new Map<string, number>();
  const leftOut: string[] = [];
  for (const table of header.tables) {
    const known = writer.tables.get(table.name);
    const content = new TableContent(writing, table);
    const count =
      known === undefined
        ? await content.skip()
        : await writer.writeTable(checked(table, known), content.rows());
    if (known === undefined) leftOut.push(table.name);
    else rows.set(table.name, count);
    content.check(count);
  }
  refuseMissing(writer, rows);
  // Reads to the end, which has the checksum.
  const end = await frames.next();
  if (end.done !== true) throw unusableBackup('it holds more tables than it names');
  if (writing.sha256 !== undefined && writing.sha256 !== end.value)
    throw unusableBackup('it is not the file that the manifest of its folder names: take that one');
  await writer.setSequences(header.sequences);
  return { header, rows, leftOut };
}

/** The rows of one table: frames up to its end. */
class TableContent {
  readonly #writing: Writing;
  readonly #table: Table;
  #end: EndOfTable | undefined;

  constructor(writing: Writing, table: Table) {
    this.#writing = writing;
    this.#table = table;
  }

  async *rows(): AsyncGenerator<Uint8Array> {
    const { frames, position, total, onMoved, interrupt } = this.#writing;
    for (;;) {
      interrupt.throwIfAborted();
      const next = await frames.next();
      if (next.done === true) throw unusableBackup('it ends within a table');
      const frame = next.value;
      if (frame.kind !== 'rows') {
        this.#end = jsonOf(frame.bytes) as EndOfTable;
        return;
      }
      onMoved({ bytes: position.bytes, total, table: this.#table.name });
      yield frame.bytes;
    }
  }

  /** @returns the number of rows that it states, uncounted */
  async skip(): Promise<number> {
    for await (const bytes of this.rows()) if (bytes.length === 0) break;
    return this.#end?.rows ?? 0;
  }

  check(count: number): void {
    const { name } = this.#table;
    if (this.#end?.table !== name)
      throw unusableBackup(`the end of its table ${name} is missing: take another one`);
    if (this.#end.rows !== count)
      throw unusableBackup(
        `its table ${name} has ${count} rows in place of ${this.#end.rows}: take another one`,
      );
  }
}

function checked(table: Table, known: Table): Table {
  const columns = new Set(known.columns);
  const isSame = table.columns.length === columns.size && table.columns.every((name) => columns.has(name));
  if (!isSame)
    throw unusableBackup(`its table ${table.name} has other columns than a core's of that version`);
  return table;
}

function refuseMissing(writer: Writer, rows: ReadonlyMap<string, number>): void {
  const missing = [...writer.tables.keys()].find((name) => !rows.has(name));
  if (missing !== undefined) throw unusableBackup(`its table ${missing} is missing`);
}

async function readFirst(frames: AsyncGenerator<Frame, string>): Promise<Header> {
  const first = await frames.next();
  const isHeader = first.done !== true && first.value.kind === 'header';
  return readHeader(isHeader ? jsonOf(first.value.bytes) : undefined, await readMigrations());
}

async function* counted(
  { source, interrupt }: RestoreTask,
  position: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    interrupt.throwIfAborted();
    position.bytes += bytes.length;
    yield bytes;
  }
}

/** Rewords errors of the stream, without codes that a transaction would take for the database's. */
async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unzipped = pipeline(Readable.from(source), createGunzip(), () => undefined);
  try {
    yield* unzipped as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw inWords(error);
  } finally {
    unzipped.destroy();
  }
}

function inWords(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR')
    return unusableBackup(
      'it ends before its end, because it was cut off or not finished: take another one',
      error,
    );
  if (code.startsWith('Z_'))
    return unusableBackup('it is not a file that carryover backup wrote, or it is damaged', error);
  if (code === '') return error;
  return unusableBackup(`it cannot be read (${code})`, error);
}
