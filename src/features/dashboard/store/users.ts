import type {
  DashboardUser,
  DashboardUserChange,
  DashboardUserRef,
  DashboardUserStore,
  NewDashboardUser,
} from '../model.ts';
import type { Database, Query } from '../../../database/database.ts';
import { isUniqueViolation } from '../../../database/sqlstate.ts';

/** Locks the app, so that an app that is being removed leaves no user. */
const add = `
  with app as materialized (select a.app_no from apps a where a.app_no = $1::int for key share),
  made as (
    insert into dashboard_users (app_no, user_id, email, password_hash, time_joined)
    select a.app_no, $2::uuid, $3::text, $4::text, $5::bigint from app a
    on conflict on constraint dashboard_users_email do nothing
    returning 1
  )
  select exists (select 1 from app) as has_app, exists (select 1 from made) as is_made`;

const meant = {
  userId: 'u.app_no = $1::int and u.user_id = as_core_id($2::text)',
  email: 'u.app_no = $1::int and u.email = $2::text',
} as const satisfies Record<DashboardUserRef['by'], string>;

const lock = {
  userId: `select u.user_id from dashboard_users u where ${meant.userId} for update`,
  email: `select u.user_id from dashboard_users u where ${meant.email} for update`,
};
const remove = {
  userId: `delete from dashboard_users u where ${meant.userId} returning 1`,
  email: `delete from dashboard_users u where ${meant.email} returning 1`,
};

const write = `
  update dashboard_users u set email = coalesce($3::text, u.email), password_hash = coalesce($4::text, u.password_hash)
  where u.app_no = $1::int and u.user_id = $2::uuid
  returning u.user_id, u.email, u.time_joined`;

/** A separate statement, after the user's lock: if a sign-in held the user until then, it sees the session. */
const endSessions = 'delete from dashboard_sessions s where s.app_no = $1::int and s.user_id = $2::uuid';

const list = `
  select u.user_id, u.email, u.time_joined from dashboard_users u where u.app_no = $1::int
  order by u.time_joined, u.user_id`;

interface Row {
  readonly user_id: string;
  readonly email: string;
  readonly time_joined: number;
}

const userOf = (row: Row): DashboardUser => ({
  userId: row.user_id,
  email: row.email,
  timeJoined: row.time_joined,
});

/** Users of the dashboard of an app. */
export function dashboardUserStore(database: Database): DashboardUserStore {
  return {
    add: async (user: NewDashboardUser) => {
      const { appNo, userId, email, passwordHash, timeJoined } = user;
      const parameters = [appNo, userId, email, passwordHash, timeJoined];
      const [row] = await database.write<{ has_app: boolean; is_made: boolean }>(add, parameters);
      if (row?.has_app !== true) return 'app-gone';
      return row.is_made ? 'added' : 'email-taken';
    },
    change: async (ref, change) => {
      try {
        return await database.transaction((query) => changeUser(query, ref, change));
      } catch (error) {
        if (isUniqueViolation(error)) return 'email-taken';
        throw error;
      }
    },
    remove: async ({ appNo, by, value }) => (await database.write(remove[by], [appNo, value])).length > 0,
    list: async (appNo) => (await database.read<Row>(list, [appNo])).map(userOf),
  };
}

async function changeUser(
  query: Query,
  { appNo, by, value }: DashboardUserRef,
  { email, passwordHash }: DashboardUserChange,
): Promise<DashboardUser | 'unknown-user'> {
  const [found] = await query<{ user_id: string }>(lock[by], [appNo, value]);
  if (!found) return 'unknown-user';
  const id = found.user_id;
  const [row] = await query<Row>(write, [appNo, id, email ?? null, passwordHash ?? null]);
  if (!row) throw new Error('a dashboard user who was locked could not be changed');
  await query(endSessions, [appNo, id]);
  return userOf(row);
}
