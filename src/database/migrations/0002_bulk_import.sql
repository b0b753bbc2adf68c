-- What a bulk import keeps beside the users: its jobs, what they refused, what they replaced.
create table import_jobs (
  app_no integer not null,
  job_id uuid not null, -- UUIDv7 of the start
  name text not null,
  state smallint not null default 1, -- 1 receiving, 2 done, 3 cancelled, 4 undone
  dry_run boolean not null,
  on_conflict smallint not null, -- 1 update, 2 skip, 3 reject
  upload_length bigint, -- null while the sender does not know it
  bytes bigint not null default 0, -- the committed offset
  physical_lines bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  skipped bigint not null default 0,
  rejected bigint not null default 0,
  by_kind jsonb not null default '{}',
  started_at bigint not null, -- ms since the epoch, as the others
  finished_at bigint,
  last_commit_at bigint,
  primary key (app_no, job_id)
);

create table import_rejects (
  job_id uuid not null,
  line bigint not null,
  external_user_id text,
  code text not null,
  field text not null,
  message text not null,
  primary key (job_id, line)
);

-- Keys that a job's records used without creating the user that holds them (users.import_job tells those): what makes
-- a later record with the same key a duplicate. Removed with the job's end.
create table import_claims (
  job_id uuid not null,
  kind smallint not null, -- 1 to 4 as identities, 5 external id, 6 all keys of a user that the record states in full
  key uuid not null, -- of an identity, the digest of an external id, a user_id
  tenant_no integer not null, -- 0 for external ids
  with_external boolean not null default false, -- kind 6: the record states the user's external id too
  line bigint not null,
  primary key (job_id, kind, key, tenant_no)
);

-- A user's rows as a job found and left them: what image_of gives.
create table import_before_images (
  job_id uuid not null,
  app_no integer not null,
  user_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  primary key (job_id, user_id)
);

-- What few users have and no request looks up by. Kept under the id of the user's head.
create table user_details (
  app_no integer not null,
  user_id uuid not null,
  metadata jsonb,
  roles jsonb,
  totp_devices jsonb,
  primary key (app_no, user_id)
);

-- The last sign-in of a login method: an undo leaves alone who has come in since.
create table sign_ins (
  app_no integer not null,
  user_id uuid not null,
  last_at bigint not null, -- ms since the epoch
  primary key (app_no, user_id)
);

-- All that an import may change of a login method, to be compared and put back.
create function image_of(app integer, id uuid) returns jsonb language sql stable parallel safe
begin atomic
  select jsonb_build_object(
    'user', to_jsonb(u),
    'identities', (
      select coalesce(jsonb_agg(to_jsonb(i) order by i.kind, i.key, i.tenant_no), '[]') from identities_of(u) i
    ),
    'details', (select to_jsonb(t) from user_details t where t.app_no = app and t.user_id = id)
  )
  from users u where u.app_no = app and u.user_id = id;
end;
