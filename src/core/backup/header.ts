import type { Contents, Sequence, Table } from '../../database/transfer/contents.ts';
import { unusableBackup } from './frames.ts';

const format = 'carryover backup';
const formatVersion = 1;

/** The first frame of a backup. */
export interface Header {
  readonly format: typeof format;
  readonly formatVersion: number;
  /** Of the program that wrote it. */
  readonly madeBy: string;
  /** ISO 8601 */
  readonly madeAt: string;
  /** The newest migration, by number and by file. */
  readonly version: number;
  readonly migration: string;
  /** In the order of the frames. */
  readonly tables: readonly Table[];
  readonly sequences: readonly Sequence[];
}

/** The frame behind the rows of a table. */
export interface EndOfTable {
  readonly table: string;
  readonly rows: number;
}

export function headerOf(contents: Contents, madeBy: string, now: number): Header {
  const { version, migration, tables, sequences } = contents;
  const madeAt = new Date(now).toISOString();
  return { format, formatVersion, madeBy, madeAt, version, migration, tables, sequences };
}

/**
 * @param known migrations of this core, by number
 * @throws StartupError for what is no header, or one of a database that this core cannot make
 */
export function readHeader(value: unknown, known: ReadonlyMap<number, string>): Header {
  if (!isHeader(value)) throw unusableBackup('it is not a file that carryover backup wrote');
  const { version, migration, madeBy } = value;
  const newest = Math.max(0, ...known.keys());
  if (value.formatVersion !== formatVersion)
    throw unusableBackup(`carryover ${madeBy} wrote it in a newer format: take that version or a newer one`);
  if (version > newest)
    throw unusableBackup(
      `its database is at version ${version}, and this carryover knows ${newest}: take carryover ${madeBy} or a newer one`,
    );
  if (known.get(version) !== migration)
    throw unusableBackup(`version ${version} of its database is another one here: take carryover ${madeBy}`);
  return value;
}

function isHeader(value: unknown): value is Header {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === format;
}
