-- Moves that take weeks: a follower makes tens of thousands of imports, and a question about a user or a source does not read a row
-- of each.

-- Images of a user by all jobs, which an undo compares, and which a removal deletes. An import pays for it only where it changes users.
-- Without an order: a list of a job's images, by user, would look as good by it on an empty table.
create index import_before_images_of_user on import_before_images using hash (user_id);

-- The last import of each source, of all apps. A job's progress changes none of these columns.
create index import_jobs_of_source on import_jobs (source, finished_at) where state = 2 and not dry_run;

-- Whether a user is removed by a later change than those of a page; only removals cost an entry.
create index move_changes_removals on move_changes (app_no, move_no, user_id) where is_removal;
