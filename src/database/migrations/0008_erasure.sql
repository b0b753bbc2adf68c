-- What an import keeps of a person can be found by the person, and goes with the job's time.

-- Of what a record of the queue speaks: see bulk/traces.ts. Null where an older core stored it: the sweeper adds them.
alter table import_queue add column traces uuid[];
create index import_queue_traces on import_queue using gin (traces);
create index import_queue_untraced on import_queue (entry_id) where traces is null;

-- Only of records that were rejected, so an import that goes well pays nothing for it.
create index import_rejects_of_person on import_rejects (external_user_id) where external_user_id is not null;

alter table import_jobs
  add column purged_at bigint, -- ms since the epoch: images and rejects are gone from then on, and so is the undo
  add column second_factor smallint not null default 2, -- 1 refuse, 2 flag, 3 drop
  add column by_factor jsonb not null default '{}';
