-- A repeated import is three-way: what the last one stated (base), what this one states, and what is stored.

-- Short digests of what the last import of the login method stated, see bulk/base.ts; null: no import ever did.
alter table users add column base bytea;

-- What an import stated of a user who has changed it here: leads a record that still states it to its user. It counts only
-- while the user's base states the key, so a row that is left over leads nobody astray.
create table former_identities (
  app_no integer not null,
  tenant_no integer not null,
  kind smallint not null, -- as of identities
  key uuid not null,
  user_id uuid not null,
  primary key (app_no, kind, key, tenant_no)
);
create index former_identities_of_user on former_identities (user_id);

-- Whether a base states a key: of a passwordless login method the phone number stands behind the email.
create function base_states(base bytea, kind smallint, key uuid) returns boolean language sql immutable parallel safe
return substring(base from case when kind = 4 then 12 else 6 end for 6) = substring(uuid_send(key) for 6);

-- An image of a login method without what imports stated of it: that is no change of the user.
create function own_image(image jsonb) returns jsonb language sql immutable parallel safe
return image #- '{user,base}';

-- on_conflict has two more numbers: 4 theirs, 5 ours.
alter table import_jobs
  add column conflicts bigint not null default 0,
  add column rebased bigint not null default 0; -- users of whom only the base was written

-- Fields that were changed here and at the source, and what was done. They go with the job's rejects.
create table import_conflicts (
  job_id uuid not null,
  line bigint not null,
  place smallint not null, -- among the line's conflicts
  external_user_id text, -- of the record
  user_id uuid not null, -- the login method; of details the user's head
  seen_id text not null, -- as callers know the user
  field_group text not null,
  field text not null,
  here text not null,
  source text not null,
  done text not null,
  primary key (job_id, line, place)
);
create index import_conflicts_of_user on import_conflicts (user_id);

-- Written anew, because it returns all columns of users.
create or replace function user_of(app integer, id text) returns setof users language sql stable parallel safe
begin atomic
  select u.* from users u where u.app_no = app and u.user_id = as_core_id(id)
  union all
  select e.* from users e
  where e.app_no = app and e.external_id = id
    and not exists (select from users u where u.app_no = app and u.user_id = as_core_id(id));
end;
