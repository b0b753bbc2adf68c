-- For metrics. Nothing of it changes with a job's progress, so that a chunk's update of its row stays without index entries.
-- Not of dry runs: so no statement that looks a job up by its id takes this index for it.
create index import_jobs_by_state on import_jobs (state) include (cancel_reason) where not dry_run;
