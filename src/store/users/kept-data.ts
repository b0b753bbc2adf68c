const kindOf = (now: string): string => `
  case
    when exists (
      select 1 from user_details d where d.app_no = u.app_no and d.user_id = u.user_id and d.metadata is not null
    ) then 'UserMetadata'
    when exists (
      select 1 from user_roles r where r.app_no = u.app_no and r.user_key = u.user_id::text
    ) then 'UserRoles'
    when exists (
      select 1 from sessions s
      where s.app_no = u.app_no and s.user_key = u.user_id::text and s.expires_at > ${now}
    ) then 'Session'
    when exists (
      select 1 from totp_devices t where t.app_no = u.app_no and t.user_key = u.user_id::text
    ) then 'TOTP'
  end`;

/** The kind of data that is stored for the user $2 without an external id: the first found, or null. $3: now, in ms. */
export const keptOfUnmapped = `
  select ${kindOf('$3')} as kind from users u
  where u.app_no = $1 and u.user_id = as_core_id($2) and u.external_id is null`;

/** The same for a user with one. $4: now, in ms. @param target the user, by $1 to $3 */
export const keptOfMapped = (target: string): string => `
  select ${kindOf('$4')} as kind from (${target}) u`;
