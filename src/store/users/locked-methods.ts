/**
 * Parts of statements that keep something for the login methods that callers' ids mean: `meant` has `app_no` and `method_id`,
 * null where the id is no user's. Who removes such a method takes along what is kept, or comes first and is not held.
 */
export const lockedMethods = `
      select u.app_no, u.user_id
      from (
        select distinct m.app_no, m.method_id from meant m where m.method_id is not null
        order by m.app_no, m.method_id -- in which every statement locks users
      ) d
      cross join lateral (
        select u.app_no, u.user_id from users u
        where u.app_no = d.app_no and u.user_id = d.method_id for key share
      ) u`;

/** Whether the method of `m`, a row of `meant`, is among `locked`: it is still there. */
export const isMethodHeld = '((m.app_no, m.method_id) in (select l.app_no, l.user_id from locked l)) is true';
