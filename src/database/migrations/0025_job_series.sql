-- Series: imports that belong together, as those of a follower, which makes one for each look with changes. They are listed as one entry.

alter table import_jobs
  add column series text, -- its name; null: the job belongs to none
  add column whole boolean not null default false; -- the upload has all users of the source

-- The jobs of a series, and its last whole reading.
create index import_jobs_of_series on import_jobs (app_no, series, job_id) where series is not null;
create index import_jobs_whole on import_jobs (app_no, series, job_id) where series is not null and whole;
-- Jobs without a series, for the list: thousands of others may be between two of them.
create index import_jobs_alone on import_jobs (app_no, job_id) where series is null;

-- Sums over all jobs of a series: a list that added them up would read a job for each look.
create table import_series (
  app_no integer not null,
  series text not null,
  newest_job uuid not null,
  since bigint not null, -- the start of its first job
  jobs bigint not null,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  skipped bigint not null default 0,
  rejected bigint not null default 0,
  primary key (app_no, series)
);
create index import_series_newest on import_series (app_no, newest_job);
