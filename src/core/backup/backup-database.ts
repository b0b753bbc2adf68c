import { createGzip, type Gzip } from 'node:zlib';
import type { Database } from '../../database/database.ts';
import { quotedTable } from '../../database/transfer/contents.ts';
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
  /** Of the content before compression. */
  readonly sha256: string;
  readonly apps: readonly BackedUpApp[];
}

/** A row of `apps`: in the first place also the names of apps that are elsewhere. */
export interface BackedUpApp {
  readonly appId: string;
  /** The place that has its data; null for this one. */
  readonly home: string | null;
  /** Whether a move was about to change its home. */
  readonly isHeld: boolean;
}

/** Databases of older versions lack the columns of places. */
const readApps = `
  select app_id as "appId", to_jsonb(a) ->> 'home' as home, coalesce((to_jsonb(a) ->> 'held')::boolean, false) as "isHeld"
  from ${quotedTable('apps')} a order by app_no`;

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
  const apps = await reader.read<BackedUpApp>(readApps);
  return { version: contents.version, rows, sha256: await frames.end(), apps };
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
