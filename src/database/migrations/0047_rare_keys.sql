-- Keys that few records of an import meet, so that all others need not be looked for: those of removed users, and external ids for
-- which roles, metadata or TOTP devices are stored before their user exists. By their marks a core knows them in memory;
-- made_in shows which were added since it looked (of two transactions the later one may commit first, so no sequence does).

-- 52 bits, keyed with a secret that is stored elsewhere: no user can be read or guessed from the tables alone. `what` is k and an identity's
-- key, or x and an external id. Must equal rareMark of imports/parse/rare-keys.ts.
create function rare_mark(secret text, app integer, what text) returns bigint
language sql immutable parallel safe
return ('x' || substring(encode(sha256(convert_to(secret || ' ' || app || ' ' || what, 'UTF8')), 'hex') for 13))::bit(52)::bigint;

-- 0: of a key that was stored before there were marks; any record may have it.
alter table tombstones
  add column mark bigint not null default 0,
  add column made_in xid8 not null default pg_current_xact_id();
alter table tombstones alter column mark drop default;
create index tombstones_made_in on tombstones (made_in);

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

insert into awaited_ids (app_no, mark)
select distinct k.app_no, rare_mark(d.secret, k.app_no, 'x' || k.user_key)
from (
  select app_no, user_key from text_metadata
  union all
  select app_no, user_key from user_roles where length(user_key) <> 36 or substr(user_key, 15, 1) <> '7'
  union all
  select app_no, user_key from totp_devices where length(user_key) <> 36 or substr(user_key, 15, 1) <> '7'
) k
cross join decoy_secret d;
