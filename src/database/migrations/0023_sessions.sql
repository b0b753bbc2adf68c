-- Sessions: one row each. Children of a refresh token live in tokens alone until one of them is used.
-- user_key is the core's id of the login method that the caller's id means, else the caller's text itself.
-- JSON is kept as text: its order and its numbers come back as they were given.
create table sessions (
  app_no integer not null,
  handle uuid not null,
  tenant_no integer not null,
  user_key text not null,
  refresh_hash bytea not null, -- SHA-256 of the SHA-256 (hexadecimal) of the current refresh token
  expires_at bigint not null, -- of the refresh token; ms since the epoch
  created_at bigint not null, -- ms since the epoch
  static_key boolean not null, -- signed by the app's static key
  jwt_payload text not null,
  session_data text not null,
  primary key (app_no, handle)
);

create index sessions_of_user on sessions (app_no, user_key);
create index sessions_expired on sessions (expires_at);

-- What sessions are signed and sealed with. Private halves are sealed with a key that is not in the database.
create table signing_keys (
  app_no integer not null,
  kid text not null,
  family smallint not null, -- 1 static, 2 dynamic, 3 of refresh tokens
  created_at bigint not null, -- ms since the epoch
  public_key bytea, -- SPKI, DER
  sealed_key bytea not null,
  primary key (app_no, kid)
);

-- The id by which callers know the user of a login method: that of its head, or of who bears it while the head is gone.
create function seen_user_id(app integer, method users) returns text language sql stable parallel safe
begin atomic
  select case
    when coalesce(method.primary_user_id, method.user_id) = method.user_id
      then coalesce(method.external_id, method.user_id::text)
    else coalesce(
      (select h.external_id from users h where h.app_no = app and h.user_id = method.primary_user_id),
      (
        select b.external_id from former_heads f join users b on b.app_no = f.app_no and b.user_id = f.heir
        where f.app_no = app and f.user_id = method.primary_user_id
      ),
      method.primary_user_id::text
    )
  end;
end;
