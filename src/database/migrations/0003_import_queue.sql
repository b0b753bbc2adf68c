-- Users of POST /bulk-import/users that wait for their import, or failed. Who was imported leaves.
create table import_queue (
  app_no integer not null,
  entry_id uuid not null, -- UUIDv7 of the arrival; the entries of one request are in its order
  status smallint not null default 1, -- 1 new, 2 processing, 3 failed
  record text not null, -- the record's JSON; what failed is kept without plain-text passwords
  error_message text,
  lease uuid, -- of the batch that a core is processing
  leased_until bigint, -- ms since the epoch: after that the core is taken for dead
  created_at bigint not null,
  updated_at bigint not null,
  primary key (app_no, entry_id)
);

-- Entries of one status in their order, for lists and counts.
create index import_queue_of_status on import_queue (app_no, status, entry_id);

-- What is to be done, oldest first: failed entries may lie for years without being in the way.
create index import_queue_due on import_queue (entry_id) where status < 3;
