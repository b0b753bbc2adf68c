-- TOTP devices, by the id of the login method that the caller's id means, else by the caller's text itself: totp_key.
-- Secrets are sealed with a key that is not in the database; the device's id is part of what they are sealed for.
create table totp_devices (
  app_no integer not null,
  user_key text not null,
  name text not null,
  id uuid not null, -- another one with each secret
  period integer not null, -- seconds
  skew integer not null,
  verified boolean not null,
  imported boolean not null,
  created_at bigint not null, -- ms since the epoch; those of one import are 1 ms apart, in their order
  sealed_secret bytea not null,
  primary key (app_no, user_key, name)
);

-- Codes that were tried, numbered by user and tenant. Whoever takes the next number has judged by all before it.
create table totp_codes (
  app_no integer not null,
  user_key text not null,
  tenant_no integer not null,
  seq bigint not null,
  code text, -- null when it was wrong
  created_at bigint not null, -- ms since the epoch
  expires_at bigint not null, -- until then a valid one is refused when it comes again
  kept_until bigint not null, -- until then it may count as an attempt
  primary key (app_no, user_key, tenant_no, seq)
);
create index totp_codes_expired on totp_codes (kept_until);

-- Imports keep devices in user_details as an array. When they are sealed, what is left there tells that they are those of
-- the import, {"mark", "digest"}, or no longer, {"changed"}.
create index user_details_unsealed on user_details (app_no, user_id) where jsonb_typeof(totp_devices) = 'array';

-- An heir, who bears the external id of a head that is gone, has the user's devices, which stay under the head's id.
create function totp_key(app integer, method users, id text) returns text language sql stable parallel safe
begin atomic
  select coalesce(
    (
      select f.user_id from former_heads f
      where f.app_no = app and f.user_id = method.primary_user_id and f.heir = method.user_id
    )::text,
    method.user_id::text,
    id
  );
end;

-- Devices are the same before and after they are sealed.
create or replace function own_image(image jsonb) returns jsonb language sql immutable parallel safe
return case jsonb_typeof(image #> '{details,totp_devices}')
  when 'array' then jsonb_set(
    image #- '{user,base}', '{details,totp_devices}',
    to_jsonb(encode(hash_mark((image #> '{details,totp_devices}')::text), 'hex'))
  )
  when 'object' then jsonb_set(
    image #- '{user,base}', '{details,totp_devices}', coalesce(image #> '{details,totp_devices,mark}', 'true')
  )
  else image #- '{user,base}'
end;
