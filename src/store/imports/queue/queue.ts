import type {
  ClaimedEntry,
  QueueEntry,
  QueuePage,
  QueueStatus,
  QueueStore,
  Settlement,
} from '../../../imports/queue/ports.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import { asCoreId } from '../../../domain/identity.ts';
import type { Database, Query } from '../../../database/database.ts';
import { addEntries } from './add.ts';

const statusNumbers = { NEW: 1, PROCESSING: 2, FAILED: 3 } as const satisfies Record<QueueStatus, number>;
const statuses: Readonly<Record<number, QueueStatus>> = { 1: 'NEW', 2: 'PROCESSING', 3: 'FAILED' };

/** Bytes of records in one answer. */
const pageBytes = 8 * 1024 * 1024;

/** @param condition for the status, so that each list has a separate index */
function pageText(condition: string): string {
  return `
    with page as materialized (
      select q.entry_id, q.status, q.error_message, q.created_at, q.updated_at, octet_length(q.record) as bytes
      from import_queue q
      where q.app_no = $1 and q.entry_id < $2 ${condition}
      order by q.entry_id desc limit $3
    ),
    measured as materialized (
      select p.*, count(*) over () as found,
        sum(p.bytes) over (order by p.entry_id desc) as total, row_number() over (order by p.entry_id desc) as place
      from page p
    )
    select m.*, q.record from measured m join import_queue q on q.app_no = $1 and q.entry_id = m.entry_id
    where m.place < $3 and (m.place = 1 or m.total <= ${pageBytes})
    order by m.entry_id desc`;
}
const pageOfAll = pageText('');
const pageOfStatus = pageText('and q.status = $4');

interface ListedRow {
  readonly entry_id: string;
  readonly status: number;
  readonly error_message: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly record: string;
  readonly found: number;
}

const countAll = 'select count(*)::int as count from import_queue q where q.app_no = $1';
const countStatus = `${countAll} and q.status = $2`;

const remove = `
  delete from import_queue q where q.app_no = $1 and q.entry_id = any($2::uuid[]) returning q.entry_id as id`;

/** No core works on it, or the one that did is considered dead. */
const isDue = 'q.status < 3 and (q.status = 1 or q.leased_until <= $2)';
/** In the order of arrival, over all cores. */
const inOrder = 'arrival, entry_id';
/** Apps in one batch. */
const appsAtOnce = 8;

/**
 * The app's lease keeps the order: of two records of one user a core imports the later one only when no other core has the
 * earlier one under way.
 *
 * - `waiting`: the apps with due entries, one probe each.
 * - `stale`: expired leases. The lease under which a core is committing an import is locked (`holdLease`), and skipped.
 * - `free`: not of an app whose rows only follow another place.
 * - `leased`: a race for an app without a lease has one winner.
 */
const claim = `
  with recursive waiting as (
    (select q.app_no from import_queue q where q.status < 3 order by q.app_no limit 1)
    union all
    select (
      select q.app_no from import_queue q where q.status < 3 and q.app_no > w.app_no order by q.app_no limit 1
    )
    from waiting w where w.app_no is not null
  ),
  stale as materialized (
    select l.app_no from import_queue_leases l where l.leased_until <= $2 order by l.app_no for update skip locked
  ),
  free as materialized (
    select w.app_no
    from waiting w
    cross join lateral (
      select q.arrival, q.entry_id from import_queue q
      where q.app_no = w.app_no and ${isDue}
      order by ${inOrder} limit 1
    ) q
    where not exists (select 1 from apps a where a.app_no = w.app_no and a.held)
      and (not exists (select 1 from import_queue_leases l where l.app_no = w.app_no)
        or ((w.app_no in (select s.app_no from stale s)) is true))
    order by ${inOrder} limit ${appsAtOnce}
  ),
  leased as (
    insert into import_queue_leases as l (app_no, lease, leased_until)
    select f.app_no, $1, $3 from free f order by f.app_no
    on conflict (app_no) do update set lease = excluded.lease, leased_until = excluded.leased_until
    where l.leased_until <= $2
    returning l.app_no
  ),
  due as materialized (
    select q.*
    from leased l
    cross join lateral (
      select q.app_no, q.entry_id, q.arrival, octet_length(q.record) as bytes from import_queue q
      where q.app_no = l.app_no and ${isDue}
      order by ${inOrder} limit $4
    ) q
  ),
  measured as materialized (
    select d.*, row_number() over (order by ${inOrder}) as place,
      sum(d.bytes) over (order by ${inOrder}) - d.bytes as bytes_before
    from due d
  ),
  claimed as (
    update import_queue q set status = 2, lease = $1, leased_until = $3, updated_at = $2
    from measured m
    where q.app_no = m.app_no and q.entry_id = m.entry_id and ${isDue}
      and m.place <= $4 and (m.bytes_before = 0 or m.bytes_before + m.bytes <= $5)
    returning q.app_no, q.entry_id, q.arrival, q.record
  )
  select c.app_no as "appNo", c.entry_id as id, c.record,
    (select a.app_id from apps a where a.app_no = c.app_no) as "appId"
  from claimed c order by ${inOrder}`;

