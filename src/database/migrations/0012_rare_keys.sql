-- Keys that few records of an import match: those of removed users, and external ids with roles, metadata or TOTP devices but no
-- user yet. Cores cache their marks, so that other keys need no look-up. made_in shows which were added since (a later
-- transaction may commit first, so a sequence does not).

-- 52 bits, keyed with a secret that is stored elsewhere: the tables alone reveal no user. `what` is k and an identity's key, or x
-- and an external id. Must equal rareMark of imports/parse/rare-keys.ts.
create function rare_mark(secret text, app integer, what text) returns bigint
language sql immutable parallel safe
return ('x' || substring(encode(sha256(convert_to(secret || ' ' || app || ' ' || what, 'UTF8')), 'hex') for 13))::bit(52)::bigint;

-- Users who were imported and then removed here, so that the next export does not create them again. Only digests, keyed with a
-- secret that is stored elsewhere: this table alone reveals no user.
create table tombstones (
  app_no integer not null,
  digest uuid not null, -- tombstone_digest of the external id or of an identity
  person uuid not null, -- random: rows of the same user have the same
  tenant_no integer, -- of an identity
  mark bigint not null, -- rare_mark of the key
  made_in xid8 not null default pg_current_xact_id(),
  primary key (app_no, digest, person)
);
create index tombstones_of_person on tombstones (app_no, person);
create index tombstones_made_in on tombstones (made_in);

-- The form of HMAC (RFC 2104) with the secret in front of both hashes. Kinds 1 and 3, both emails, give the same digest; kind
-- 5 is an external id.
create function tombstone_digest(secret text, app integer, kind integer, key uuid, tenant integer) returns uuid
language sql immutable parallel safe
return substring(
  encode(
    sha256(
      convert_to(
        secret || 'o' || encode(
          sha256(
            convert_to(
              secret || 'i' || app || ' ' || case when kind = 3 then 1 else kind end || ' ' || key || ' '
                || coalesce(tenant, 0),
              'UTF8'
            )
          ),
          'hex'
        ),
        'UTF8'
      )
    ),
    'hex'
  ) for 32
)::uuid;

create table awaited_ids (
  app_no integer not null,
  mark bigint not null, -- rare_mark of the external id
  made_in xid8 not null default pg_current_xact_id(),
  primary key (app_no, mark)
);
create index awaited_ids_made_in on awaited_ids (made_in);

create function note_awaited_id() returns trigger
language plpgsql set search_path from current as $$
begin
  insert into awaited_ids (app_no, mark)
  select new.app_no, rare_mark(d.secret, new.app_no, 'x' || new.user_key) from decoy_secret d limit 1
  on conflict do nothing;
  return null;
end $$;

-- The core's own ids are UUIDv7.
create trigger note_awaited_id after insert or update of user_key on text_metadata
for each row execute function note_awaited_id();
create trigger note_awaited_id after insert or update of user_key on user_roles
for each row when (length(new.user_key) <> 36 or substr(new.user_key, 15, 1) <> '7') execute function note_awaited_id();
create trigger note_awaited_id after insert or update of user_key on totp_devices
for each row when (length(new.user_key) <> 36 or substr(new.user_key, 15, 1) <> '7') execute function note_awaited_id();
