/** Fields under the names that a format has for them, where a file has its own: what `--map` says. */

import { ExportFault } from '../providers/provider.ts';
import type { SourceRow } from '../providers/provider.ts';

/** By the format's name: the file's. */
export type Names = Readonly<Record<string, string>>;

/** The row with the fields under their names in the format, too. What the file has not stays as it is. */
export function withNames(row: SourceRow, names: Names): SourceRow {
  const found = Object.entries(names).filter(([, own]) => Object.hasOwn(row, own));
  return { ...row, ...Object.fromEntries(found.map(([name, own]) => [name, row[own]])) };
}

/** @throws ExportFault for a name that no column of the file has */
export function requireColumns(file: string, columns: readonly string[], names: Names): void {
  const missing = Object.entries(names).find(([, own]) => !columns.includes(own));
  if (missing !== undefined)
    throw new ExportFault(
      `--map ${missing.join('=')}: ${file} has no column ${missing[1]}; it has ${columns.join(', ')}`,
    );
}
