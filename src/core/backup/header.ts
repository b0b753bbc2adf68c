import type { Contents, Sequence, Table } from '../../database/transfer/contents.ts';
import { type Applied, findOther } from '../../database/migrate.ts';
import { unusableBackup } from './frames.ts';

const format = 'carryover backup';
const formatVersion = 1;

export interface Header {
  readonly format: typeof format;
  readonly formatVersion: number;
  readonly madeBy: string;
  /** ISO 8601 */
  readonly madeAt: string;
  /** The newest migration. */
  readonly version: number;
  /** All of its database, oldest first. */
  readonly migrations: readonly Applied[];
  /** In the order of the frames. */
  readonly tables: readonly Table[];
  readonly sequences: readonly Sequence[];
}

/** Follows the rows of a table. */
export interface EndOfTable {
  readonly table: string;
  readonly rows: number;
}

export function headerOf(contents: Contents, madeBy: string, now: number): Header {
  const { version, migrations, tables, sequences } = contents;
  const madeAt = new Date(now).toISOString();
  return { format, formatVersion, madeBy, madeAt, version, migrations, tables, sequences };
}

/**
 * @param known migrations of this core, oldest first
 * @throws StartupError for an invalid header, or one of a database that this core cannot make
 */
export function readHeader(value: unknown, known: readonly Applied[]): Header {
  if (!isHeader(value)) throw unusableBackup('it is not a file that carryover backup wrote');
  const { version, madeBy } = value;
  if (value.formatVersion !== formatVersion)
    throw unusableBackup(`carryover ${madeBy} wrote it in a newer format: take that version or a newer one`);
  if (!hasMigrations(value) || findOther(value.migrations, known) !== undefined)
    throw unusableBackup(
      'a development version of carryover, before 0.1.0, made its database: restore it with that version, export its users, and import them here',
    );
  const newest = known.at(-1)?.version ?? 0;
  if (version > newest)
    throw unusableBackup(
      `its database is at version ${version}, and this carryover knows ${newest}: take carryover ${madeBy} or a newer one`,
    );
  return value;
}

function isHeader(value: unknown): value is Header {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === format;
}

/** Development versions named only the newest. */
function hasMigrations(header: Header): boolean {
  return 'migrations' in header && Array.isArray(header.migrations);
}
