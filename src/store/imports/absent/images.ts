/** Images of users removed by a job, a row for each login method. $1 is the app, $2 the job, $3 heads. */
export const imagesOfRemoved = `
  select a.user_id as head, a.seen_id, b.user_id, b.before, b.factors
  from import_absent a
  cross join lateral unnest(a.members) m (user_id)
  cross join lateral (
    select b.user_id, b.before, b.factors from import_before_images b
    where b.app_no = $1 and b.job_id = $2 and b.user_id = m.user_id and b.after -> 'removed' = 'true'
    offset 0
  ) b
  where a.app_no = $1 and a.job_id = $2 and a.user_id = any($3::uuid[]) and a.done = 3`;
