/** A table of no known system: the command that imports it, proposed for a person to confirm. */

import { sourceRecords } from '../../exports/convert/source-records.ts';
import { requireProvider } from '../../exports/providers/index.ts';
import { ExportFault, type SourceRow } from '../../exports/providers/provider.ts';
import { shellWord } from '../../exports/readers/bytes/shell-word.ts';
import type { Reading } from '../../exports/readers/reading.ts';
import {
  type ColumnLooks,
  flagsOf,
  type Proposal,
  proposeMapping,
} from '../../exports/recognise/propose-mapping.ts';
import { carryover } from '../../process/called.ts';
import { printable } from '../output/format.ts';

/** Records whose values a proposal is tried on. */
const recordsTried = 1000;

/** What a proposal reads. */
export interface Table {
  readonly file: string;
  /** As it was given. */
  readonly shown: string;
  readonly reading: Reading | undefined;
}

/** Lines with the command and what it leaves out. undefined where no column holds emails, or the file cannot be read. */
export async function proposedCommand(
  table: Table,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const rows = await rowsOf(table, signal).catch((error: unknown) => {
    if (error instanceof ExportFault) return [];
    throw error;
  });
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const proposal = rows.length === 0 ? undefined : proposeMapping(columns, rows);
  if (proposal === undefined) return undefined;
  const command = `${carryover} import ${shellWord(table.shown)} ${flagsOf(proposal)}`;
  return [command, ...leftOut(proposal)];
}

async function rowsOf({ file, reading }: Table, signal: AbortSignal): Promise<readonly SourceRow[]> {
  const provider = requireProvider('native');
  const rows: SourceRow[] = [];
  const source = { file, related: {}, provider, options: {}, tenant: undefined, reading, isPartial: true };
  for await (const { read } of sourceRecords(source, signal)) {
    const row = read();
    if (row !== undefined) rows.push(row);
    if (rows.length >= recordsTried) break;
  }
  return rows;
}

const words: Readonly<Record<ColumnLooks, string>> = {
  hash: 'looks like hashes, and is not mapped',
  salt: 'looks like salts: map it with passwordSalt=COLUMN, and say with --hash-as how hash and salt belong together',
  guard:
    'looks like it says who may sign in: if it does, map it with isDisabled=COLUMN, or isDisabled=!COLUMN if it says who is active',
  factor: 'looks like a second factor, and is not mapped',
  date: 'looks like dates, and is not mapped',
};

function leftOut({ unused }: Proposal): readonly string[] {
  return unused.map(
    ({ column, looks }) =>
      `  column ${printable(column)} ${words[looks].replaceAll('COLUMN', printable(column))}`,
  );
}
