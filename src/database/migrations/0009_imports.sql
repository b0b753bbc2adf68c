-- Import jobs: their progress, their rejects, and what they must know of the file while they run. Every key begins with the app,
-- so an app's rows can be found by its number alone.

create table import_jobs (
  app_no integer not null,
  job_id uuid not null, -- UUIDv7 of the start
  name text not null,
  state smallint not null default 1, -- 1 receiving, 2 done, 3 cancelled, 4 undone
  dry_run boolean not null,
  on_conflict smallint not null, -- 1 update, 2 skip, 3 reject, 4 theirs, 5 ours
  upload_length bigint, -- bytes; null while the sender does not know it
  bytes bigint not null default 0, -- the committed offset
  physical_lines bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  skipped bigint not null default 0,
  rejected bigint not null default 0,
  by_kind jsonb not null default '{}', -- counts by kind of hash
  started_at bigint not null, -- this and the next two by the clocks of cores
  finished_at bigint,
  last_commit_at bigint,
  paused_ms bigint not null default 0, -- time between uploads, which does not count for the rate
  begun_at bigint not null default clock_ms(),
  purged_at bigint, -- from then on images and rejects are gone, and the job cannot be undone
  second_factor smallint not null default 2, -- 1 refuse, 2 flag, 3 drop
  by_factor jsonb not null default '{}', -- counts by second factor
  unusable bigint not null default 0, -- of `rejected`: records that are invalid whatever is stored
  cancel_reason text, -- of state 3: a code of domain/jobs/cancel-reasons.ts; null: by request
  same_ids boolean not null default false, -- a stored user with the record's external id is the same person
  id_prefix text, -- put before every external id
  different bigint not null default 0, -- of `rejected`: records that would have turned a user into another person
  odd_dates bigint not null default 0, -- records that were not rejected, with a join date before 2000 or in the future
  conflicts bigint not null default 0,
  rebased bigint not null default 0, -- users of which only the base was written
  restore_removed boolean not null default false, -- create users who were removed here, see tombstones
  by_state jsonb not null default '{}', -- records that were not rejected, by whether the user can sign in
  postponed bigint not null default 0, -- rows of import_postponed
  source text not null default '', -- a label of the system that the file comes from
  absent smallint, -- what is done about users who are not in the file: 1 report, 2 disable, 3 remove; null: nothing
  absent_yes boolean not null default false, -- also where the file looks incomplete
  absent_known bigint, -- users that imports of the source brought; null: not counted yet
  absent_count bigint, -- of these, users who are not in the file
  absent_active bigint, -- of these, users who have signed in here since the last import of the source began
  absent_done bigint not null default 0, -- users who were disabled or removed
  absent_refused text, -- why no user was: a code of imports/absence.ts
  stated_rejects bigint not null default 0, -- of `rejected`: records that the sender could not convert, and states in their place
  passed_over bigint not null default 0, -- of `stated_rejects`: not a user, which is not a fault of the file
  undone bigint not null default 0, -- users that the undo has removed or put back so far
  primary key (app_no, job_id)
);

-- For metrics. A job's progress changes none of its columns, so a chunk's update needs no index entry. Excludes dry runs, so that
-- no look-up by id uses this index.
create index import_jobs_by_state on import_jobs (state) include (cancel_reason) where not dry_run;

-- Rejected records. Equal neighbours that name no user are one row.
create table import_rejects (
  job_id uuid not null,
  line bigint not null, -- the last of `lines`
  external_user_id text,
  code text not null,
  field text not null,
  message text not null,
  lines bigint not null default 1,
  app_no integer not null,
  other_user_id text, -- the user who has the record's key, as callers know the user
  primary key (app_no, job_id, line)
);

create index import_rejects_of_person on import_rejects (app_no, external_user_id) where external_user_id is not null;

-- Keys that a job's records used without creating the user who has them (users.import_job shows the others): a later record with
-- the same key is a duplicate. Removed when the job ends.
create table import_claims (
  job_id uuid not null,
  -- 1 to 4 as in identities, 5 external id, 6 all keys of a user that the record states in full. In a dry run, 11 to 14: keys of
  -- kinds 1 to 4 that a record would take from their user.
  kind smallint not null,
  key uuid not null, -- of an identity, the digest of an external id, or a user_id
  tenant_no integer not null, -- 0 for external ids
  with_external boolean not null default false, -- kind 6: the record states the user's external id too
  line bigint not null,
  app_no integer not null,
  primary key (app_no, job_id, kind, key, tenant_no)
);

-- Unchanged users of a chunk in one row, in place of a claim of kind 6 for each. They become claims if a later record may mean
-- one of the users. Removed when the job ends.
create table import_met (
  app_no integer not null,
  job_id uuid not null,
  lines_before bigint not null, -- physical lines of the upload before the chunk
  tenant_no integer not null,
  user_ids uuid[] not null,
  lines integer[] not null, -- of each user, within the chunk, from 1
  primary key (app_no, job_id, lines_before)
);
-- Random bytes cannot be compressed.
alter table import_met alter user_ids set storage external;

-- Records that take a key which its user may release by a later line: they are decided together at the end of the upload.
create table import_postponed (
  app_no integer not null,
  job_id uuid not null,
  line bigint not null, -- in the upload, from 1
  record text not null, -- may contain a password's hash: removed when it is decided, or when the job ends
  primary key (app_no, job_id, line)
);

-- Fields that were changed both here and at the source, and the outcome. Removed with the job's rejects.
create table import_conflicts (
  job_id uuid not null,
  line bigint not null,
  place smallint not null, -- among the line's conflicts
  external_user_id text, -- of the record
  user_id uuid not null, -- the login method; for details the user's head
  seen_id text not null, -- as callers know the user
  field_group text not null,
  field text not null,
  here text not null,
  source text not null,
  done text not null,
  app_no integer not null,
  primary key (app_no, job_id, line, place)
);
create index import_conflicts_of_user on import_conflicts (app_no, user_id);

-- Users that an import of the same source created and that are not in a full export. Removed with the job's rejects.
create table import_absent (
  app_no integer not null,
  job_id uuid not null,
  user_id uuid not null, -- of the head
  seen_id text not null, -- as callers know the user
  tenants integer[] not null,
  is_active boolean not null, -- see import_jobs.absent_active
  done smallint not null default 1, -- 1 listed, 2 disabled, 3 removed, 4 was gone or changed before that
  members uuid[], -- of a removed user: the login methods, which their before-images restore
  primary key (app_no, job_id, user_id)
);
create index import_absent_of_user on import_absent (app_no, user_id);
-- Only removed users: with all, a plan made on an empty table may prefer it when the user's id is known.
create index import_absent_removed on import_absent (app_no, seen_id) where done = 3;
