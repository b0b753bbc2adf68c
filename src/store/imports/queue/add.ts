import type { NewEntries, NewEntry, QueueStore } from '../../../imports/queue/ports.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { Database } from '../../database/database.ts';

/** The app's public tenant is held, so that nothing is left behind by an app that is removed at the same moment. */
const add = `
  with held as materialized (
    select 1 from tenants t where t.app_no = $1 and t.tenant_no = 0 for key share
  ),
  present as materialized (
    select count(*) as entries from (select 1 from import_queue q where q.app_no = $1 limit $6) q
  ),
  added as (
    insert into import_queue (app_no, entry_id, record, traces, created_at, updated_at)
    select $1, e.id, e.record, e.traces::uuid[], $5, $5
    from unnest($2::uuid[], $3::text[], $4::text[]) with ordinality e (id, record, traces, n)
    where exists (select 1 from held) and (select p.entries from present p) + $7 <= $6
    order by e.n
    returning 1
  )
  select exists (select 1 from held) as is_there, (select count(*)::int from added) as added`;

/** What follows in the same transaction. */
const addMore = `
  insert into import_queue (app_no, entry_id, record, traces, created_at, updated_at)
  select $1, e.id, e.record, e.traces::uuid[], $5, $5
  from unnest($2::uuid[], $3::text[], $4::text[]) with ordinality e (id, record, traces, n)
  order by e.n`;

/** UTF-16 units of records in one statement. */
const sliceLength = 1024 * 1024;

/** In one transaction, but in several statements: the event loop makes and sends one slice at a time. */
export async function addEntries(
  transaction: Database['transaction'],
  appNo: number,
  entries: NewEntries,
  { now, maxEntries }: Parameters<QueueStore['add']>[2],
): Promise<'added' | 'full' | 'app-gone'> {
  return transaction(async (query) => {
    let isFirst = true;
    for (const slice of slicesOf(entries)) {
      const columns = [appNo, ...columnsOf(slice), now];
      if (isFirst) {
        const [row] = await query<Added>(add, [...columns, maxEntries, entries.length]);
        if (row?.is_there !== true) return 'app-gone';
        if (row.added < slice.length) return 'full';
      } else await query(addMore, columns);
      isFirst = false;
    }
    return 'added';
  });
}

interface Added {
  readonly is_there: boolean;
  readonly added: number;
}

function columnsOf(entries: readonly NewEntry[]): string[] {
  return [
    plainArray(entries, ({ id }) => id),
    textArray(entries, ({ record }) => record),
    // Arrays of arrays would have to be of one length.
    textArray(entries, ({ traces }) => plainArray(traces, (trace) => trace)),
  ];
}

/** Of a MiB or a record more. */
function* slicesOf(entries: Iterable<NewEntry>): Generator<NewEntry[]> {
  let slice: NewEntry[] = [];
  let length = 0;
  for (const entry of entries) {
    slice.push(entry);
    length += entry.record.length;
    if (length < sliceLength) continue;
    yield slice;
    slice = [];
    length = 0;
  }
  if (slice.length > 0) yield slice;
}
