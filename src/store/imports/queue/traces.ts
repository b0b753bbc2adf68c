import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { Database } from '../../../database/database.ts';

const untraced = `
  select q.app_no, q.entry_id, q.record from import_queue q
  where q.traces is null
  limit $1`;

const trace = `
  update import_queue q set traces = e.traces::uuid[]
  from unnest($1::int[], $2::uuid[], $3::text[]) e (app_no, id, traces)
  where q.app_no = e.app_no and q.entry_id = e.id and q.traces is null`;

/** Of 1 MiB at most. */
const entriesAtOnce = 100;

interface UntracedRow {
  readonly app_no: number;
  readonly entry_id: string;
  readonly record: string;
}

/**
 * Gives traces to entries of the queue that a core of an older version stored. For the sweeper.
 * @param tracesOf the digests by which a record is found, of its JSON
 * @returns how many there were
 */
export async function traceEntries(
  { read, write }: Pick<Database, 'read' | 'write'>,
  tracesOf: (record: string) => readonly string[],
): Promise<number> {
  for (let total = 0; ;) {
    const rows = await read<UntracedRow>(untraced, [entriesAtOnce]);
    if (rows.length === 0) return total;
    await write(trace, [
      plainArray(rows, (row) => row.app_no),
      plainArray(rows, (row) => row.entry_id),
      textArray(rows, ({ record }) => plainArray(tracesOf(record), (each) => each)),
    ]);
    total += rows.length;
  }
}
