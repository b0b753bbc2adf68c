import { plainArray } from '../../domain/pg-array.ts';
import type { Database, Query } from '../../database/database.ts';
import { sessionKeysOf } from '../users/end-sessions.ts';
import { removeWithHeirs } from './heirs.ts';
import { leaveTombstone } from './tombstones.ts';
import { forgetAbsent, forgetDoomed, forgetTotp, forgetTracesOfUsers } from './forget-traces.ts';

/**
 * All login methods of the user, so that of two removals of its last ones the later sees that none is left. Locked in the order
 * of their ids, as in every statement that locks several users. An array, not a semi-join, so that the ids are part of the index
 * condition whatever the server knows of the table.
 */
const lockUser = `
  with meant as (
    select u.user_id, coalesce(u.primary_user_id, u.user_id) as head from user_of($1, $2) u
    union all
    select as_core_id($2), as_core_id($2)
    where as_core_id($2) is not null and not exists (select 1 from user_of($1, $2))
  )
  select u.user_id, u.user_id = any(array(select m.user_id from meant m)) as is_meant from users u
  where u.app_no = $1 and u.user_id = any(array(
    select m.user_id from meant m
    union all select m.head from meant m
    union all
    select l.user_id from meant m
    join users l on l.app_no = $1 and l.primary_user_id = m.head and l.primary_user_id <> l.user_id
  ))
  order by u.user_id
  for update`;

/**
 * Removes locked login methods, and everything stored for them: $1 the app, $2 their ids. Details under the id of a head are the
 * whole user's: they remain as long as any of its methods does.
 */
export const removeLocked = `
  with doomed as materialized (
    select u.* from users u where u.app_no = $1 and u.user_id = any($2::uuid[])
  ),
  ended as materialized (
    select distinct coalesce(d.primary_user_id, d.user_id) as head from doomed d
    where not exists (
      select 1 from users u
      where u.app_no = $1 and u.user_id = coalesce(d.primary_user_id, d.user_id) and u.user_id <> all($2::uuid[])
    ) and not exists (
      select 1 from users l
      where l.app_no = $1 and l.primary_user_id = d.primary_user_id and l.primary_user_id <> l.user_id
        and l.user_id <> all($2::uuid[])
    )
  ),
  no_identities as (
    delete from identities i using doomed d, lateral identities_of($1, d) own
    where i.app_no = own.app_no and i.kind = own.kind and i.key = own.key and i.tenant_no = own.tenant_no
  ),
  ${forgetDoomed.trimStart()},
  keys as materialized (
    select e.head as user_id from ended e
    union all
    select d.user_id from doomed d where d.primary_user_id <> d.user_id
  ),
  no_details as (
    delete from user_details t where t.app_no = $1 and t.user_id = any(array(select k.user_id from keys k))
  ),
  no_roles as (
    delete from user_roles r where r.app_no = $1 and r.user_key = any(array(select k.user_id::text from keys k))
  ),
  no_sessions as (
    delete from sessions s where s.app_no = $1 and s.user_key = any(array(
      select k.key from doomed d cross join ${sessionKeysOf('d')}
    ))
  ),
  ${forgetTotp('keys')},
  no_sign_in_codes as (
    delete from passwordless_devices p where p.app_no = $1 and p.email = any(array(select d.email from doomed d))
  ),
  no_old_tokens as (
    delete from opaque_tokens o where o.ctid = any(array(
      select e.place from known_as k
      cross join lateral (
        select e.ctid as place from opaque_tokens e where e.app_no = $1 and e.user_id = k.id offset 0
      ) e
    ))
  ),
  no_messages as (
    delete from passwordless_devices p where p.app_no = $1 and p.phone = any(array(select d.phone from doomed d))
  ),
  no_heirs as (
    delete from former_heads f where f.app_no = $1 and f.user_id = any(array(select e.head from ended e))
  )
  delete from users u using doomed d where u.app_no = d.app_no and u.user_id = d.user_id`;

/**
 * Removes a login method, or with `all` the whole user that it belongs to, and everything stored for it, also in imports. If
 * other login methods remain, the user keeps its external id; of an imported user without any, a tombstone remains. What an
 * import has yet to commit counts as coming afterwards.
 */
export function removeUser(database: Database, appNo: number, userId: string, all: boolean): Promise<void> {
  return database.transaction(async (query) => {
    const lock = () => query<{ user_id: string; is_meant: boolean }>(lockUser, [appNo, userId]);
    // Twice: a linking may have held the lock until now, and the first look is from before that.
    await lock();
    const methods = await lock();
    const doomed = methods.filter((method) => all || method.is_meant);
    if (doomed.length === 0) {
      await query(forgetAbsent, [appNo, userId]);
      return;
    }
    const ids = doomed.map((method) => method.user_id);
    await removeMethods(query, appNo, ids, { isWhole: doomed.length === methods.length });
  });
}

/** For a user whose login methods are all locked. @param isWhole whether these are all of them */
export async function removeMethods(
  query: Query,
  appNo: number,
  methods: readonly string[],
  { isWhole }: { readonly isWhole: boolean },
): Promise<void> {
  const ids = plainArray(methods, (id) => id);
  await forgetTracesOfUsers(query, appNo, ids);
  const remove = () => query(removeLocked, [appNo, ids]);
  if (isWhole) {
    await leaveTombstone(query, appNo, ids);
    await remove();
  } else await removeWithHeirs(query, 'methods', [appNo, ids], remove);
}
