-- Records that were not rejected, by whether their people could sign in: disabled, held, without a way to, or free.
alter table import_jobs add column by_state jsonb not null default '{}';
