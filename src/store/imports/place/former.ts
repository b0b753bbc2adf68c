import type { FinishedRows } from '../../../imports/parse/types.ts';
import { plainArray } from '../../../domain/pg-array.ts';
import type { ArraysOf } from '../../../domain/columns.ts';
import { identityKeyColumns } from '../../../domain/user-columns.ts';
import type { Query } from '../../../database/database.ts';
import { arraysIn, namesOf, unnested } from '../../../database/relation.ts';

/**
 * Keys that an import stated for a user who has changed them here (former_identities). They lead records to that user, so a
 * record with one must not create another. Hardly any app has some, so this is checked before users are created.
 */

const findAny = 'select exists (select 1 from former_identities f where f.app_no = $1::int) as found';

/**
 * Whether a key of the chunk belongs to a user that its job has created, and was another user's: the email was changed while the
 * chunk was being written, or it was not checked.
 */
const findCreated = `
  select exists (
    select 1 from ${unnested(identityKeyColumns, 3)} k (${namesOf(identityKeyColumns)})
    cross join lateral (
      select f.user_id from former_identities f
      where f.app_no = $1::int and f.kind = k.kind and f.key = k.key and f.tenant_no = k.tenant_no
      offset 0
    ) f
    cross join lateral (
      select 1 from users u
      where u.app_no = $1 and u.user_id = f.user_id and base_states(u.base, k.kind, k.key)
      offset 0
    ) w
    cross join lateral (
      select i.user_id from identities i
      where i.app_no = $1 and i.kind = k.kind and i.key = k.key and i.tenant_no = k.tenant_no
      offset 0
    ) i
    cross join lateral (
      select 1 from users u where u.app_no = $1 and u.user_id = i.user_id and u.import_job = $2::uuid offset 0
    ) c
  ) as found`;

export async function hasFormer(query: Query, appNo: number): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(findAny, [appNo]);
  return row?.found ?? true;
}

/** @param keys array literals */
export async function hasCreatedFormer(
  query: Query,
  { appNo, id }: { readonly appNo: number; readonly id: string },
  keys: ArraysOf<typeof identityKeyColumns>,
): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(findCreated, [
    appNo,
    id,
    ...arraysIn(identityKeyColumns, keys),
  ]);
  return row?.found ?? true;
}

/** In the binary form of COPY: its header, and a row of five cells, each after its length. */
const bytesOfHead = 19;
const bytesOfRow = 64;

/** Tenants, kinds and keys of finished identities, as columns. */
export function keysOfRows({ identities, count }: FinishedRows): ArraysOf<typeof identityKeyColumns> {
  const all = Buffer.from(identities.buffer, identities.byteOffset, identities.length);
  const rows = Array.from({ length: count }, (_, n) => bytesOfHead + n * bytesOfRow);
  return {
    tenantNo: plainArray(rows, (at) => all.readInt32BE(at + 14)),
    kind: plainArray(rows, (at) => all.readInt16BE(at + 22)),
    key: plainArray(rows, (at) => all.toString('hex', at + 28, at + 44)),
  };
}
