-- Comparisons: dry runs that list every difference.

alter table import_jobs add column compare boolean not null default false;

-- Which side has changed a field since both were last equal; null for a job that does not compare.
alter table import_conflicts add column changed text;
-- Null for a user of the source who is missing here.
alter table import_conflicts alter column user_id drop not null;
create index import_conflicts_of_person on import_conflicts (app_no, external_user_id) where user_id is null;

-- The source marks the record's person as deleted.
alter table import_rejects add column is_gone boolean;

-- Why a user is not in the source: 1 imported from it; 2 made here; 3 imported from it, and disabled here.
alter table import_absent add column origin smallint not null default 1;
