import type { DetailsStore, UserDetails, UserRole } from '../../operations/ports/ports.ts';
import type { BatchedStatement, Batches } from '../batch/batches.ts';
import { plainArray, textArray } from '../../domain/pg-array.ts';
import type { UserLookup } from './load-users.ts';

interface DetailsRow {
  readonly n: number;
  /** As JSON.parse gives them. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly roles: readonly UserRole[] | null;
}

/**
 * By any id of any of the user's login methods. Details stay under the head's id when its own method was removed and
 * others are left: then that id is no row's, and is taken as it is.
 */
const findDetails: BatchedStatement<UserLookup, DetailsRow, UserDetails | null> = {
  name: 'find-user-details',
  access: 'read',
  text: `
    with wanted as materialized (
      select w.n, w.app_no, coalesce(u.primary_user_id, u.user_id, as_core_id(w.id)) as head
      from unnest($1::int[], $2::text[]) with ordinality as w (app_no, id, n)
      left join lateral user_of(w.app_no, w.id) u on true
    )
    select w.n::int as n, d.metadata, d.roles
    from wanted w join user_details d on d.app_no = w.app_no and d.user_id = w.head`,
  parameters: (lookups) => [plainArray(lookups, ({ appNo }) => appNo), textArray(lookups, ({ id }) => id)],
  outcomeOf: ([row]) => (row ? { metadata: row.metadata ?? {}, roles: row.roles ?? [] } : null),
};

/** What is kept of users beside their login methods. */
export function detailsStore(batches: Batches): DetailsStore {
  const find = batches.add(findDetails);
  return { find: async (appNo, id) => (await find({ appNo, id })) ?? undefined };
}
