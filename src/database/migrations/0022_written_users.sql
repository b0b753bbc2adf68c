-- Users whom a move has written to the old system: see docs/design/moves.md.

-- The label of the source that has the user since (import_jobs.source): one who signed up here is from then on like one that its imports
-- brought, also when gone from there.
alter table sign_ins add column written_to text;
alter table sign_ins add column written_at bigint; -- the last time; by clock_ms()
