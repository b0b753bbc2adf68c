/** Checks `--map` against the first records of a file: the first alone may lack a field that others have. */

import type { SourceRow } from '../providers/provider.ts';
import { flattened, type Names, requireFlags, requireNear } from '../readers/names.ts';
import type { RawBatch } from '../readers/raw.ts';
import type { RecordForm } from '../tasks.ts';
import { readRecords } from './records.ts';

/**
 * The unchanged batches.
 * @throws ExportFault before the first is returned, for the negation of a column that is not a flag, and for a field that none of
 *   its records has if another has a similar name
 */
export async function* checkedByNames(
  file: string,
  {
    batches,
    form,
    names,
  }: { readonly batches: AsyncIterable<RawBatch>; readonly form: RecordForm; readonly names: Names },
): AsyncGenerator<RawBatch> {
  let isFirst = true;
  for await (const batch of batches) {
    if (isFirst) check(file, rowsOf(batch, form), names);
    isFirst = false;
    yield batch;
  }
}

function check(file: string, rows: readonly SourceRow[], names: Names): void {
  requireFlags(file, rows, names);
  const columns = new Set(rows.flatMap((row) => Object.keys(flattened(row))));
  requireNear(file, columns, names);
}

function rowsOf(batch: RawBatch, form: RecordForm): readonly SourceRow[] {
  const own = { ...form, names: undefined };
  return Array.from(readRecords(batch, own), (record) =>
    record.is === 'row' ? record.row : undefined,
  ).filter((row) => row !== undefined);
}
