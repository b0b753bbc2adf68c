-- Users whom the source does not have any more: who came by an import with the same source, and is not in a whole export.
alter table import_jobs
  add column source text not null default '', -- a label: which system the file is of
  add column absent smallint, -- what becomes of them: 1 report, 2 disable, 3 remove; null: nobody asked
  add column absent_yes boolean not null default false, -- also where the file looks like half of one
  add column absent_known bigint, -- users whom imports of the source brought; null: not looked yet
  add column absent_count bigint, -- of these, who are not in the file
  add column absent_active bigint, -- of these, who have signed in here since the last import of the source began
  add column absent_done bigint not null default 0, -- users who were disabled or removed
  add column absent_refused text; -- why nobody was: a code of bulk/absence.ts

-- They go with the job's rejects.
create table import_absent (
  app_no integer not null,
  job_id uuid not null,
  user_id uuid not null, -- of the head
  seen_id text not null, -- as callers know the user
  tenants integer[] not null,
  is_active boolean not null, -- see absent_active
  done smallint not null default 1, -- 1 listed, 2 disabled, 3 removed, 4 was gone or changed before that
  members uuid[], -- of who was removed: the login methods, whose before-images bring them back
  primary key (app_no, job_id, user_id)
);
create index import_absent_of_user on import_absent (app_no, user_id);
create index import_absent_of_id on import_absent (app_no, seen_id);

-- users.base, in its first byte: 8, a whole export did not have the user, who is disabled therefore.
