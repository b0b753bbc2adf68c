import type { NewEntries, NewEntry, QueueStore } from '../../../imports/queue/ports.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { Database } from '../../../database/database.ts';

const columns = 'app_no, entry_id, record, traces, status, error_message, created_at, updated_at';

/** 1 is NEW, 3 FAILED. */
const rows = `select $1, e.id, e.record, e.traces::uuid[], case when e.failure is null then 1 else 3 end, e.failure, $6, $6
  from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) with ordinality e (id, record, traces, failure, n)`;

/** The app's public tenant is locked, so that an app that is removed at the same moment leaves nothing. */
const add = `
  with held as materialized (
    select 1 from tenants t where t.app_no = $1 and t.tenant_no = 0 for key share
  ),
  present as materialized (
    select count(*) as entries from (select 1 from import_queue q where q.app_no = $1 limit $7) q
  ),
  added as (
    insert into import_queue (${columns})
    ${rows}
    where exists (select 1 from held) and (select p.entries from present p) + $8 <= $7
    order by e.n
    returning 1
  )
  select exists (select 1 from held) as is_there, (select count(*)::int from added) as added`;

/** The following entries of the same transaction. */
const addMore = `
  insert into import_queue (${columns})
  ${rows}
  order by e.n`;

/** UTF-16 units of records in one statement. */
const sliceLength = 1024 * 1024;

/** In one transaction, but in several statements: the event loop builds and sends one slice at a time. */
export async function addEntries(
  transaction: Database['transaction'],
  appNo: number,
  entries: NewEntries,
  { now, maxEntries }: Parameters<QueueStore['add']>[2],
): Promise<'added' | 'full' | 'app-gone'> {
  return transaction(async (query) => {
    let isFirst = true;
    for (const slice of slicesOf(entries)) {
      const parameters = [appNo, ...columnsOf(slice), now];
      if (isFirst) {
        const [row] = await query<Added>(add, [...parameters, maxEntries, entries.length]);
        if (row?.is_there !== true) return 'app-gone';
        if (row.added < slice.length) return 'full';
      } else await query(addMore, parameters);
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
    textArray(entries, ({ errorMessage }) => errorMessage),
  ];
}

/** Slices of a MiB, plus at most one record. */
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
