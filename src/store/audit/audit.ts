import type { ActEnd, AuditEntry, AuditQuery, AuditStore, Details } from '../../domain/access/act.ts';
import { plainArray, textArray } from '../../domain/pg-array.ts';
import type { Batches } from '../batch/batches.ts';
import type { Database } from '../../database/database.ts';
import { oldestIdOf } from './ids.ts';

const insert = `
  insert into audit (id, begun_at, ended_at, app_id, tenant_id, who, what, address, outcome, count, details)
  select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::text[], $10::bigint[], $11::text[])
  on conflict (id) do nothing`;

const update = `
  update audit a set ended_at = e.ended_at, outcome = e.outcome, count = e.count, details = e.details
  from unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::text[])
    as e (id, ended_at, outcome, count, details)
  where a.id = e.id`;

/** Null omits a condition. The primary key bounds both ends. */
const list = `
  select id, begun_at, ended_at, app_id, tenant_id, who, what, address, outcome, count, details from audit
  where id >= $1::uuid and id < $2::uuid
    and ($3::text is null or app_id = $3)
    and ($4::text is null or who = $4)
    and ($5::text is null or what = $5 or starts_with(what, $5 || '.'))
  order by id desc limit $6::int`;

interface Row {
  readonly id: string;
  readonly begun_at: number;
  readonly ended_at: number | null;
  readonly app_id: string;
  readonly tenant_id: string;
  readonly who: string;
  readonly what: string;
  readonly address: string | null;
  readonly outcome: string | null;
  readonly count: number | null;
  readonly details: string;
}

const latestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The audit log of all apps. */
export function auditStore(batches: Batches, live: Pick<Database, 'read'>): AuditStore {
  const put = batches.add<AuditEntry, { n: number }, true>({
    name: 'begin-audited',
    access: 'write',
    planned: 'once',
    text: insert,
    parameters: insertParameters,
    outcomeOf: () => true,
  });
  const end = batches.add<ActEnd & { readonly id: string }, { n: number }, true>({
    name: 'end-audited',
    access: 'write',
    planned: 'once',
    text: update,
    parameters: updateParameters,
    outcomeOf: () => true,
  });
  return {
    put: async (entry) => {
      await put(entry);
    },
    end: async (id, ended) => {
      await end({ ...ended, id });
    },
    list: async (query) => (await live.read<Row>(list, listParameters(query))).map(entryOf),
  };
}

function insertParameters(entries: readonly AuditEntry[]) {
  return [
    plainArray(entries, ({ id }) => id),
    plainArray(entries, ({ begunAt }) => begunAt),
    plainArray(entries, ({ endedAt }) => endedAt),
    textArray(entries, ({ appId }) => appId),
    textArray(entries, ({ tenantId }) => tenantId),
    textArray(entries, ({ who }) => who),
    textArray(entries, ({ what }) => what),
    textArray(entries, ({ address }) => address),
    textArray(entries, ({ outcome }) => outcome),
    plainArray(entries, ({ count }) => count),
    textArray(entries, ({ details }) => JSON.stringify(details)),
  ];
}

function updateParameters(ends: readonly (ActEnd & { readonly id: string })[]) {
  return [
    plainArray(ends, ({ id }) => id),
    plainArray(ends, ({ endedAt }) => endedAt),
    textArray(ends, ({ outcome }) => outcome),
    plainArray(ends, ({ count }) => count),
    textArray(ends, ({ details }) => JSON.stringify(details)),
  ];
}

function listParameters({ appId, since, who, what, before, limit }: AuditQuery) {
  return [oldestIdOf(since ?? 0), before ?? latestId, appId ?? null, who ?? null, what ?? null, limit];
}

function entryOf(row: Row): AuditEntry {
  return {
    id: row.id,
    begunAt: row.begun_at,
    appId: row.app_id,
    tenantId: row.tenant_id,
    who: row.who,
    what: row.what,
    address: row.address ?? undefined,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    ...(row.outcome !== null && { outcome: row.outcome }),
    count: row.count ?? undefined,
    details: JSON.parse(row.details) as Details,
  };
}
