import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { FoundOpaque } from '../model.ts';
import type { Tenant } from '../../../domain/model.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';

interface Sought {
  readonly tenant: Tenant;
  readonly source: string;
  readonly digest: string;
}

interface FoundRow {
  readonly n: number;
  readonly user_id: string;
  readonly expires_at: number;
  readonly issued_at: number | null;
  readonly imported_at: number;
}

/** Finds a token of an old system by its digest. */
export const findOpaque: BatchedStatement<Sought, FoundRow, FoundOpaque | null> = {
  name: 'find-opaque-token',
  access: 'read',
  text: `
    select i.n::int as n, o.user_id, o.expires_at, o.issued_at, o.imported_at
    from unnest($1::int[], $2::int[], $3::text[], $4::text[]) with ordinality as i (app_no, tenant_no, source, digest, n)
    cross join lateral (
      select o.* from opaque_tokens o where o.app_no = i.app_no and o.token_digest = decode(i.digest, 'hex') offset 0
    ) o
    where o.tenant_no = i.tenant_no and o.source = i.source`,
  parameters: (sought) => [
    plainArray(sought, ({ tenant }) => tenant.appNo),
    plainArray(sought, ({ tenant }) => tenant.tenantNo),
    textArray(sought, ({ source }) => source),
    plainArray(sought, ({ digest }) => digest),
  ],
  outcomeOf: ([row]) =>
    row === undefined
      ? null
      : {
          userId: row.user_id,
          expiresAt: row.expires_at,
          issuedAt: row.issued_at ?? undefined,
          importedAt: row.imported_at,
        },
};

/** One row of each digest: the last. In the order of their keys, so that two requests do not wait for each other in a cycle. */
export const keepOpaque = `
  insert into opaque_tokens as o (
    app_no, tenant_no, source, imported_at, token_digest, user_id, expires_at, issued_at
  )
  select distinct on (i.digest) $1::int, $2::int, $3::text, $4::bigint, decode(i.digest, 'hex'), i.user_id, i.expires_at,
    i.issued_at
  from unnest($5::text[], $6::text[], $7::bigint[], $8::bigint[]) with ordinality as i (
    digest, user_id, expires_at, issued_at, n
  )
  order by i.digest, i.n desc
  on conflict (app_no, token_digest) do update set tenant_no = excluded.tenant_no, source = excluded.source,
    user_id = excluded.user_id, expires_at = excluded.expires_at, issued_at = excluded.issued_at`;
