-- TOTP: devices and tried codes.

-- Secrets are sealed with a key outside the database; the device's id is part of the sealing.
create table totp_devices (
  app_no integer not null,
  user_key text not null, -- see totp_key
  name text not null,
  id uuid not null, -- a new one for each secret
  period integer not null, -- seconds
  skew integer not null,
  verified boolean not null,
  imported boolean not null,
  created_at bigint not null, -- ms since the epoch; those of one import are 1 ms apart, in their order
  sealed_secret bytea not null,
  algorithm text not null default 'SHA1',
  digits integer not null default 6,
  primary key (app_no, user_key, name)
);

-- Devices of ids without a user: as user_roles_bare.
create index totp_devices_bare on totp_devices (app_no) where length(user_key) <> 36 or substr(user_key, 15, 1) <> '7';

-- Tried codes, numbered by user and tenant. A transaction that takes the next number has considered all before it.
create table totp_codes (
  app_no integer not null,
  user_key text not null,
  tenant_no integer not null,
  seq bigint not null,
  code text, -- null when it was wrong
  created_at bigint not null,
  expires_at bigint not null, -- until then the same valid code is refused
  kept_until bigint not null, -- until then it may count as an attempt
  primary key (app_no, user_key, tenant_no, seq)
);
create index totp_codes_expired on totp_codes (kept_until);

-- The key of an id's devices: the core id of its login method, else the id itself. Devices of a linked user are under the head's
-- id; an heir (see former_heads) reaches them by the user's external id, and by every id if it has no external id itself. Its own
-- ids lead to its own devices.
create function totp_key(app integer, method users, id text) returns text language sql stable parallel safe
begin atomic
  select coalesce(
    (
      select f.user_id from former_heads f
      where f.app_no = app and f.user_id = method.primary_user_id and f.heir = method.user_id
        and (method.external_id = id or not exists (
          select from own_external_ids o where o.app_no = app and o.user_id = method.user_id
        ))
    )::text,
    method.user_id::text,
    id
  );
end;
