import { createGzip, type Gzip } from 'node:zlib';
import type { Database } from '../../database/database.ts';
import { readAll, type Reader } from '../../database/transfer/read-all.ts';
import { FrameWriter } from './frames.ts';
import { headerOf } from './header.ts';

export interface Moved {
  /** Read from the database or the file. */
  readonly bytes: number;
  /** An estimate; undefined if unknown. */
  readonly total: number | undefined;
  readonly table: string;
}

export interface BackupTask {
  readonly database: Database;
  /** Consumes the backup. The bytes end with an error if it is incomplete. */
  readonly take: (bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly onMoved: (moved: Moved) => void;
  readonly version: string;
  /** ms since the epoch */
  readonly now: number;
}

export interface BackedUp {
  readonly version: number;
  readonly rows: ReadonlyMap<string, number>;
}

/** The bytes are mostly hashes, which higher levels hardly compress. */
const level = 1;

/** The first failure is reported: later ones are its consequences. */
class FirstFailure {
  #failure: { readonly error: unknown } | undefined;

  readonly note = (error: unknown): void => {
    this.#failure ??= { error };
  };

  throw(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/**
 * Writes all of a core's data as of one moment, while it serves.
 * @throws StartupError if it is not a core's database; errors of `take`
 */
export async function backUp(task: BackupTask): Promise<BackedUp> {
  const gzip = createGzip({ level });
  const first = new FirstFailure();
  let done: BackedUp | undefined;
  const written = task.take(gzip).catch((error: unknown) => {
    first.note(error);
    gzip.destroy();
  });
  const read = readAll(task.database, (reader) => writeFrames(reader, gzip, task))
    .then((result) => {
      done = result;
      gzip.end();
    })
    .catch((error: unknown) => {
      first.note(error);
      gzip.destroy(error as Error);
    });
  await Promise.all([written, read]);
  first.throw();
  if (done === undefined) throw new Error('a backup ended without its end');
  return done;
}

async function writeFrames(reader: Reader, gzip: Gzip, task: BackupTask): Promise<BackedUp> {
  const { contents } = reader;
  const frames = new FrameWriter((bytes) => writeTo(gzip, bytes));
  const rows = new Map<string, number>();
  const total = contents.bytes;
  let bytes = 0;
  await frames.json('header', headerOf(contents, task.version, task.now));
  for (const table of contents.tables) {
    const count = await reader.readTable(table, async (piece) => {
      bytes += piece.length;
      task.onMoved({ bytes, total, table: table.name });
      await frames.rows(piece);
    });
    await frames.json('endOfTable', { table: table.name, rows: count });
    rows.set(table.name, count);
  }
  await frames.end();
  return { version: contents.version, rows };
}

/** Without a system code, which a transaction would take for one of the database. */
function writeTo(gzip: Gzip, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    gzip.write(bytes, (error) => {
      if (error) reject(new Error('the backup cannot be written any more'));
      else resolve();
    });
  });
}
