import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';
import { methodId } from '../../../store/removal/heirs.ts';
import { isDisabledAt } from '../../../store/users/end-sessions.ts';
import { seenUserId } from '../../../store/users/locked-methods.ts';
import type { Promotion, SessionChange, StoredSession } from '../model.ts';
import type { UserRow } from './rows.ts';

interface Named {
  readonly appNo: number;
  readonly id: string;
}

interface SessionRow extends UserRow {
  readonly handle: string;
  readonly tenant_id: string;
  readonly refresh_hash: string;
  readonly expires_at: number;
  readonly created_at: number;
  readonly static_key: boolean;
  readonly jwt_payload: string;
  readonly session_data: string;
}

/**
 * Planned once: the order leaves the planner only the index of the whole key, and `limit` prevents reordering. That halves
 * the time that a refresh takes in PostgreSQL. A session of a disabled user counts as ended; after that, so does a session
 * that began before the user was enabled.
 */
export const findSession: BatchedStatement<Named, SessionRow, StoredSession | null> = {
  name: 'find-session',
  access: 'read',
  planned: 'once',
  text: `
    select i.n::int as n, s.handle, t.tenant_id, encode(s.refresh_hash, 'hex') as refresh_hash, s.expires_at, s.created_at,
      s.static_key, s.jwt_payload, s.session_data,
      case when u.user_id is null then s.user_key else ${seenUserId('s.app_no', 'u')} end as user_id,
      case when u.user_id is null then s.user_key else ${methodId('s.app_no', 'u')} end as recipe_user_id
    from unnest($1::int[], $2::uuid[]) with ordinality as i (app_no, handle, n)
    cross join lateral (
      select * from sessions s where s.app_no = i.app_no and s.handle >= i.handle order by s.handle limit 1
    ) s
    cross join lateral (
      select t.tenant_id from tenants t where t.app_no = s.app_no and t.tenant_no = s.tenant_no limit 1
    ) t
    left join lateral user_of(s.app_no, s.user_key) u on true
    where s.handle = i.handle and not ${isDisabledAt('s.created_at', 's.app_no', 'u')}`,
  parameters: (named) => [plainArray(named, ({ appNo }) => appNo), plainArray(named, ({ id }) => id)],
  outcomeOf: ([row]) => (row === undefined ? null : sessionOf(row)),
};

function sessionOf(row: SessionRow): StoredSession {
  return {
    id: row.handle,
    tenantId: row.tenant_id,
    userId: row.user_id,
    recipeUserId: row.recipe_user_id,
    refreshHash: row.refresh_hash,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    usesStaticKey: row.static_key,
    jwtPayload: row.jwt_payload,
    data: row.session_data,
  };
}

/**
 * Of several promotions of one session the first wins: they are never in one statement, and each compares. The previous token is stored for
 * version 5.6 of the driver interface, so that it can be served without ending sessions.
 */
export const promoteSession: BatchedStatement<Promotion, { n: number }, boolean> = {
  name: 'promote-session',
  access: 'write',
  text: `
    update sessions s set refresh_hash = decode(i.next, 'hex'), expires_at = i.expires_at,
      prev_hash = s.refresh_hash, rotated_at = clock_ms()
    from unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::bigint[])
      with ordinality as i (app_no, handle, previous, next, expires_at, n)
    where s.app_no = i.app_no and s.handle = i.handle and s.refresh_hash = decode(i.previous, 'hex')
    returning i.n::int as n`,
  parameters: (promotions) => [
    plainArray(promotions, ({ appNo }) => appNo),
    plainArray(promotions, ({ id }) => id),
    plainArray(promotions, ({ from }) => from),
    plainArray(promotions, ({ to }) => to),
    plainArray(promotions, ({ expiresAt }) => expiresAt),
  ],
  keyOf: ({ appNo, id }) => `${appNo} ${id}`,
  outcomeOf: ([row]) => row !== undefined,
};

export const changeSession: BatchedStatement<SessionChange, { n: number }, boolean> = {
  name: 'change-session',
  access: 'write',
  text: `
    update sessions s set jwt_payload = coalesce(i.jwt_payload, s.jwt_payload),
      session_data = coalesce(i.session_data, s.session_data), static_key = coalesce(i.static_key, s.static_key)
    from unnest($1::int[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::bool[])
      with ordinality as i (app_no, handle, now_ms, jwt_payload, session_data, static_key, n)
    where s.app_no = i.app_no and s.handle = i.handle and s.expires_at >= i.now_ms
    returning i.n::int as n`,
  parameters: (changes) => [
    plainArray(changes, ({ appNo }) => appNo),
    plainArray(changes, ({ id }) => id),
    plainArray(changes, ({ now }) => now),
    textArray(changes, ({ jwtPayload }) => jwtPayload),
    textArray(changes, ({ data }) => data),
    plainArray(changes, ({ usesStaticKey }) =>
      usesStaticKey === undefined ? undefined : usesStaticKey ? 't' : 'f',
    ),
  ],
  keyOf: ({ appNo, id }) => `${appNo} ${id}`,
  outcomeOf: ([row]) => row !== undefined,
};
