import { plainArray, textArray } from '../../domain/pg-array.ts';
import type {
  NewSession,
  Promotion,
  SessionChange,
  SessionRef,
  SessionsOfUser,
  SessionStore,
  SessionUser,
  StoredSession,
} from '../../operations/ports/ports.ts';
import { noteActivity } from '../users/activity.ts';
import { isMethodHeld, lockedMethods, seenUserId } from '../users/locked-methods.ts';
import { isDisabledAt, sessionKeysOf } from '../users/end-sessions.ts';
import { arraysOf, insertSessions, newSessionArrays, newSessionColumns } from './new-sessions.ts';
import type { BatchedStatement, Batches } from '../batch/batches.ts';
import type { Database } from '../../database/database.ts';
import { methodId } from '../removal/heirs.ts';

interface UserRow {
  readonly n: number;
  readonly user_id: string;
  readonly recipe_user_id: string;
}

type CreatedRow = UserRow | { readonly n: number; readonly user_id: null; readonly recipe_user_id: null };

/**
 * Looks up the user of each id, and stores the sessions. The login method is locked as it is, so that a removal that is under
 * way takes the session with it, or comes first and leaves its text. A user who is linked or unlinked meanwhile gets a session of
 * the resulting user: the ids are those of the locked row. A session that begins while its user is being disabled is not
 * found from then on, and ends when that is lifted; it is not found after the end of a lock either.
 */
const createSession: BatchedStatement<NewSession, CreatedRow, SessionUser | 'disabled'> = {
  name: 'create-session',
  access: 'write',
  planned: 'once',
  gathers: true,
  text: `
    with named as materialized (
      select i.*, u.user_id as method_id, ${isDisabledAt('clock_ms()', 'i.app_no', 'u')} as is_disabled
      from unnest(
        ${newSessionArrays}
      ) with ordinality as i (
        ${newSessionColumns('user_id')}, n
      )
      left join lateral user_of(i.app_no, i.user_id) u on true
    ),
    meant as materialized (select * from named where not is_disabled),
    locked as materialized (${lockedMethods}),
    kept as (${insertSessions('m', `case when ${isMethodHeld} then m.method_id::text else m.user_id end`)}
      from meant m
    )
    select i.n::int as n, ${seenUserId('l.app_no', '(l.method)')} as user_id,
      ${methodId('l.app_no', '(l.method)')} as recipe_user_id
    from locked l cross join lateral unnest(l.items) i (n)
    union all
    select m.n::int, m.user_id, m.user_id from meant m where not ${isMethodHeld}
    union all
    select m.n::int, null, null from named m where m.is_disabled`,
  parameters: (sessions) => arraysOf(sessions, ({ userId }) => userId),
  outcomeOf: ([row]) => {
    if (row === undefined) throw new Error('keeping a session gave no result');
    if (row.user_id === null) return 'disabled';
    return { userId: row.user_id, recipeUserId: row.recipe_user_id };
  },
};

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
 * Planned once: the order leaves the planner no index but that of the whole key, and `limit` lets nothing be reordered. So
 * a refresh takes less than half the time of PostgreSQL. A session of a disabled user is as one that has ended, also later
 * one that had begun before the time at which the user is not disabled any more.
 */
const findSession: BatchedStatement<Named, SessionRow, StoredSession | null> = {
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
 * Of several for one session the first wins: they are never in one statement, and each compares. The token before is kept for
 * version 5.6 of the driver interface, so that it can be served without ending sessions.
 */
const promoteSession: BatchedStatement<Promotion, { n: number }, boolean> = {
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

const changeSession: BatchedStatement<SessionChange, { n: number }, boolean> = {
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

/**
 * The keys of sessions that an id means: $1 the app, $2 the id, $3 with all login methods of its user. A head without a
 * login method of its own is still an id of its user.
 */
const keysOfUser = `
  with method as materialized (select u.* from user_of($1::int, $2::text) u),
  head as materialized (
    select coalesce((select coalesce(m.primary_user_id, m.user_id) from method m), as_core_id($2)) as id
  ),
  keys as materialized (
    select $2 as key
    union
    select k.key from method m cross join ${sessionKeysOf('m')}
    union
    select k.key from head h join users l on l.app_no = $1 and l.user_id = h.id cross join ${sessionKeysOf('l')}
    where $3::bool
    union
    select k.key from head h
    join users l on l.app_no = $1 and l.primary_user_id = h.id and l.primary_user_id <> l.user_id
    cross join ${sessionKeysOf('l')}
    where $3
  )`;
const ofUser = `s.app_no = $1 and s.user_key = any(array(select k.key from keys k))
    and ($4::int is null or s.tenant_no = $4)`;
const refColumns = 's.handle as id, t.tenant_id as "tenantId"';
const tenantOf = 't.app_no = s.app_no and t.tenant_no = s.tenant_no';

const list = `
  ${keysOfUser}
  select ${refColumns} from sessions s join tenants t on ${tenantOf}
  where ${ofUser} and s.expires_at >= $5::bigint
  order by s.created_at, s.handle`;

const removeOfUser = `
  ${keysOfUser}
  delete from sessions s using tenants t where ${tenantOf} and ${ofUser} returning ${refColumns}`;

/**
 * Tokens of old systems that were issued before are invalid from now on. The users are locked as by a change of
 * them: an exchange that is under way is waited for, and its session ends with the others.
 */
const noteSignOut = `
  ${keysOfUser},
  locked as materialized (
    select u.app_no, u.user_id from users u
    where u.app_no = $1 and u.user_id = any(array(select as_core_id(k.key) from keys k))
    order by u.user_id
    for no key update
  )
  ${noteActivity('signed_out_at', 'locked').trimStart()}`;

const remove = `
  delete from sessions s using tenants t, unnest($2::uuid[], $3::text[]) i (handle, tenant_id)
  where ${tenantOf} and s.app_no = $1::int and s.handle = i.handle and t.tenant_id = i.tenant_id
  returning ${refColumns}`;

export function sessionStore(batches: Batches, database: Database): SessionStore {
  const { read, write } = database;
  const find = batches.add(findSession);
  const parametersOf = ({ appNo, userId, ofLinkedAccounts, tenantNo }: SessionsOfUser) =>
    [appNo, userId, ofLinkedAccounts, tenantNo ?? null] as const;
  return {
    create: batches.add(createSession),
    find: async (appNo, id) => (await find({ appNo, id })) ?? undefined,
    promote: batches.add(promoteSession),
    change: batches.add(changeSession),
    list: (which, now) => read<SessionRef>(list, [...parametersOf(which), now]),
    removeOfUser: (which) =>
      database.transaction(async (query) => {
        const [appNo, userId, ofLinkedAccounts, tenantNo] = parametersOf(which);
        await query(noteSignOut, [appNo, userId, ofLinkedAccounts]);
        return query<SessionRef>(removeOfUser, [appNo, userId, ofLinkedAccounts, tenantNo]);
      }),
    remove: async (appNo, sessions) =>
      sessions.length === 0
        ? []
        : write<SessionRef>(remove, [
            appNo,
            plainArray(sessions, ({ id }) => id),
            textArray(sessions, ({ tenantId }) => tenantId),
          ]),
  };
}
