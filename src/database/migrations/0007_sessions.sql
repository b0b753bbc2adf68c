-- Sessions, their signing keys, and the exchange of old systems' tokens for sessions.

-- One row for each session. Children of a refresh token exist only in tokens until one of them is used. JSON is stored as text to
-- preserve its order and numbers.
create table sessions (
  app_no integer not null,
  handle uuid not null,
  tenant_no integer not null,
  user_key text not null, -- the core id of the login method that the caller's id means, else that id itself
  refresh_hash bytea not null, -- SHA-256 of the SHA-256 (hexadecimal) of the current refresh token
  expires_at bigint not null, -- of the refresh token
  created_at bigint not null,
  static_key boolean not null, -- signed by the app's static key
  jwt_payload text not null,
  session_data text not null,
  -- Lets a client repeat a refresh whose answer was lost, in later versions of the driver interface. Null until the first use of
  -- a new token.
  prev_hash bytea, -- of the refresh token before the current one, as refresh_hash
  rotated_at bigint, -- when the current one became current, by clock_ms()
  primary key (app_no, handle)
);

create index sessions_of_user on sessions (app_no, user_key);
create index sessions_expired on sessions (expires_at);

-- The keys that sign and seal sessions. Private halves are sealed with a key outside the database.
create table signing_keys (
  app_no integer not null,
  kid text not null,
  family smallint not null, -- 1 static, 2 dynamic, 3 of refresh tokens
  created_at bigint not null,
  public_key bytea, -- SPKI, DER
  sealed_key bytea not null,
  primary key (app_no, kid)
);

-- Exchanged tokens of old systems: each is accepted once.
create table carried_sessions (
  app_no integer not null,
  token_digest bytea not null, -- SHA-256: the token itself is not stored
  handle uuid not null, -- of the session
  caller bytea not null, -- SHA-256 of the caller who exchanged it
  anti_csrf boolean not null,
  carried_at bigint not null,
  expires_at bigint not null, -- from then on the token is refused for its age
  primary key (app_no, token_digest)
);

create index carried_sessions_expired on carried_sessions (expires_at);

-- Imported digests of tokens that only the old system can read, to be exchanged for sessions.
create table opaque_tokens (
  app_no integer not null,
  tenant_no integer not null,
  source text not null, -- its name in session_sources
  token_digest bytea not null, -- SHA-256
  user_id text not null, -- at the old system
  expires_at bigint not null,
  issued_at bigint, -- null: not known
  imported_at bigint not null,
  primary key (app_no, token_digest)
);

create index opaque_tokens_expired on opaque_tokens (expires_at);
-- A removed user's tokens go with the user. Does not begin with the app: an empty table would make it look as good as the primary
-- key for finding a token.
create index opaque_tokens_of_user on opaque_tokens (user_id);

-- Why a token of an old system gives no session to the user of a login method; null if it does. `issued` is the token's time,
-- `locked` the number of the user's rows that the caller has locked. It is volatile: each query sees what is committed by
-- then, so a caller that has the user's rows locked sees all that was done before.
-- The last case: a user imported with an email that the source had not verified may be another person's account at the
-- source. Once the owner of the mailbox has set a password here, by a link to it or after verifying it, sessions of the source
-- do not open the account any more, however late they began. In the first byte of a base, bit 1 means that the source had
-- verified the email, and bits 5 and 6 are the recipe.
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
