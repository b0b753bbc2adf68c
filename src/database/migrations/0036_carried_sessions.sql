-- Tokens of old systems that were exchanged for a session: none is taken again.
create table carried_sessions (
  app_no integer not null,
  token_digest bytea not null, -- SHA-256: the token itself is not kept
  handle uuid not null, -- of the session
  caller bytea not null, -- SHA-256 of who exchanged it
  anti_csrf boolean not null,
  carried_at bigint not null, -- ms since the epoch
  expires_at bigint not null, -- from then on the token is refused for its age; ms since the epoch
  primary key (app_no, token_digest)
);

create index carried_sessions_expired on carried_sessions (expires_at);

-- By a request that ended all sessions of the user; by clock_ms().
alter table sign_ins add column signed_out_at bigint;

-- The login method that has this external id. At most one row.
create function user_called(app integer, id text) returns setof users language sql stable parallel safe
begin atomic
  select e.* from users e where e.app_no = app and e.external_id = id;
end;

-- Why a token that was issued then gives no session to the user of a login method, null if it does. It is volatile: each
-- look is at what is committed by then, so whoever has the user's rows locked sees all that was done before.
create function carry_obstacle(app integer, tenant integer, method uuid, issued bigint, locked bigint) returns text
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
    where t.app_no = app and t.user_id = head and t.restrictions ?| array['isDisabled', 'isHeld']
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
  return null;
end
$$;
