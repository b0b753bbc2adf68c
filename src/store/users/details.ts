import type { Tenant } from '../../domain/model.ts';
import { plainArray, textArray } from '../../domain/pg-array.ts';
import type { DetailsStore, Metadata } from '../../operations/ports/ports.ts';
import type { BatchedStatement, Batches } from '../batch/batches.ts';

interface MetadataOf {
  readonly appNo: number;
  readonly userId: string;
}

const findMetadata: BatchedStatement<MetadataOf, { n: number; metadata: Metadata | null }, Metadata> = {
  name: 'find-metadata',
  access: 'read',
  text: `
    with wanted as materialized (
      select i.n, i.app_no, details_key(i.app_no, i.id) as key
      from unnest($1::int[], $2::text[]) with ordinality as i (app_no, id, n)
    )
    select w.n::int as n, coalesce(
      (select d.metadata from user_details d where d.app_no = w.app_no and d.user_id = as_core_id(w.key)),
      (select t.metadata from text_metadata t where t.app_no = w.app_no and t.user_key = w.key)
    ) as metadata
    from wanted w`,
  parameters: (wanted) => [
    plainArray(wanted, ({ appNo }) => appNo),
    textArray(wanted, ({ userId }) => userId),
  ],
  outcomeOf: ([row]) => row?.metadata ?? {},
};

interface RolesOf {
  readonly tenant: Tenant;
  readonly userId: string;
}

/** Called at each sign-in of applications with roles. */
const findRoles: BatchedStatement<RolesOf, { n: number; roles: readonly string[] }, readonly string[]> = {
  name: 'find-roles',
  access: 'read',
  text: `
    with wanted as materialized (
      select i.n, i.app_no, i.tenant_no, details_key(i.app_no, i.id) as key
      from unnest($1::int[], $2::int[], $3::text[]) with ordinality as i (app_no, tenant_no, id, n)
    )
    select w.n::int as n, to_json(array(
      select u.role from user_roles u
      where u.app_no = w.app_no and u.user_key = w.key and u.tenant_no = w.tenant_no
      order by u.role
    )) as roles
    from wanted w`,
  parameters: (wanted) => [
    plainArray(wanted, ({ tenant }) => tenant.appNo),
    plainArray(wanted, ({ tenant }) => tenant.tenantNo),
    textArray(wanted, ({ userId }) => userId),
  ],
  outcomeOf: ([row]) => row?.roles ?? [],
};

/** Reads details of users. */
export function detailsStore(batches: Batches): DetailsStore {
  const metadata = batches.add(findMetadata);
  const roles = batches.add(findRoles);
  return {
    metadata: (appNo, userId) => metadata({ appNo, userId }),
    roles: (tenant, userId) => roles({ tenant, userId }),
  };
}
