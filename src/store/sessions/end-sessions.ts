/**
 * The keys of sessions of a login method: its id, and its external id, for which sessions were begun before an import brought
 * the user. As a lateral relation `k (key)`, in which there may be null.
 * @param method a row of users, as SQL
 * @param externalId the row's own, unless it is about to have another
 */
export function sessionKeysOf(method: string, externalId = `${method}.external_id`): string {
  return `lateral (values (${method}.user_id::text), (${externalId})) k (key)`;
}

/** Of the login method $2 of the app $1, as an array. */
const keysOfMethod = `array(
    select k.key from users u cross join ${sessionKeysOf('u')} where u.app_no = $1::int and u.user_id = $2::uuid
  )`;

/** Ends the sessions of a login method ($2): its tokens name another user from now on. */
export const endSessionsOfMethod = `
  delete from sessions s where s.app_no = $1::int and s.user_key = any(${keysOfMethod})`;

/** In one tenant ($3). */
export const endSessionsOfMethodIn = `
  delete from sessions s
  where s.app_no = $1::int and s.user_key = any(${keysOfMethod}) and s.tenant_no = $3::int`;

/** Ends the sessions of a login method ($2) and, where it belongs to a linked user ($3), of all methods of that user. */
export const endSessionsOfUser = `
  delete from sessions s where s.app_no = $1::int and s.user_key = any (array(
    select k.key from users u cross join ${sessionKeysOf('u')} where u.app_no = $1 and u.user_id = $2::uuid
    union
    select k.key from users u cross join ${sessionKeysOf('u')} where u.app_no = $1 and u.primary_user_id = $3::uuid
  ))`;
