/**
 * Parts of statements that store something for the login methods that callers' ids mean: `meant` has `n`, `app_no` and
 * `method_id`, null if no user has the id. A removal of such a method removes the stored rows too, or is first and is not waited
 * for. `method` is the row as the lock found it, which may have been linked since `meant` was looked up; `items` are the `n`.
 */
export const lockedMethods = `
      select u.app_no, u.user_id, u.method, d.items
      from (
        select m.app_no, m.method_id, array_agg(m.n) as items from meant m where m.method_id is not null
        group by m.app_no, m.method_id order by m.app_no, m.method_id -- in which every statement locks users
      ) d
      cross join lateral (
        select u.app_no, u.user_id, u as method from users u
        where u.app_no = d.app_no and u.user_id = d.method_id for key share
      ) u`;

/** Whether the method of `m`, a row of `meant`, is among `locked`: it still exists. */
export const isMethodHeld = '((m.app_no, m.method_id) in (select l.app_no, l.user_id from locked l)) is true';

/**
 * The result of `seen_user_id` for a row of users, without a call for nearly all, which are their own heads.
 * @param app and `method`: SQL
 */
export function seenUserId(app: string, method: string): string {
  return `case when coalesce(${method}.primary_user_id, ${method}.user_id) = ${method}.user_id
      then coalesce(${method}.external_id, ${method}.user_id::text)
      else seen_user_id(${app}, ${method}) end`;
}
