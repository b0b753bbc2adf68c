import { isMark } from '../../domain/legacy-mark.ts';
import type { LegacyCount } from './model.ts';
import type { Database } from '../../database/database.ts';

/** Users whose password an old system still knows, in all apps of a database. */
export interface MarkedUsers {
  readonly source: string;
  readonly users: number;
}

/** Reads only the index of marks. */
const countAll = `
  select substr(password_hash, length('$legacy$') + 1) as source, count(*)::int as users
  from users where ${isMark('password_hash')} group by password_hash`;

export async function countMarked(
  databases: readonly Pick<Database, 'read'>[],
): Promise<readonly MarkedUsers[]> {
  const counts = await Promise.all(databases.map(({ read }) => read<MarkedUsers>(countAll, [])));
  const bySource = Map.groupBy(counts.flat(), ({ source }) => source);
  return [...bySource].map(([source, each]) => ({
    source,
    users: each.reduce((sum, { users }) => sum + users, 0),
  }));
}

const dayMs = 86_400_000;

/** By the index of marks; the last sign-in is that of any login method of the user. */
const countLegacy = `
  with marked as materialized (
    select substr(u.password_hash, length('$legacy$') + 1) as source, (
      select max(s.last_at) from sign_ins s
      where s.app_no = $1 and s.last_at > 0 and s.user_id in (
        select u.user_id union all
        select l.user_id from users l
        where l.app_no = $1 and l.primary_user_id = u.primary_user_id and l.primary_user_id <> l.user_id
        union all select u.primary_user_id
      )
    ) as last_at
    from users u where u.app_no = $1 and ${isMark('u.password_hash')}
  )
  select source, count(*)::int as users,
    (count(*) filter (where last_at >= $2))::int as "within30Days",
    (count(*) filter (where last_at >= $3 and last_at < $2))::int as "within90Days",
    (count(*) filter (where last_at < $3))::int as earlier,
    (count(*) filter (where last_at is null))::int as never
  from marked group by source order by users desc, source`;

/** Stored data of users who have not moved yet. */
export function legacyStore({ read }: Pick<Database, 'read'>) {
  return {
    /** Most users first. @param now ms since the epoch */
    counts: (appNo: number, now: number): Promise<readonly LegacyCount[]> =>
      read<LegacyCount>(countLegacy, [appNo, now - 30 * dayMs, now - 90 * dayMs]),
  };
}

export type LegacyStore = ReturnType<typeof legacyStore>;
