/** Activities of a login method here, each kind as a column of sign_ins. */
export type Activity =
  | 'reset_at'
  | 'password_changed_at'
  | 'email_changed_at'
  | 'verified_at'
  | 'imported_at'
  | 'restricted_at'
  | 'linked_at'
  | 'signed_out_at'
  | 'details_changed_at';

/**
 * A statement, or a part of one, that notes an activity by the database's clock: an undo compares it with the beginning of its
 * job, which another core may have written. Rows are locked in the order of their keys, as by marks of sign-ins.
 * @param methods a relation of `app_no` and `user_id`. Their users must be locked until the commit, if only against their
 *   removal: then an undo sees the mark, or a user that it removed is not marked
 */
export function noteActivity(activity: Activity, methods: string): string {
  return `
    insert into sign_ins as s (app_no, user_id, ${activity})
    select a.app_no, a.user_id, clock_ms()
    from (select distinct a.app_no, a.user_id from ${methods} a order by a.app_no, a.user_id) a
    on conflict (app_no, user_id) do update set ${activity} = greatest(s.${activity}, excluded.${activity})`;
}
