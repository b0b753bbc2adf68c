import { plainArray } from '../../../domain/pg-array.ts';
import type { DashboardSessionStore, NewDashboardSession } from '../model.ts';
import type { Database } from '../../../database/database.ts';
import { remover } from '../../../store/expired-rows.ts';

/**
 * As find-credential for an app's users: the same look-ups for every email, and one email has the same neighbour each time, which
 * cannot be chosen without the secret. Ids are random, so they are as good as keys.
 */
const findCredential = `
  with place as materialized (
    select substring(
      encode(sha256(convert_to(concat_ws(' ', s.secret, 'dashboard', $1::int, $2::text), 'UTF8')), 'hex') for 32
    )::uuid as id
    from (select secret from decoy_secret limit 1) s
  )
  select u.user_id, u.password_hash, coalesce(n.password_hash, f.password_hash) as neighbour
  from place p
  left join lateral (
    select u.user_id, u.password_hash from dashboard_users u where u.app_no = $1 and u.email = $2 offset 0
  ) u on true
  left join lateral (
    select d.password_hash from dashboard_users d where d.app_no = $1 and d.user_id >= p.id
    order by d.user_id limit 1
  ) n on true
  left join lateral (
    select d.password_hash from dashboard_users d where d.app_no = $1 and d.user_id <= p.id
    order by d.user_id limit 1
  ) f on true`;

/** A change of the user waits for this and ends the session, or came first, and then no user has this hash any more. */
const open = `
  insert into dashboard_sessions (app_no, handle, user_id, created_at, expires_at)
  select u.app_no, $2::uuid, u.user_id, $6::bigint, $7::bigint from dashboard_users u
  where u.app_no = $1::int and u.user_id = $3::uuid and u.email = $4::text and u.password_hash = $5::text
  for share
  returning 1`;

const find = `
  select u.email
  from dashboard_sessions s join dashboard_users u on u.app_no = s.app_no and u.user_id = s.user_id
  where s.app_no = $1::int and s.handle = $2::uuid and s.expires_at > $3::bigint`;

const end = 'delete from dashboard_sessions s where s.app_no = $1::int and s.handle = any($2::uuid[])';

const list = `
  select s.handle, s.user_id, s.created_at, s.expires_at from dashboard_sessions s
  where s.app_no = $1::int and s.user_id = as_core_id($2::text) and s.expires_at > $3::bigint
  order by s.created_at, s.handle`;

interface CredentialRow {
  readonly user_id: string | null;
  readonly password_hash: string | null;
  readonly neighbour: string | null;
}

interface SessionRow {
  readonly handle: string;
  readonly user_id: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** Signing in to the dashboard. */
export function dashboardSessionStore({ read, write }: Database): DashboardSessionStore {
  return {
    findCredential: async (appNo, email) => {
      const [row] = await read<CredentialRow>(findCredential, [appNo, email]);
      const { user_id: userId, password_hash: passwordHash, neighbour } = row ?? {};
      const user = userId && passwordHash ? { userId, passwordHash } : undefined;
      return { user, neighbour: neighbour ?? undefined };
    },
    open: async (session: NewDashboardSession) => {
      const { appNo, handle, userId, email, passwordHash, createdAt, expiresAt } = session;
      return (
        (await write(open, [appNo, handle, userId, email, passwordHash, createdAt, expiresAt])).length > 0
      );
    },
    find: async (appNo, handle, now) => (await read<{ email: string }>(find, [appNo, handle, now]))[0]?.email,
    end: async (appNo, handles) => {
      await write(end, [appNo, plainArray(handles, (handle) => handle)]);
    },
    list: async (appNo, userId, now) =>
      (await read<SessionRow>(list, [appNo, userId, now])).map((row) => ({
        handle: row.handle,
        userId: row.user_id,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      })),
  };
}

export const removeExpiredDashboardSessions = remover('dashboard_sessions', ['app_no', 'handle']);
