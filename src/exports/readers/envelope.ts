/** JSON of phpMyAdmin: an array of a header, a database and its tables, each with its rows under `data`. */

import { ExportFault } from '../providers/provider.ts';
import type { JsonScanner } from './json-scanner.ts';
import { each, type ListPath } from './list-path.ts';

export const envelope: ListPath = { steps: [each, 'data', each] };

/** Rows of two tables would be mixed up. @throws ExportFault */
export function requireOneTable({ arrays }: JsonScanner): void {
  if (arrays > 1)
    throw new ExportFault(
      'the file holds several tables: export each table into a file of its own (in phpMyAdmin: open the table, then Export)',
    );
}
