-- Records that take a key whose holder may give it up by a later line of the file: decided together when all lines are there.
create table import_postponed (
  app_no integer not null,
  job_id uuid not null,
  line bigint not null, -- in the upload, from 1
  record text not null, -- may hold a password's hash: goes when it is decided, or with the job's end
  primary key (app_no, job_id, line)
);
alter table import_jobs add column postponed bigint not null default 0; -- rows of import_postponed

-- import_claims has further kinds, in a dry run: 11 to 14, keys of kinds 1 to 4 that a record would take from their user.
