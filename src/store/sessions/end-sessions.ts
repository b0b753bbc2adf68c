/** Ends the sessions of a login method ($2) and, where it belongs to a linked user ($3), of all methods of that user. */
export const endSessionsOfUser = `
  delete from sessions s where s.app_no = $1::int and s.user_key = any (array(
    select $2::uuid::text
    union
    select u.user_id::text from users u where u.app_no = $1 and u.primary_user_id = $3::uuid
  ))`;
