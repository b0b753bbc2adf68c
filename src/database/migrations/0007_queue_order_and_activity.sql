-- The order in which entries of the queue arrived, whichever core took them: cores' clocks differ, a sequence does not.
-- Entries from before have none, and are older than all others.
create sequence import_queue_arrivals;
alter table import_queue add column arrival bigint;
alter table import_queue alter column arrival set default nextval('import_queue_arrivals');
alter sequence import_queue_arrivals owned by import_queue.arrival;

-- What is to be done for an app, oldest first, and which apps have something to be done.
create index import_queue_in_order on import_queue (app_no, arrival nulls first, entry_id) where status < 3;

-- The apps whose queue a core is working off now: one core an app, so that the later of two records is imported later.
create table import_queue_leases (
  app_no integer primary key,
  lease uuid not null, -- as of the entries
  leased_until bigint not null -- ms since the epoch: after that the core is taken for dead
);

-- ms since the epoch by the database's clock, which all cores share.
create function clock_ms() returns bigint language sql volatile
return floor(extract(epoch from clock_timestamp()) * 1000)::bigint;

-- The ids by which callers know the login methods of a linked user; none for a head that is null.
create function linked_ids(app integer, head uuid) returns setof text language sql stable parallel safe
begin atomic
  select coalesce(h.external_id, h.user_id::text) from users h where h.app_no = app and h.user_id = head
  union all
  select coalesce(l.external_id, l.user_id::text) from users l
  where l.app_no = app and l.primary_user_id = head and l.primary_user_id <> l.user_id;
end;

-- When the job began, by clock_ms(); jobs from before the column have none.
alter table import_jobs add column begun_at bigint;
alter table import_jobs alter column begun_at set default clock_ms();

-- What happened to a login method here, each kind at its latest by clock_ms(): other times of this table are of the core
-- that wrote them. An undo leaves alone who has been active.
alter table sign_ins
  add column signed_in_at bigint,
  add column reset_at bigint, -- a link to reset the password was followed
  add column password_changed_at bigint, -- by a request, not by an import
  add column email_changed_at bigint, -- by a request or a social sign-in, not by an import
  add column verified_at bigint, -- a link to verify an email was followed
  add column imported_at bigint; -- replaced by an import that is no job's: of a single hash, or of the queue