/** For an app whose entries another core imported, or a request removed, at this moment. */
const release = 'delete from import_queue_leases l where l.lease = $1 returning 1';

/** Leases are locked first, here and when entries are settled: these two must not wait for each other in a cycle. */
const renew = `
  with held as materialized (
    select l.app_no from import_queue_leases l where l.lease = $1 order by l.app_no for update skip locked
  ),
  kept as (
    update import_queue_leases l set leased_until = $2
    where l.app_no = any(array(select h.app_no from held h)) and l.lease = $1
  )
  update import_queue q set leased_until = $2
  from unnest($3::int[], $4::uuid[]) e (app_no, id)
  where q.app_no = e.app_no and q.entry_id = e.id and q.lease = $1 and q.app_no = any(array(select h.app_no from held h))`;

const settle = `
  with held as materialized (
    select l.app_no from import_queue_leases l where l.lease = $1 order by l.app_no for update
  ),
  settled as materialized (
    select s.* from unnest($3::int[], $4::uuid[], $5::int[], $6::text[], $7::text[])
      s (app_no, id, status, error_message, record)
    where s.app_no = any(array(select h.app_no from held h))
  ),
  imported as (
    delete from import_queue q using settled s
    where s.status is null and q.app_no = s.app_no and q.entry_id = s.id and q.lease = $1
  ),
  ended as (
    delete from import_queue_leases l where l.app_no = any(array(select h.app_no from held h)) and l.lease = $1
  )
  update import_queue q set
    status = s.status, error_message = s.error_message, record = coalesce(s.record, q.record),
    lease = null, leased_until = null, updated_at = $2
  from settled s
  where s.status is not null and q.app_no = s.app_no and q.entry_id = s.id and q.lease = $1`;

/** The queue of single users, shared by every core of the database. */
export function queueStore({
  read,
  write,
  transaction,
}: Pick<Database, 'read' | 'write' | 'transaction'>): QueueStore {
  return {
    add: (appNo, entries, limits) => addEntries(transaction, appNo, entries, limits),
    list: (page) => listEntries(read, page),
    count: async (appNo, status) => {
      const [row] =
        status === undefined
          ? await read<{ count: number }>(countAll, [appNo])
          : await read<{ count: number }>(countStatus, [appNo, statusNumbers[status]]);
      return row?.count ?? 0;
    },
    remove: async (appNo, ids) => {
      const known = ids.filter((id) => asCoreId(id) !== undefined);
      const gone = await write<{ id: string }>(remove, [appNo, plainArray(known, (id) => id)]);
      return gone.map(({ id }) => id);
    },
    claim: async ({ id, now, until }, { entries, bytes }) => {
      let rows = await write<ClaimedRow>(claim, [id, now, until, entries, bytes]);
      // Other cores met this lease in the meantime and wait: the rest of the app's entries is left to this core.
      while (rows.length === 0 && (await write(release, [id])).length > 0)
        rows = await write<ClaimedRow>(claim, [id, now, until, entries, bytes]);
      return rows.map(({ appId, ...entry }) => ({ ...entry, appId: appId ?? undefined }));
    },
    renew: async ({ id, until }, entries) => {
      await write(renew, [id, until, ...keyColumns(entries)]);
    },
    settle: async ({ id, now }, settlements) => {
      await write(settle, [id, now, ...keyColumns(settlements), ...settlementColumns(settlements)]);
    },
  };
}

type ClaimedRow = Omit<ClaimedEntry, 'appId'> & { readonly appId: string | null };

function keyColumns(entries: readonly { readonly appNo: number; readonly id: string }[]): string[] {
  return [plainArray(entries, ({ appNo }) => appNo), plainArray(entries, ({ id }) => id)];
}

function settlementColumns(settlements: readonly Settlement[]): string[] {
  const numbers = { imported: undefined, released: statusNumbers.NEW, failed: statusNumbers.FAILED };
  return [
    plainArray(settlements, ({ outcome }) => numbers[outcome]),
    textArray(settlements, (each) => (each.outcome === 'failed' ? each.errorMessage : undefined)),
    textArray(settlements, (each) => (each.outcome === 'failed' ? each.record : undefined)),
  ];
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** One entry more than requested is looked up, only to see whether it exists. */
async function listEntries(
  read: Query,
  { appNo, status, limit, before = lastId }: QueuePage,
): Promise<{ entries: QueueEntry[]; hasMore: boolean }> {
  const parameters = [appNo, before, limit + 1];
  const rows =
    status === undefined
      ? await read<ListedRow>(pageOfAll, parameters)
      : await read<ListedRow>(pageOfStatus, [...parameters, statusNumbers[status]]);
  return { entries: rows.map((row) => entryOf(row)), hasMore: rows.length < (rows[0]?.found ?? 0) };
}

function entryOf(row: ListedRow): QueueEntry {
  return {
    id: row.entry_id,
    status: statuses[row.status] ?? 'NEW',
    errorMessage: row.error_message ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    record: row.record,
  };
}
