/** What the rows of a user say about signing in, for support. */
import { textArray } from '../../../domain/pg-array.ts';
import type { Database } from '../../../database/database.ts';

/** Of one login method. Times in ms since the epoch; null: never. */
export interface MethodFacts {
  /** As callers know it. */
  readonly id: string;
  /** The core's own id. */
  readonly coreId: string;
  /** The import that created it. */
  readonly importJob: string | null;
  readonly passwordHash: string | null;
  readonly signedInAt: number | null;
  /** The last right password for the hash that is stored now. */
  readonly provenAt: number | null;
  readonly refusedAt: number | null;
  /** Wrong passwords since the last right one. */
  readonly refusals: number;
  /** When a sign-in replaced the imported hash by one of the policy. */
  readonly upgradedAt: number | null;
  readonly passwordChangedAt: number | null;
}

const factsOf = `
  select coalesce(u.external_id, u.user_id::text) as id, u.user_id as "coreId", u.import_job as "importJob",
    u.password_hash as "passwordHash", nullif(s.last_at, 0) as "signedInAt",
    case when s.proven_hash = hash_mark(u.password_hash) then s.proven_at end as "provenAt",
    s.refused_at as "refusedAt", coalesce(s.refusals, 0) as refusals, s.upgraded_at as "upgradedAt",
    greatest(s.password_changed_at, s.reset_at) as "passwordChangedAt"
  from users u left join sign_ins s on s.app_no = u.app_no and s.user_id = u.user_id
  where u.app_no = $1::int and u.user_id = any(array(
    select as_core_id(given.id) from unnest($2::text[]) given (id)
    union all
    select e.user_id from users e where e.app_no = $1::int and e.external_id = any($2::text[])
  ))
  order by u.time_joined`;

export interface FactStore {
  /** @param ids of login methods, as callers know them */
  of(appNo: number, ids: readonly string[]): Promise<readonly MethodFacts[]>;
}

export function factStore({ read }: Pick<Database, 'read'>): FactStore {
  return { of: (appNo, ids) => read<MethodFacts>(factsOf, [appNo, textArray(ids, (id) => id)]) };
}
