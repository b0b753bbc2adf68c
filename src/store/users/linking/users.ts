import { textArray } from '../../../domain/pg-array.ts';
import type { Query } from '../../../database/database.ts';

/** A login method that an id refers to. */
export interface Method {
  readonly id: string;
  /** Null if it is neither linked nor primary. */
  readonly primaryUserId: string | null;
  /** As callers know its user. */
  readonly seenId: string;
}

const findMethod = `
  select u.user_id as id, u.primary_user_id as "primaryUserId", seen_user_id($1::int, u) as "seenId"
  from user_of($1, $2::text) u`;

/** @param id the core's or an external one */
export async function methodOf(query: Query, appNo: number, id: string): Promise<Method | undefined> {
  return (await query<Method>(findMethod, [appNo, id]))[0];
}

/** A user by the id of any of its login methods, or by its own after the head's login method was removed. */
export interface Target {
  readonly head: string;
  readonly isPrimary: boolean;
  readonly seenId: string;
}

const findTarget = `
  select coalesce(u.primary_user_id, u.user_id) as head, u.primary_user_id is not null as "isPrimary",
    seen_user_id($1::int, u) as "seenId"
  from user_of($1, $2::text) u
  union all
  (
    select l.primary_user_id, true, seen_user_id($1, l) from users l
    where l.app_no = $1 and l.primary_user_id = as_core_id($2) and l.primary_user_id <> l.user_id
      and not exists (select 1 from user_of($1, $2))
    limit 1
  )`;

export async function targetOf(query: Query, appNo: number, id: string): Promise<Target | undefined> {
  return (await query<Target>(findTarget, [appNo, id]))[0];
}

/** All login methods of the users, in the order of their ids, as every statement locks users. */
const lock = `
  with heads as materialized (
    select m.head from unnest($2::text[]) i (id)
    cross join lateral (
      select coalesce(u.primary_user_id, u.user_id) as head from user_of($1::int, i.id) u
      union all
      select as_core_id(i.id) where as_core_id(i.id) is not null
    ) m
  )
  select u.user_id from users u
  where u.app_no = $1 and u.user_id = any(array(
    select h.head from heads h
    union all
    select l.user_id from heads h
    join users l on l.app_no = $1 and l.primary_user_id = h.head and l.primary_user_id <> l.user_id
  ))
  order by u.user_id
  for update`;

/**
 * Locks whole users, so that of two that are linked or unlinked at once the later sees the result of the earlier.
 * @param ids an id of the user who has to exist, and then of others
 */
export async function lockUsers(
  query: Query,
  appNo: number,
  ...ids: readonly [whole: string, ...others: string[]]
): Promise<void> {
  await query(lock, [appNo, textArray(ids, (id) => id)]);
  // Again: another linking may have held the lock until now, and the first look is from before that.
  await query(lock, [appNo, textArray(ids.slice(0, 1), (id) => id)]);
}

const findMembers = `
  select u.user_id as id from users u where u.app_no = $1::int and u.user_id = $2::uuid
  union all
  select l.user_id from users l
  where l.app_no = $1 and l.primary_user_id = $2 and l.primary_user_id <> l.user_id`;

/** The login methods of a user. @param head its core id */
export async function membersOf(query: Query, appNo: number, head: string): Promise<string[]> {
  return (await query<{ id: string }>(findMembers, [appNo, head])).map(({ id }) => id);
}
