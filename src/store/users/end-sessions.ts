/**
 * The keys of sessions of a login method: its id, and its external id, for which sessions were begun before an import created the
 * user. As a lateral relation `k (key)`, which may contain null.
 * @param method a row of users, as SQL
 * @param externalId the row's own, unless it is about to change
 */
export function sessionKeysOf(method: string, externalId = `${method}.external_id`): string {
  return `lateral (values (${method}.user_id::text), (${externalId})) k (key)`;
}

/** For the login method $2 of the app $1, as an array. */
const keysOfMethod = `array(
    select k.key from users u cross join ${sessionKeysOf('u')} where u.app_no = $1::int and u.user_id = $2::uuid
  )`;

/** Ends the sessions of a login method ($2): its tokens would name another user from now on. */
export const endSessionsOfMethod = `
  delete from sessions s where s.app_no = $1::int and s.user_key = any(${keysOfMethod})`;

/** In one tenant ($3). */
export const endSessionsOfMethodIn = `
  delete from sessions s
  where s.app_no = $1::int and s.user_key = any(${keysOfMethod}) and s.tenant_no = $3::int`;

/**
 * Ends the sessions of users ($2, heads) who are disabled or are about to be: `$3` has each user's new restrictions, as JSON,
 * null if unchanged. Also of users who were disabled until now: a session begun in that time must not become valid. Before the
 * change of restrictions.
 */
export const endSessionsOfDisabled = `
  delete from sessions s where s.app_no = $1::int and s.user_key = any(array(
    select k.key
    from unnest($2::uuid[], $3::text[]) d (user_id, restrictions)
    cross join lateral (
      select u.user_id, u.external_id from users u where u.app_no = $1 and u.user_id = d.user_id
      union all
      select u.user_id, u.external_id from users u
      where u.app_no = $1 and u.primary_user_id = d.user_id and u.primary_user_id <> u.user_id
    ) u
    cross join ${sessionKeysOf('u')}
    where disabled_until(d.restrictions::jsonb) > clock_ms() or exists (
      select from user_details t
      where t.app_no = $1 and t.user_id = d.user_id and disabled_until(t.restrictions) > clock_ms() offset 0
    )
  ))`;

/**
 * SQL: whether the user of a row of users, or null for text that is not a user's id, is disabled at a time.
 * @param at ms since the epoch, as SQL
 */
export function isDisabledAt(at: string, app: string, method: string): string {
  return `(
      select disabled_until(t.restrictions) > ${at} from user_details t
      where t.app_no = ${app} and t.user_id = coalesce(${method}.primary_user_id, ${method}.user_id) limit 1
    ) is true`;
}

/** Ends the sessions of a login method ($2) and, if it belongs to a linked user ($3), of all methods of that user. */
export const endSessionsOfUser = `
  delete from sessions s where s.app_no = $1::int and s.user_key = any (array(
    select k.key from users u cross join ${sessionKeysOf('u')} where u.app_no = $1 and u.user_id = $2::uuid
    union
    select k.key from users u cross join ${sessionKeysOf('u')} where u.app_no = $1 and u.primary_user_id = $3::uuid
  ))`;
