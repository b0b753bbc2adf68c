-- How far an undo is, for whoever waits for it.
alter table import_jobs
  add column undone bigint not null default 0; -- users that were removed or put back
