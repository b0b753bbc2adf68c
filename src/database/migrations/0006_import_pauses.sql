-- The time between the uploads of a job, in which nobody sent: its rate leaves it out.
alter table import_jobs add column paused_ms bigint not null default 0;
