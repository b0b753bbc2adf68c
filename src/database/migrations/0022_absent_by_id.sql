-- Only of those who were removed: with all of them in it, a plan made on an empty table may prefer it where the user's id is known.
drop index import_absent_of_id;
create index import_absent_removed on import_absent (app_no, seen_id) where done = 3;
