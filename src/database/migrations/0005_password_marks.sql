-- How the password of a login method fared here, beside its last sign-in: a row may exist without one (last_at 0).
alter table sign_ins
  alter column last_at set default 0,
  add column proven_at bigint, -- ms since the epoch: the last time that the right password came, signing in or not
  add column proven_hash bytea, -- hash_mark of the hash that was proven then: a new hash is unproven
  add column refused_at bigint, -- the last wrong password
  add column refusals integer not null default 0, -- wrong ones since the right password came last
  add column upgraded_at bigint, -- when a sign-in replaced the hash by one of the policy
  add column upgraded_from bytea, -- hash_mark of the hash that it replaced: an import of that one changes nothing
  add column upgraded_to bytea; -- hash_mark of the hash that it wrote, as long as this is the user's

-- Tells one stored hash from another without repeating it: the first 16 bytes of its SHA-256.
create function hash_mark(password_hash text) returns bytea language sql immutable parallel safe
return substring(sha256(convert_to(password_hash, 'UTF8')) for 16);

-- The neighbour of a key within a tenant, whatever the size of the app. The public tenant has the primary key for that.
create index identities_of_tenant_by_key on identities (app_no, tenant_no, key) where tenant_no <> 0 and kind = 1;

-- What turns an email into the place of its decoy: made once, the same for all cores on this database, known to nobody.
create table decoy_secret (secret text not null);
insert into decoy_secret values (gen_random_uuid()::text || gen_random_uuid()::text);
