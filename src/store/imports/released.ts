import type { JobRef } from '../../imports/model.ts';
import type { IdentityColumns } from '../../imports/parse/types.ts';
import type { Query } from '../database/database.ts';

/**
 * Takes from users what earlier lines of a dry run would have taken, as far as these keys go: claims of kinds 11 to 14 tell
 * it. With the rest of the chunk it is taken back.
 */
const take = `
  with released as materialized (
    select s.tenant_no, s.kind, s.key
    from unnest($3::int[], $4::smallint[], $5::uuid[]) s (tenant_no, kind, key)
    cross join lateral (
      select 1 from import_claims c
      where c.app_no = $1 and c.job_id = $2::uuid and c.kind = (s.kind + 10)::smallint and c.key = s.key and c.tenant_no = s.tenant_no
      offset 0
    ) c
  )
  delete from identities i
  where i.app_no = $1::int and i.kind = any(array[1, 2, 3, 4]::smallint[])
    and i.key = any(array(select r.key from released r))
    and (((i.tenant_no, i.kind, i.key) in (select r.tenant_no, r.kind, r.key from released r)) is true)`;

export async function takeReleased(
  query: Query,
  { appNo, id }: JobRef,
  { tenantNo, kind, key }: Pick<IdentityColumns, 'tenantNo' | 'kind' | 'key'>,
): Promise<void> {
  await query(take, [appNo, id, tenantNo, kind, key]);
}
