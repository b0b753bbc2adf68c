import { noteActivity } from '../../../store/users/activity.ts';
import { sessionKeysOf } from '../../../store/users/end-sessions.ts';

/**
 * The keys of sessions that an id means: $1 the app, $2 the id, $3 with all login methods of its user. A head without a login
 * method is still an id of its user.
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

export const listOfUser = `
  ${keysOfUser}
  select ${refColumns} from sessions s join tenants t on ${tenantOf}
  where ${ofUser} and s.expires_at >= $5::bigint
  order by s.created_at, s.handle`;

export const removeOfUser = `
  ${keysOfUser}
  delete from sessions s using tenants t where ${tenantOf} and ${ofUser} returning ${refColumns}`;

/**
 * Tokens of old systems that were issued before are invalid from now on. The users are locked as by a change of them: a
 * concurrent exchange is waited for, and its session ends with the others.
 */
export const noteSignOut = `
  ${keysOfUser},
  locked as materialized (
    select u.app_no, u.user_id from users u
    where u.app_no = $1 and u.user_id = any(array(select as_core_id(k.key) from keys k))
    order by u.user_id
    for no key update
  )
  ${noteActivity('signed_out_at', 'locked').trimStart()}`;

export const removeSessions = `
  delete from sessions s using tenants t, unnest($2::uuid[], $3::text[]) i (handle, tenant_id)
  where ${tenantOf} and s.app_no = $1::int and s.handle = i.handle and t.tenant_id = i.tenant_id
  returning ${refColumns}`;
