-- `isDisabled` of restrictions is true, or now also a number: until when the user is disabled, in ms since the epoch. No one has to
-- lift it. Rows of before hold true, and need no change.

-- Until when restrictions disable: a time that never comes for those without an end, null where they do not disable.
create function disabled_until(restrictions jsonb) returns bigint language sql immutable parallel safe
return case jsonb_typeof(restrictions -> 'isDisabled')
  when 'number' then (restrictions -> 'isDisabled')::bigint
  when 'boolean' then 9223372036854775807
end;

-- As before, but for those who were disabled until a time that has come.
create or replace function carry_obstacle(app integer, tenant integer, method uuid, issued bigint, locked bigint) returns text
language plpgsql volatile as $$
declare
  head uuid;
  methods uuid[];
begin
  select coalesce(u.primary_user_id, u.user_id) into head from users u where u.app_no = app and u.user_id = method;
  if head is null or locked = 0 then
    return 'unknown-user';
  end if;
  methods := array(
    select method
    union select head
    union
    select l.user_id from users l where l.app_no = app and l.primary_user_id = head and l.primary_user_id <> l.user_id
  );
  if not exists (
    select from users u cross join lateral identities_of(app, u) i
    where u.app_no = app and u.user_id = any(methods) and i.tenant_no = tenant
  ) then
    return 'other-tenant';
  end if;
  if exists (
    select from user_details t
    where t.app_no = app and t.user_id = head
      and (t.restrictions ? 'isHeld' or disabled_until(t.restrictions) > clock_ms())
  ) then
    return 'restricted';
  end if;
  if exists (
    select from sign_ins s
    where s.app_no = app and s.user_id = any(methods)
      and greatest(s.password_changed_at, s.reset_at, s.restricted_at, s.signed_out_at) >= issued
  ) then
    return 'revoked';
  end if;
  if exists (
    select from users u join sign_ins s on s.app_no = u.app_no and s.user_id = u.user_id
    where u.app_no = app and u.user_id = any(methods) and u.recipe = 1
      and u.base is not null and get_byte(u.base, 0) >> 4 & 3 = 1 and get_byte(u.base, 0) & 1 = 0
      and (s.reset_at is not null or (u.email_verified and s.password_changed_at is not null))
  ) then
    return 'revoked';
  end if;
  return null;
end
$$;
