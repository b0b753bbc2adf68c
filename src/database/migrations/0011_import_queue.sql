-- The queue of POST /bulk-import/users: users who wait for their import, or whose import failed. An imported user's entry is
-- removed.

-- A sequence numbers arrivals, because the clocks of cores differ.
create sequence import_queue_arrivals;

create table import_queue (
  app_no integer not null,
  entry_id uuid not null, -- UUIDv7 of the arrival; the entries of one request are in its order
  status smallint not null default 1, -- 1 new, 2 processing, 3 failed
  record text not null, -- the record's JSON; that of a failed entry has no plain-text passwords
  error_message text,
  lease uuid, -- of the batch that a core is processing
  leased_until bigint, -- after that the core is regarded as dead
  created_at bigint not null,
  updated_at bigint not null,
  arrival bigint not null default nextval('import_queue_arrivals'),
  traces uuid[] not null, -- of the keys that the record names: see imports/queue/traces.ts
  primary key (app_no, entry_id)
);

alter sequence import_queue_arrivals owned by import_queue.arrival;

-- Entries by status, for lists and counts.
create index import_queue_of_status on import_queue (app_no, status, entry_id);
-- Entries to process, oldest first; failed ones may stay for years.
create index import_queue_due on import_queue (entry_id) where status < 3;
-- The same for one app, and to find apps with entries.
create index import_queue_in_order on import_queue (app_no, arrival, entry_id) where status < 3;
-- Entries that name a person, for erasure.
create index import_queue_traces on import_queue using gin (traces);

-- Apps whose queue a core is processing: one core for each app, so that of two records the later is imported later.
create table import_queue_leases (
  app_no integer primary key,
  lease uuid not null, -- as of the entries
  leased_until bigint not null -- after that the core is regarded as dead
);
